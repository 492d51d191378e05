"""The input of the alarm evaluation, loaded in a fixed number of queries for any type of managed object."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Q

from vnfm.faults.domain.alarm_changes import (
    AlarmChanges,
    EvaluationContext,
    OpenAlarm,
    Suppression,
    SuppressionScope,
    alarm_changes,
)
from vnfm.faults.domain.evaluate_instance import DRIFT
from vnfm.faults.domain.evaluation_result import EvaluationResult, FaultKey, ManagedObject, ObjectType, earliest
from vnfm.faults.models import OPEN, Alarm, MaintenanceWindow
from vnfm.faults.selectors import AlarmPolicies, alarm_policies

EACH_POLL = datetime(1970, 1, 1, tzinfo=UTC)
"""Due at every poll: the alarms depend on what leaves no trace on the object, such as the end of an operation."""

_CLEARED_ROOT = FaultKey("", "its root cause is cleared")
"""Equals no fault, so that an alarm whose root cause is cleared differs from its evaluation."""

NO_SCOPE = SuppressionScope()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A managed object and the result of its evaluation."""

    object_type: ObjectType
    object_id: UUID
    name: str
    version: int
    """The object's version when it was evaluated."""
    result: EvaluationResult
    vim_id: UUID | None = None
    operation_id: UUID | None = None
    """The LCM operation behind `scope`."""
    scope: SuppressionScope = NO_SCOPE
    covered_by: tuple[UUID, ...] = ()
    """Other objects whose maintenance windows cover this one."""


@dataclass(slots=True)
class ObjectAlarms:
    """An evaluation with the alarms on record of its object."""

    evaluation: Evaluation
    context: EvaluationContext
    window: MaintenanceWindow | None
    open_alarms: dict[FaultKey, Alarm]
    dismissed: dict[FaultKey, Alarm]
    external: Mapping[FaultKey, Alarm]
    policies: AlarmPolicies
    recorded: dict[FaultKey, OpenAlarm] = field(default_factory=dict)

    def changes(self, now: datetime) -> AlarmChanges:
        return alarm_changes(self.recorded, self.evaluation.result, now, self.context)

    def due_at(self, changes: AlarmChanges) -> datetime | None:
        """When to evaluate the object again even if it does not change; None: never."""
        if any(alarm.suppression == Suppression.OPERATION for alarm in self.open_alarms.values()):
            return EACH_POLL
        if self.evaluation.object_type is ObjectType.VNF_INSTANCE and (
            self.evaluation.result.undecided or any(key.fault_type == DRIFT for key in self.open_alarms)
        ):
            return EACH_POLL
        in_window = self.window is not None and any(
            alarm.suppression == Suppression.MAINTENANCE for alarm in self.open_alarms.values()
        )
        return earliest(changes.due_at, self.window.ends_at if in_window and self.window is not None else None)

    def root(self, key: FaultKey | None) -> Alarm | None:
        """The open alarm of a root cause, of this object or another."""
        if key is None:
            return None
        return self.open_alarms.get(key) if key.owner is None else self.external.get(key)


def load_object_alarms(evaluations: Sequence[Evaluation], now: datetime) -> list[ObjectAlarms]:
    """In the order of the evaluations."""
    own, dismissed = _alarms([item.object_id for item in evaluations])
    external = _external_roots(evaluations)
    windows = _windows({each for item in evaluations for each in (item.object_id, *item.covered_by)}, now)
    policies = alarm_policies()
    found = []
    for item in evaluations:
        window = next((windows[each] for each in (item.object_id, *item.covered_by) if each in windows), None)
        of_object = item.object_type, item.object_id
        context = EvaluationContext(
            scope=SuppressionScope(item.scope.everything, item.scope.stack, maintenance=window is not None),
            policy_of=policies.of,
            external=external.keys(),
            dismissed={key: tuple(alarm.fault_details) for key, alarm in dismissed[of_object].items()},
        )
        recorded = {key: _as_open(alarm, item) for key, alarm in own[of_object].items()}
        found.append(
            ObjectAlarms(item, context, window, own[of_object], dismissed[of_object], external, policies, recorded)
        )
    return found


_AlarmsByObject = dict[tuple[str, UUID], dict[FaultKey, Alarm]]


def _alarms(ids: Collection[UUID]) -> tuple[_AlarmsByObject, _AlarmsByObject]:
    """The open alarms of these objects, and the dismissed ones."""
    open_ones: _AlarmsByObject = defaultdict(dict)
    dismissed: _AlarmsByObject = defaultdict(dict)
    rows = Alarm.objects.filter(Q(OPEN) | Q(dismissed=True), managed_object_id__in=ids)
    for row in rows.select_related("root_cause").order_by("raised_at"):
        found = dismissed if row.dismissed else open_ones
        found[row.managed_object_type, row.managed_object_id][FaultKey(row.faulty_resource, row.fault_type)] = row
    return open_ones, dismissed


def _external_roots(evaluations: Sequence[Evaluation]) -> dict[FaultKey, Alarm]:
    """Open alarms of other objects that may be root causes here."""
    keys = {key for item in evaluations for fault in item.result.faults for key in fault.roots if key.owner is not None}
    owners = {UUID(key.owner.object_id) for key in keys if key.owner is not None}
    if not owners:
        return {}
    types = {key.fault_type for key in keys}
    rows = Alarm.objects.filter(managed_object_id__in=owners, fault_type__in=types, cleared_at__isnull=True)
    found = {external_key(row): row for row in rows}
    return {key: row for key, row in found.items() if key in keys}


def external_key(alarm: Alarm) -> FaultKey:
    """The key by which other objects refer to the alarm's fault."""
    owner = ManagedObject(ObjectType(alarm.managed_object_type), str(alarm.managed_object_id))
    return FaultKey(alarm.faulty_resource, alarm.fault_type, owner)


def _windows(ids: Collection[UUID], now: datetime) -> dict[UUID, MaintenanceWindow]:
    """The window that is open for each object; of several the one that ends last."""
    rows = MaintenanceWindow.objects.filter(Q(starts_at__lte=now, ends_at__gt=now), managed_object_id__in=ids)
    return {row.managed_object_id: row for row in rows.order_by("ends_at")}


def _as_open(alarm: Alarm, evaluation: Evaluation) -> OpenAlarm:
    return OpenAlarm(
        severity=alarm.evaluated_severity,
        details=tuple(alarm.fault_details),
        vnfc_ids=tuple(alarm.vnfc_ids),
        root=_root_key(alarm, evaluation),
        suppression=Suppression(alarm.suppression),
        detected_at=alarm.raised_at,
    )


def _root_key(alarm: Alarm, evaluation: Evaluation) -> FaultKey | None:
    root = alarm.root_cause
    if root is None:
        return None
    if root.cleared_at is not None:
        return _CLEARED_ROOT
    own = (root.managed_object_type, root.managed_object_id) == (evaluation.object_type, evaluation.object_id)
    return FaultKey(root.faulty_resource, root.fault_type) if own else external_key(root)
