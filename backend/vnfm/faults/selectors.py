"""Reading alarms. One that something explains away is recorded, and shown to those who ask for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    ExpressionWrapper,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.policy import Policy
from vnfm.faults.domain.verdict import ObjectType
from vnfm.faults.models import OPEN, TOLD, Alarm, AlarmPolicy, AlarmTally, MaintenanceWindow
from vnfm.kit.problem import not_found

Which = Literal["current", "historical", "merged"]
WHICH: dict[Which, Q] = {"current": OPEN, "historical": ~OPEN, "merged": Q()}
"""Alarms that are there; those that are over; both."""


def vnf_alarm_list() -> QuerySet[Alarm]:
    """Alarms of VNF instances as SOL003 shows them, each with the open ones that it causes as `correlated_open`."""
    ours = Alarm.objects.filter(TOLD, managed_object_type=ObjectType.VNF_INSTANCE)
    open_ones = ours.filter(OPEN).only("id", "root_cause_id")
    return ours.prefetch_related(Prefetch("correlated", queryset=open_ones, to_attr="correlated_open"))


def vnf_alarm_get(*, alarm_id: UUID) -> Alarm:
    """Raises a 404 problem when there is none that SOL003 shows."""
    alarm = vnf_alarm_list().filter(id=alarm_id).first()
    if alarm is None:
        raise not_found("alarm", alarm_id)
    return alarm


def alarm_list(*, which: Which = "current", silent: bool = False) -> QuerySet[Alarm]:
    """Alarms of all objects, each with `caused`, the number of open alarms that it causes; with `silent` also those
    that something explains away.
    """
    caused = Alarm.objects.filter(OPEN, TOLD, root_cause=OuterRef("pk")).order_by()
    counted = Subquery(caused.values("root_cause").annotate(number=Count("id")).values("number"))
    rows = Alarm.objects.filter(WHICH[which]) if silent else Alarm.objects.filter(WHICH[which], TOLD)
    return rows.defer("words").annotate(caused=Coalesce(counted, 0))


def alarm_get(*, alarm_id: UUID) -> Alarm:
    """Raises a 404 problem when there is none."""
    alarm = alarm_list(which="merged", silent=True).filter(id=alarm_id).first()
    if alarm is None:
        raise not_found("alarm", alarm_id)
    return alarm


def alarm_summary(*, object_type: str | None = None) -> dict[str, int]:
    """Number of open alarms by severity, every severity named; read from running sums, so it costs nothing."""
    rows = AlarmTally.objects.filter(**({} if object_type is None else {"managed_object_type": object_type}))
    counted = dict(rows.values_list("severity").annotate(Sum("step")))
    return {severity.value: counted.get(severity.value, 0) for severity in Severity}


def alarms_by_object(*, object_type: str | None = None, ids: Sequence[UUID] | None = None) -> list[dict[str, Any]]:
    """Open alarms by object, for those that have any: the object's type and id, and the number by severity."""
    rows = Alarm.objects.filter(OPEN, TOLD)
    if object_type is not None:
        rows = rows.filter(managed_object_type=object_type)
    if ids is not None:
        rows = rows.filter(managed_object_id__in=ids)
    numbers = {each.value: Count("id", filter=Q(perceived_severity=each.value)) for each in Severity}
    counted: QuerySet[Any] = rows.order_by().values("managed_object_type", "managed_object_id").annotate(**numbers)
    return list(counted)


_AGES = timedelta(days=100_000)
"""Longer than alarms are told apart by time."""

WEIGHT = ExpressionWrapper(
    F("raised_at")
    - Case(
        *(When(perceived_severity=each.value, then=Value(rank * _AGES)) for rank, each in enumerate(Severity)),
        default=Value(len(Severity) * _AGES),
    ),
    output_field=DateTimeField(),
)
"""The more severe the greater, and of one severity the later: one value, as keyset paging needs it."""


@dataclass(frozen=True, slots=True)
class Policies:
    """All policies, read once for many alarms."""

    general: Policy
    special: Mapping[str, Policy]

    def of(self, fault_type: str) -> Policy:
        """The one to apply to alarms of that fault type."""
        return self.special.get(fault_type, self.general)


def policies() -> Policies:
    rows = {row.fault_type: _as_policy(row) for row in AlarmPolicy.objects.all()}
    general = rows.pop("", Policy())
    return Policies(general, {fault_type: policy.over(general) for fault_type, policy in rows.items()})


def policy_list() -> QuerySet[AlarmPolicy]:
    return AlarmPolicy.objects.order_by("fault_type")


def policy_get(*, policy_id: UUID) -> AlarmPolicy:
    """Raises a 404 problem when there is none."""
    policy = AlarmPolicy.objects.filter(id=policy_id).first()
    if policy is None:
        raise not_found("alarm policy", policy_id)
    return policy


def window_list() -> QuerySet[MaintenanceWindow]:
    return MaintenanceWindow.objects.order_by(F("starts_at").desc(), "-id")


def window_get(*, window_id: UUID) -> MaintenanceWindow:
    """Raises a 404 problem when there is none."""
    window = MaintenanceWindow.objects.filter(id=window_id).first()
    if window is None:
        raise not_found("maintenance window", window_id)
    return window


def _as_policy(row: AlarmPolicy) -> Policy:
    return Policy(
        initial_severity=Severity(row.initial_severity) if row.initial_severity else None,
        escalate_after=_minutes(row.escalate_after_minutes),
        escalate_occurrences=row.escalate_occurrences,
        deescalate_after=_minutes(row.deescalate_after_minutes),
        debounce=None if row.debounce_seconds is None else timedelta(seconds=row.debounce_seconds),
        auto_ack_on_clear=row.auto_ack_on_clear,
        keep_cleared=None if row.keep_cleared_days is None else timedelta(days=row.keep_cleared_days),
    )


def _minutes(number: int | None) -> timedelta | None:
    return None if number is None else timedelta(minutes=number)
