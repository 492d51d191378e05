"""Settings about the installation as a whole: its release, its backups. Part of `settings`."""

import os
import tomllib
from pathlib import Path

with (Path(__file__).parents[3] / "pyproject.toml").open("rb") as _project:
    VERSION: str = tomllib.load(_project)["project"]["version"]
"""The version of the release: MAJOR.MINOR.PATCH."""
BACKUP_DIR = os.environ.get("VNFM_BACKUP_DIR", "")
"""Folder of scheduled backups; "" when there are none. `./vnfm up` makes them, with the passphrase in the file that
VNFM_BACKUP_PASSPHRASE_FILE names, and keeps the last VNFM_BACKUP_KEEP."""
BACKUP_HOURS = float(os.environ.get("VNFM_BACKUP_HOURS", "24"))
"""The interval of scheduled backups. An alarm is raised when the newest is twice as old, or an attempt failed."""
