"""What must be done to the open alarms of one managed object so that they say what was evaluated. Pure."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.policy import Course, Policy, rule
from vnfm.faults.domain.verdict import Fault, Key, Verdict, earliest

NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for an unknown time of detection where none is needed."""

VIM_LOST = frozenset({"VimUnreachable", "VimAuthFailed"})
UNSEEN = VIM_LOST | {"NodeUnreachable", "NotManaged", "Suspended"}
"""Faults that keep us from seeing the rest: they are known even then, and one of them replaces the other."""


class Silence(StrEnum):
    """Why an alarm is recorded and nobody is told of it."""

    NONE = ""
    OPERATION = "OPERATION"
    """An operation of ours explains it."""
    MAINTENANCE = "MAINTENANCE"
    """A maintenance window covers it."""
    DEBOUNCE = "DEBOUNCE"
    """It has not lasted long enough yet."""


@dataclass(frozen=True, slots=True)
class OpenAlarm:
    """The parts of an alarm that is not cleared which an evaluation may change."""

    severity: str
    """By the dictionary's rule, before any policy."""
    details: tuple[str, ...]
    vnfc_ids: tuple[str, ...]
    root: Key | None
    silence: Silence = Silence.NONE
    detected_at: datetime = field(default=NEVER, compare=False)


@dataclass(frozen=True, slots=True)
class Explained:
    """Faults that an operation of ours, or a maintenance window, explains: recorded, but told to nobody."""

    everything: bool = False
    """An operation changes the instance."""
    stack: bool = False
    """Only the stack's state: the operation that failed tells of it."""
    maintenance: bool = False

    def silences(self, key: Key) -> Silence:
        if self.maintenance:
            return Silence.MAINTENANCE
        if key.fault_type not in VIM_LOST and (self.everything or (self.stack and key.fault_type == "StackFailed")):
            return Silence.OPERATION
        return Silence.NONE


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What decides, beside the verdict, on the alarms of one object."""

    explained: Explained = Explained()
    policy_of: Callable[[str], Policy] = lambda _: Policy()
    """The policy of a fault type."""
    elsewhere: Collection[Key] = frozenset()
    """Faults of other objects that have an open alarm, and may be root causes."""
    dismissed: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    """Faults that somebody cleared by hand, with their details of then: they stay cleared while they stay so."""


@dataclass(frozen=True, slots=True)
class Change:
    """Bring the alarm of `key` to `after`; `raises` when people hear of it for the first time."""

    key: Key
    after: OpenAlarm
    resource_name: str
    raises: bool


@dataclass(frozen=True, slots=True)
class Changes:
    put: tuple[Change, ...]
    clear: tuple[Key, ...]
    reroot: Mapping[Key, Key | None]
    """Alarms that stay as they are under another root cause."""
    release: tuple[Key, ...] = ()
    """Dismissed faults that are gone: when they come back they are raised again."""
    again_at: datetime | None = field(default=None, compare=False)
    """When time alone may change something; None: never."""

    def __bool__(self) -> bool:
        return bool(self.put or self.clear or self.reroot or self.release)


def changes(
    open_alarms: Mapping[Key, OpenAlarm], verdict: Verdict, now: datetime, given: Circumstances | None = None
) -> Changes:
    """The difference between what is on record and the verdict. Applied, and asked again, it is empty.

    An alarm that people have heard of is not taken back because an operation or a window begins; it goes when its fault
    goes.
    """
    given = given or Circumstances()
    found = {fault.key: fault for fault in verdict.faults if given.dismissed.get(fault.key) != fault.details}
    put, again = [], [verdict.again_at]
    for key, fault in found.items():
        before = open_alarms.get(key)
        after, again_at = _wanted(fault, before, found.keys(), given, now)
        again.append(again_at)
        if before != after:
            raises = not after.silence and (before is None or bool(before.silence))
            put.append(Change(key, after, fault.resource_name, raises))
    there = {fault.key for fault in verdict.faults}
    release = (
        ()
        if verdict.blind
        else tuple(key for key in given.dismissed if key not in there and key.fault_type not in verdict.undecided)
    )
    others = [key for key in open_alarms if key not in found and key.fault_type not in verdict.undecided]
    if verdict.blind is None:
        return Changes(tuple(put), tuple(others), {}, release, earliest(*again))
    reroot: dict[Key, Key | None] = {
        key: verdict.blind for key in others if key.fault_type not in UNSEEN and open_alarms[key].root != verdict.blind
    }
    gone = tuple(key for key in others if key.fault_type in UNSEEN)
    return Changes(tuple(put), gone, reroot, release, earliest(*again))


def _wanted(
    fault: Fault, before: OpenAlarm | None, found: Collection[Key], given: Circumstances, now: datetime
) -> tuple[OpenAlarm, datetime | None]:
    """What the alarm of a fault is to say, and when it may say something else though nothing happens."""
    heard = before is not None and not before.silence
    detected_at = before.detected_at if before is not None else now
    silence, again_at = given.explained.silences(fault.key), None
    if not heard and not silence:
        course = Course(evaluated=Severity(fault.severity), detected_at=detected_at)
        ruling = rule(given.policy_of(fault.key.fault_type), course, now)
        silence = Silence.DEBOUNCE if ruling.held else Silence.NONE
        again_at = ruling.again_at if ruling.held else None
    roots = (key for key in fault.roots if key in (found if key.owner is None else given.elsewhere))
    after = OpenAlarm(
        severity=fault.severity,
        details=fault.details,
        vnfc_ids=fault.vnfc_ids,
        root=next(roots, None),
        silence=Silence.NONE if heard else silence,
        detected_at=detected_at,
    )
    return after, again_at
