"""When a scheduled backup is due, and which are kept."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from recovery.schedule import STATUS, Status, backups, file_name, next_due, read_status, surplus, write_status

NOW = datetime(2026, 11, 25, 14, 2, tzinfo=UTC)


def test_due_at_once_then_by_the_hours_and_after_a_failure_sooner_but_not_at_once() -> None:
    hour = timedelta(hours=1)
    assert next_due(None, None, 24, NOW) == NOW
    assert next_due(NOW - hour, Status(NOW, ""), 24, NOW) == NOW + 23 * hour
    assert next_due(NOW - 30 * hour, Status(NOW, "No room."), 24, NOW) == NOW + 2.4 * hour
    assert next_due(None, Status(NOW, "No room."), 24, NOW) == NOW + 2.4 * hour


def test_the_last_ones_stay_and_other_files_are_left_alone(tmp_path: Path) -> None:
    times = [NOW + timedelta(days=day) for day in (3, 1, 2)]
    for at in times:
        (tmp_path / file_name(at)).touch()
    for name in ("by-hand.backup", "vnfm-2026.backup", STATUS):
        (tmp_path / name).touch()
    found = backups(tmp_path)
    assert list(found.values()) == sorted(times)
    assert surplus(found, 2) == [tmp_path / file_name(min(times))]
    assert surplus(found, 5) == []


def test_the_last_attempt_is_read_back_and_junk_is_none(tmp_path: Path) -> None:
    assert read_status(tmp_path) is None
    write_status(tmp_path, Status(NOW, "No room."))
    assert read_status(tmp_path) == Status(NOW, "No room.")
    (tmp_path / STATUS).write_text("{")
    assert read_status(tmp_path) is None
