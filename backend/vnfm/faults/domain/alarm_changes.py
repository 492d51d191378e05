"""The changes that bring the open alarms of one managed object in line with its evaluation. Pure."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.evaluation_result import EvaluationResult, Fault, FaultKey, earliest
from vnfm.faults.domain.policy import AlarmTimeline, PolicySettings, apply_policy
from vnfm.faults.domain.root_cause import root_cause

UNKNOWN_TIME = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for the time of detection where none is needed."""

VIM_LOST = frozenset({"VimUnreachable", "VimAuthFailed"})
UNEXPLAINED = VIM_LOST | {"StackStalled"}
"""Faults that an LCM operation under way does not explain."""
UNOBSERVABLE = VIM_LOST | {"NodeUnreachable", "NotManaged", "Suspended"}
"""Faults that hide all others of their object. They are known even then, and replace each other."""


class Suppression(StrEnum):
    """Why an alarm is recorded but not published."""

    NONE = ""
    OPERATION = "OPERATION"
    """An LCM operation explains it."""
    MAINTENANCE = "MAINTENANCE"
    """A maintenance window covers it."""
    DEBOUNCE = "DEBOUNCE"
    """It has not lasted long enough yet."""


@dataclass(frozen=True, slots=True)
class OpenAlarm:
    """The part that an evaluation may change of an alarm that is not cleared."""

    severity: str
    """By the dictionary's rule, before any policy."""
    details: tuple[str, ...]
    vnfc_ids: tuple[str, ...]
    root: FaultKey | None
    suppression: Suppression = Suppression.NONE
    detected_at: datetime = field(default=UNKNOWN_TIME, compare=False)


@dataclass(frozen=True, slots=True)
class SuppressionScope:
    """The faults of an object that an LCM operation or a maintenance window explains: these are not published."""

    everything: bool = False
    """An operation is changing the instance."""
    stack: bool = False
    """Only StackFailed: the failed operation reports it."""
    maintenance: bool = False

    def suppression_of(self, key: FaultKey) -> Suppression:
        if self.maintenance:
            return Suppression.MAINTENANCE
        if key.fault_type not in UNEXPLAINED and (self.everything or (self.stack and key.fault_type == "StackFailed")):
            return Suppression.OPERATION
        return Suppression.NONE


@dataclass(frozen=True, slots=True)
class EvaluationContext:
    """The alarms of one object depend on this besides its evaluation."""

    scope: SuppressionScope = SuppressionScope()
    policy_of: Callable[[str], PolicySettings] = lambda _: PolicySettings()
    """The policy of a fault type."""
    external: Collection[FaultKey] = frozenset()
    """Faults of other objects that have an open alarm and may be root causes."""
    dismissed: Mapping[FaultKey, tuple[str, ...]] = field(default_factory=dict)
    """Faults cleared by hand, with their details then: they stay cleared while the details stay the same."""


@dataclass(frozen=True, slots=True)
class AlarmChange:
    """Bring the alarm of `key` to `after`; `raises` when that publishes it for the first time."""

    key: FaultKey
    after: OpenAlarm
    resource_name: str
    raises: bool


@dataclass(frozen=True, slots=True)
class AlarmChanges:
    put: tuple[AlarmChange, ...]
    clear: tuple[FaultKey, ...]
    reroot: Mapping[FaultKey, FaultKey | None]
    """Alarms of which only the root cause changes."""
    release: tuple[FaultKey, ...] = ()
    """Dismissed faults that are gone: when they come back they are raised again."""
    due_at: datetime | None = field(default=None, compare=False)
    """When time alone may change something; None: never."""

    def __bool__(self) -> bool:
        return bool(self.put or self.clear or self.reroot or self.release)


def alarm_changes(
    open_alarms: Mapping[FaultKey, OpenAlarm],
    result: EvaluationResult,
    now: datetime,
    context: EvaluationContext | None = None,
) -> AlarmChanges:
    """The difference between the alarms on record and the evaluation; empty once it has been applied.

    An operation or a window that begins does not suppress an alarm that is published already. An alarm that the
    evaluation does not decide stays as it is, and may be a root cause; it only loses a root cause that is gone.
    """
    context = context or EvaluationContext()
    found = {fault.key: fault for fault in result.faults if context.dismissed.get(fault.key) != fault.details}
    kept = {key: alarm for key, alarm in open_alarms.items() if key not in found and not result.decides(key)}
    present = found.keys() | kept.keys()
    put, due = [], [result.due_at]
    for key, fault in found.items():
        before = open_alarms.get(key)
        after, due_at = _target_alarm(fault, before, present, context, now)
        due.append(due_at)
        if before != after:
            raises = not after.suppression and (before is None or bool(before.suppression))
            put.append(AlarmChange(key, after, fault.resource_name, raises))
    observed = {fault.key for fault in result.faults}
    release = (
        ()
        if result.unobservable
        else tuple(key for key in context.dismissed if key not in observed and result.decides(key))
    )
    reroot: dict[FaultKey, FaultKey | None] = {
        key: None for key, alarm in kept.items() if alarm.root is not None and _is_gone(alarm.root, present)
    }
    others = [key for key in open_alarms if key not in present]
    root = result.unobservable
    if root is None:
        return AlarmChanges(tuple(put), tuple(others), reroot, release, earliest(*due))
    hidden = {key: root for key in others if key.fault_type not in UNOBSERVABLE and open_alarms[key].root != root}
    gone = tuple(key for key in others if key.fault_type in UNOBSERVABLE)
    return AlarmChanges(tuple(put), gone, reroot | hidden, release, earliest(*due))


def _is_gone(root: FaultKey, present: Collection[FaultKey]) -> bool:
    """Return whether a root cause among the object's own alarms is not open any more."""
    return root.owner is None and root not in present


def _target_alarm(
    fault: Fault, before: OpenAlarm | None, found: Collection[FaultKey], context: EvaluationContext, now: datetime
) -> tuple[OpenAlarm, datetime | None]:
    """The alarm that a fault is to have, and when time alone may change it."""
    published = before is not None and not before.suppression
    detected_at = before.detected_at if before is not None else now
    suppression, due_at = context.scope.suppression_of(fault.key), None
    if not published and not suppression:
        timeline = AlarmTimeline(evaluated=Severity(fault.severity), detected_at=detected_at)
        outcome = apply_policy(context.policy_of(fault.key.fault_type), timeline, now)
        suppression = Suppression.DEBOUNCE if outcome.debounced else Suppression.NONE
        due_at = outcome.due_at if outcome.debounced else None
    after = OpenAlarm(
        severity=fault.severity,
        details=fault.details,
        vnfc_ids=fault.vnfc_ids,
        root=root_cause(fault, found, context.external),
        suppression=Suppression.NONE if published else suppression,
        detected_at=detected_at,
    )
    return after, due_at
