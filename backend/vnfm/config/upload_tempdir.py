"""Uploads are buffered on the disk of the artifacts, as /tmp may be memory."""

import tempfile
from contextlib import suppress
from pathlib import Path

from vnfm.kit import clock

ABANDONED_SECONDS = 24 * 3600
"""Age after which the process that wrote a file has died; no upload takes that long."""


def use_upload_tempdir(folder: Path) -> None:
    """Make this the folder of temporary files of the process; Django has no setting for request bodies alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.iterdir():
        with suppress(FileNotFoundError):  # another process is starting, too
            if clock.now().timestamp() - left.stat().st_mtime > ABANDONED_SECONDS:
                left.unlink()
    tempfile.tempdir = str(folder)
