"""Where bodies of requests lie while they come in: beside the artifacts, on a disk; /tmp may well be memory."""

import tempfile
from contextlib import suppress
from pathlib import Path

from vnfm.kit import clock

ABANDONED_AFTER = 24 * 3600
"""Seconds after which a file was left by a process that died; no upload takes that long."""


def spool_in(folder: Path) -> None:
    """Have this process keep its temporary files there; Django asks nobody where to lay a body aside."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.iterdir():
        with suppress(FileNotFoundError):  # another process is starting, too
            if clock.now().timestamp() - left.stat().st_mtime > ABANDONED_AFTER:
                left.unlink()
    tempfile.tempdir = str(folder)
