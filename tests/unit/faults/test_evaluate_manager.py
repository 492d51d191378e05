"""Faults of the VNF manager itself."""

from datetime import UTC, datetime

import pytest

from vnfm.faults.domain.evaluate_manager import ObservedBackups, ObservedDisk, ObservedProcess, evaluate_manager
from vnfm.faults.domain.fault_type import Severity

AT = datetime(2026, 3, 1, 14, 2, tzinfo=UTC)


def _worker(silent: float, waiting_for: str = "") -> ObservedProcess:
    return ObservedProcess("worker", "nms-1", AT, silent, waiting_for)


def test_a_process_is_silent_after_the_limit() -> None:
    assert evaluate_manager([_worker(30.0)], [], silent_after=30.0).faults == ()
    (fault,) = evaluate_manager([_worker(30.1, "broker")], [], silent_after=30.0).faults
    assert (fault.key.fault_type, fault.key.faulty_resource) == ("ManagerProcessSilent", "worker")
    assert fault.details == ("host=nms-1", "last heartbeat 2026-03-01 14:02:00 UTC", "waiting for broker")


def test_a_fault_stays_the_same_while_it_lasts() -> None:
    one, another = (evaluate_manager([_worker(silent)], [], silent_after=30.0) for silent in (31.0, 3100.0))
    assert one == another


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (10.0, []),
        (-10.0, []),
        (10.1, ["ahead of the clock of the database"]),
        (-3600.0, ["behind the clock of the database"]),
    ],
)
def test_a_clock_differs_beyond_the_limit(ahead: float, words: list[str]) -> None:
    faults = evaluate_manager([], [], silent_after=30.0, clocks={"nms-1": 0.0, "nms-2": ahead}).faults
    assert [fault.key.faulty_resource for fault in faults] == ["clock of nms-2"] * len(words)
    assert [fault.details for fault in faults] == [("host=nms-2", word) for word in words]


@pytest.mark.parametrize(
    ("low", "critical", "severities"),
    [(False, False, []), (True, False, [Severity.MAJOR]), (True, True, [Severity.CRITICAL])],
)
def test_a_disk_has_two_levels(low: bool, critical: bool, severities: list[Severity]) -> None:
    faults = evaluate_manager([], [ObservedDisk("database", low, critical)], silent_after=30.0).faults
    assert [fault.severity for fault in faults] == severities


def test_backups_that_fail_or_are_late_are_a_fault() -> None:
    at = datetime(2026, 11, 25, 14, 2, tzinfo=UTC)

    def faults(backups: ObservedBackups | None) -> list[tuple[str, ...]]:
        return [fault.details for fault in evaluate_manager([], [], silent_after=30, backups=backups).faults]

    assert faults(None) == faults(ObservedBackups(at, "", late=False)) == []
    assert faults(ObservedBackups(at, "No room.", late=False)) == [("newest backup 2026-11-25 14:02 UTC", "No room.")]
    assert faults(ObservedBackups(None, "", late=True)) == [("newest backup none",)]
