"""What an evaluation says of one managed object: its faults, which causes which, and when to ask again."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from vnfm.faults.domain.dictionary import Severity


class ObjectType(StrEnum):
    """What an alarm can be of. SOL003's fault management knows the first alone."""

    VNF_INSTANCE = "VNF_INSTANCE"
    NETWORK_ELEMENT = "NETWORK_ELEMENT"
    VIM = "VIM"


@dataclass(frozen=True, slots=True)
class Owner:
    """A managed object."""

    object_type: ObjectType
    object_id: str


@dataclass(frozen=True, slots=True)
class Key:
    """Identity of a fault within its managed object; the fault type stands for name, event type and probable cause."""

    faulty_resource: str
    fault_type: str
    owner: Owner | None = None
    """Another managed object, where the root cause of a fault lies in it; None in the object's own keys."""


@dataclass(frozen=True, slots=True)
class Fault:
    key: Key
    severity: Severity
    resource_name: str
    details: tuple[str, ...]
    vnfc_ids: tuple[str, ...] = ()
    roots: tuple[Key, ...] = ()
    """Faults that may cause this one, the likeliest first: the first of them that has an open alarm is its root."""

    @property
    def root(self) -> Key | None:
        return self.roots[0] if self.roots else None


@dataclass(frozen=True, slots=True)
class ToldByCloud:
    """An alarm that the cloud's own telemetry has raised, or of which it lacks data."""

    alarm_id: str
    name: str
    state: str
    severity: Severity
    reason: str
    server_id: str = ""

    def fault(self, vnfc_ids: tuple[str, ...] = (), roots: tuple[Key, ...] = ()) -> Fault:
        """The alarm as one of ours."""
        details = tuple(filter(None, (f"state={self.state}", self.reason)))
        label = self.name or self.alarm_id
        return Fault(Key(self.alarm_id, "CloudAlarm"), self.severity, label, details, vnfc_ids, roots)


@dataclass(frozen=True, slots=True)
class Verdict:
    faults: tuple[Fault, ...]
    blind: Key | None = None
    """The fault that keeps us from seeing the rest: what was open stays open under it, nothing else is concluded."""
    undecided: frozenset[str] = frozenset()
    """Fault types of which nothing can be said now: what was open stays as it is."""
    again_at: datetime | None = None
    """When time alone may change the verdict; None: never."""


def earliest(*times: datetime | None) -> datetime | None:
    """The first of those that there are."""
    return min((at for at in times if at is not None), default=None)
