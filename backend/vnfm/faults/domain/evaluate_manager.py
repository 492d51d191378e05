"""Faults of the VNF manager itself, from its processes, disks, backups and machines' clocks. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from vnfm.faults.domain.evaluation_result import EvaluationResult, Fault, FaultKey
from vnfm.faults.domain.fault_type import Severity

CLOCK_LIMIT_SECONDS = 10.0
"""More than a heartbeat takes to the database on a busy machine; with NTP clocks differ by milliseconds."""


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
    """The error of the last attempt; "" when it succeeded, or there was none yet."""
    late: bool
    """The newest is older than it may be."""


def evaluate_manager(
    processes: Iterable[ObservedProcess],
    disks: Iterable[ObservedDisk],
    *,
    silent_after: float,
    backups: ObservedBackups | None = None,
    clocks: Mapping[str, float] = MappingProxyType({}),
) -> EvaluationResult:
    """The faults; their details do not change while they last. `backups` None: none are scheduled.

    `clocks`: seconds by which the clocks of our machines are ahead of the database's, by machine.
    """
    faults = (*_silent(processes, silent_after), *_low(disks), *_not_backed_up(backups), *_wrong_clocks(clocks))
    return EvaluationResult(faults)


def _wrong_clocks(clocks: Mapping[str, float]) -> Iterator[Fault]:
    for host, ahead in clocks.items():
        if abs(ahead) > CLOCK_LIMIT_SECONDS:
            details = (f"host={host}", f"{'ahead of' if ahead > 0 else 'behind'} the clock of the database")
            yield Fault(
                FaultKey(f"clock of {host}", "ManagerClockDiffers"), Severity.MAJOR, f"clock of {host}", details
            )


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
