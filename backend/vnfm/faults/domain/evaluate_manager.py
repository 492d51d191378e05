"""Faults of the VNF manager itself, from the heartbeats of its processes and the space on its disks. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from vnfm.faults.domain.evaluation_result import EvaluationResult, Fault, FaultKey
from vnfm.faults.domain.fault_type import Severity


@dataclass(frozen=True, slots=True)
class ObservedProcess:
    """The latest heartbeat of the processes of one name."""

    name: str
    host: str
    beat_at: datetime
    silent_seconds: float
    waiting_for: str = ""


@dataclass(frozen=True, slots=True)
class ObservedDisk:
    """A file system, named by what of ours is on it, or a quota of our files."""

    name: str
    low: bool
    critical: bool


@dataclass(frozen=True, slots=True)
class ObservedBackups:
    """The scheduled backups: `latest_at` None while there is none."""

    latest_at: datetime | None
    error: str
    """Of the last attempt; "" when it succeeded, or there was none yet."""
    late: bool
    """The newest is older than it may be."""


def evaluate_manager(
    processes: Iterable[ObservedProcess],
    disks: Iterable[ObservedDisk],
    *,
    silent_after: float,
    backups: ObservedBackups | None = None,
) -> EvaluationResult:
    """The faults; their details do not change while they last. `backups` None: none are scheduled."""
    return EvaluationResult((*_silent(processes, silent_after), *_low(disks), *_not_backed_up(backups)))


def _not_backed_up(backups: ObservedBackups | None) -> Iterator[Fault]:
    if backups is None or not (backups.error or backups.late):
        return
    newest = f"{backups.latest_at:%Y-%m-%d %H:%M} UTC" if backups.latest_at else "none"
    details = (f"newest backup {newest}", *((backups.error,) if backups.error else ()))
    yield Fault(FaultKey("backups", "ManagerBackupFailed"), Severity.MAJOR, "backups", details)


def _silent(processes: Iterable[ObservedProcess], silent_after: float) -> Iterator[Fault]:
    for process in processes:
        if process.silent_seconds > silent_after:
            waits = (f"waiting for {process.waiting_for}",) if process.waiting_for else ()
            details = (f"host={process.host}", f"last heartbeat {process.beat_at:%Y-%m-%d %H:%M:%S} UTC", *waits)
            yield Fault(FaultKey(process.name, "ManagerProcessSilent"), Severity.CRITICAL, process.name, details)


def _low(disks: Iterable[ObservedDisk]) -> Iterator[Fault]:
    for disk in disks:
        if disk.low or disk.critical:
            severity = Severity.CRITICAL if disk.critical else Severity.MAJOR
            yield Fault(FaultKey(disk.name, "ManagerDiskSpaceLow"), severity, disk.name, ())
