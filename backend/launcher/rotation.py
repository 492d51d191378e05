"""Log files that do not grow for ever."""

import os
import shutil
from pathlib import Path

LARGEST_BYTES = 10_000_000
GENERATIONS = 3


def rotate(log: Path, *, largest: int = LARGEST_BYTES, generations: int = GENERATIONS) -> bool:
    """Move a large log's text to log.1 (and log.1 to log.2 ...), then empty it; True when that was due.

    The text is copied and the file emptied, because the service keeps it open for appending; what it writes in
    between, a few lines at most, is lost.
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
        shutil.copyfileobj(source, target)
    os.truncate(log, 0)
    return True
