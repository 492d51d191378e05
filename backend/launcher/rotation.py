"""Rotation of log files, and a limit for their total size."""

import os
import shutil
from pathlib import Path

LARGEST_BYTES = 10_000_000
GENERATIONS = 3
FLOOD = 3
"""If a log grows beyond this multiple of the largest size between two checks, only its end is kept."""
DEFAULT_QUOTA = "600000000"


def rotate(log: Path, *, largest: int = LARGEST_BYTES, generations: int = GENERATIONS) -> bool:
    """Move a large log's text to log.1 (and log.1 to log.2 ...), then empty it; return True if it was large.

    The text is copied and the file emptied, because the service has it open for appending; a few lines that it writes
    in between may be lost.
    """
    try:
        if log.stat().st_size <= largest:
            return False
    except FileNotFoundError:
        return False
    for number in range(generations - 1, 0, -1):
        older = log.with_name(f"{log.name}.{number}")
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number + 1}"))
    copy = os.open(log.with_name(f"{log.name}.1"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with log.open("rb") as source, os.fdopen(copy, "wb") as target:
        os.fchmod(copy, 0o600)
        source.seek(max(0, log.stat().st_size - FLOOD * largest))
        shutil.copyfileobj(source, target)
    os.truncate(log, 0)
    return True


def quota(folder: Path) -> int:
    """Return the limit of the logs in bytes: VNFM_LOGS_QUOTA, which may be a share of the file system, such as 1%."""
    text = os.environ.get("VNFM_LOGS_QUOTA", "").strip() or DEFAULT_QUOTA
    if text.endswith("%"):
        return int(shutil.disk_usage(folder).total * float(text[:-1]) / 100)
    return int(text)


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.log*"))


def bound(folder: Path, most: int) -> list[str]:
    """Remove the oldest rotated logs, then empty the largest logs, until all take at most `most` bytes.

    Returns the names of these files.
    """
    gone = []
    left = size(folder)
    rotated = sorted(folder.glob("*.log.*"), key=lambda file: file.stat().st_mtime)
    present = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_size, reverse=True)
    for file in (*rotated, *present):
        if left <= most:
            break
        left -= file.stat().st_size
        gone.append(file.name)
        if file in present:
            os.truncate(file, 0)
        else:
            file.unlink()
    return gone
