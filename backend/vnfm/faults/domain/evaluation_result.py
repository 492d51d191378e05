"""The result of evaluating one managed object: its faults, their root causes, and when to evaluate it again."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from vnfm.faults.domain.dictionary import Severity


class ObjectType(StrEnum):
    """Types of managed objects. SOL003's fault management knows only the first."""

    VNF_INSTANCE = "VNF_INSTANCE"
    NETWORK_ELEMENT = "NETWORK_ELEMENT"
    VIM = "VIM"
    MANAGER = "MANAGER"
    """The VNF manager itself: its processes and disks."""


@dataclass(frozen=True, slots=True)
class ManagedObject:
    object_type: ObjectType
    object_id: str


@dataclass(frozen=True, slots=True)
class FaultKey:
    """Identity of a fault within its managed object; the fault type stands for name, event type and probable cause."""

    faulty_resource: str
    fault_type: str
    owner: ManagedObject | None = None
    """The managed object of a root cause in another object; None in the object's own keys."""


@dataclass(frozen=True, slots=True)
class Fault:
    key: FaultKey
    severity: Severity
    resource_name: str
    details: tuple[str, ...]
    vnfc_ids: tuple[str, ...] = ()
    roots: tuple[FaultKey, ...] = ()
    """Faults that may cause this one, the likeliest first: the first of them with an open alarm is its root cause."""

    @property
    def root(self) -> FaultKey | None:
        return self.roots[0] if self.roots else None


@dataclass(frozen=True, slots=True)
class ObservedCloudAlarm:
    """An alarm of the cloud's own telemetry (Aodh, Ceilometer) that is raised or lacks data."""

    alarm_id: str
    name: str
    state: str
    severity: Severity
    reason: str
    server_id: str = ""

    def fault(self, vnfc_ids: tuple[str, ...] = (), roots: tuple[FaultKey, ...] = ()) -> Fault:
        details = tuple(filter(None, (f"state={self.state}", self.reason)))
        label = self.name or self.alarm_id
        return Fault(FaultKey(self.alarm_id, "CloudAlarm"), self.severity, label, details, vnfc_ids, roots)


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    faults: tuple[Fault, ...]
    unobservable: FaultKey | None = None
    """The fault that hides all others: open alarms stay open with it as their root cause."""
    undecided: frozenset[str] = frozenset()
    """Fault types that cannot be evaluated now: their open alarms stay as they are."""
    undecided_keys: frozenset[FaultKey] = frozenset()
    """Single faults that cannot be evaluated now: the state of their resource is not known."""
    due_at: datetime | None = None
    """When time alone may change the result; None: never."""

    def decides(self, key: FaultKey) -> bool:
        """Return whether a fault that is not found is gone; otherwise its open alarm stays as it is."""
        return key.fault_type not in self.undecided and key not in self.undecided_keys


def earliest(*times: datetime | None) -> datetime | None:
    """The earliest of the times that are not None."""
    return min((at for at in times if at is not None), default=None)
