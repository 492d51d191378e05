"""Scheduled backups: the time of the next one, the ones to keep, and the result of the last attempt.

The files in the folder are the only record, so that a restart of a process changes nothing. `status.json` beside them
has the result of the last attempt; the product's alarm ManagerBackupFailed reads both.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recovery.installation import write_private

STATUS = "status.json"
_PATTERN = "vnfm-%Y%m%dT%H%M%SZ.backup"


@dataclass(frozen=True, slots=True)
class Status:
    """The result of the last attempt; `error` is "" if it succeeded."""

    at: datetime
    error: str


def file_name(at: datetime) -> str:
    return at.astimezone(UTC).strftime(_PATTERN)


def scheduled_at(name: str) -> datetime | None:
    """Return the start of the scheduled backup with that name; None for other files, which are left alone."""
    try:
        return datetime.strptime(name, _PATTERN).replace(tzinfo=UTC)
    except ValueError:
        return None


def backups(folder: Path) -> dict[Path, datetime]:
    """Return the scheduled backups in the folder with their start times, oldest first."""
    found = {path: at for path in folder.glob("vnfm-*.backup") if (at := scheduled_at(path.name)) is not None}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def next_due(last: datetime | None, status: Status | None, hours: float, now: datetime) -> datetime:
    """Return the time of the next attempt: `hours` after the last backup; a tenth of that after a failure at least."""
    due = now if last is None else last + timedelta(hours=hours)
    if status is not None and status.error:
        due = max(due, status.at + timedelta(hours=hours / 10))
    return due


def surplus(found: Iterable[Path], keep: int) -> list[Path]:
    """Return all but the last `keep` files; `found` is oldest first."""
    files = list(found)
    return files[: max(0, len(files) - keep)]


def read_status(folder: Path) -> Status | None:
    try:
        document = json.loads((folder / STATUS).read_text())
        return Status(datetime.fromisoformat(document["at"]), str(document["error"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_status(folder: Path, status: Status) -> None:
    write_private(folder / STATUS, json.dumps({"at": status.at.isoformat(), "error": status.error}) + "\n")
