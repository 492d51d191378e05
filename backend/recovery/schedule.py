"""Scheduled backups: when one is due, which are kept, and what the last attempt came to.

The files in the folder are the record: no clock of a process, no row in a database. `status.json` beside them says how
the last attempt ended; the product's alarm ManagerBackupFailed reads both.
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
    """How the last attempt ended; `error` is "" when it succeeded."""

    at: datetime
    error: str


def file_name(at: datetime) -> str:
    return at.astimezone(UTC).strftime(_PATTERN)


def scheduled_at(name: str) -> datetime | None:
    """When a scheduled backup of that name was begun; None for other files, which are left alone."""
    try:
        return datetime.strptime(name, _PATTERN).replace(tzinfo=UTC)
    except ValueError:
        return None


def backups(folder: Path) -> dict[Path, datetime]:
    """The scheduled backups there, oldest first."""
    found = {path: at for path in folder.glob("vnfm-*.backup") if (at := scheduled_at(path.name)) is not None}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def next_due(last: datetime | None, status: Status | None, hours: float, now: datetime) -> datetime:
    """When the next attempt is due: `hours` after the last backup, after a failure no sooner than a tenth of that."""
    due = now if last is None else last + timedelta(hours=hours)
    if status is not None and status.error:
        due = max(due, status.at + timedelta(hours=hours / 10))
    return due


def surplus(found: Iterable[Path], keep: int) -> list[Path]:
    """Those beyond the last `keep`; `found` is oldest first."""
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
