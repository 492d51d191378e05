"""Reading alarms. One that something explains away is recorded, and shown to those who ask for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from django.db import connection
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

from vnfm.elements.models import NetworkElement, Site
from vnfm.elements.selectors import CURRENT_REACHABILITY
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
    rows = AlarmTally.objects.all()
    if object_type is not None:
        rows = rows.filter(managed_object_type=object_type)
    if ids is not None:
        rows = rows.filter(managed_object_id__in=ids)
    counted: QuerySet[Any] = (
        rows.values("managed_object_type", "managed_object_id")
        .annotate(open=Sum("step"), **_STEPS)
        .filter(open__gt=0)
        .values("managed_object_type", "managed_object_id", *_STEPS)
    )
    return list(counted)


def alarms_by_part(*, object_id: UUID) -> list[dict[str, Any]]:
    """Open alarms of one object by faulty resource ("": the object itself), for those that have any."""
    rows = Alarm.objects.filter(OPEN, TOLD, managed_object_id=object_id)
    counted: QuerySet[Any] = rows.order_by().values("faulty_resource").annotate(**_NUMBERS).order_by("faulty_resource")
    return list(counted)


def alarms_by_site(*, sites: Sequence[Site], homeless: bool) -> list[dict[str, Any]]:
    """Of each site how many elements it has, how many of them do not answer or are not known to, and the number of
    their open alarms by severity; in a fixed number of queries.

    With `homeless` a row before them for the elements that belong to no site, if there are any.
    """
    ids = [site.id for site in sites]
    there = Q(site_id__in=ids) | Q(site_id__isnull=True) if homeless else Q(site_id__in=ids)
    elements: QuerySet[Any] = (
        NetworkElement.objects.filter(there)
        .alias(shown=CURRENT_REACHABILITY)
        .values("site_id")
        .annotate(
            elements=Count("id"),
            unreachable=Count("id", filter=Q(shown="False")),
            unknown=Count("id", filter=Q(shown="Unknown")),
        )
    )
    found: dict[UUID | None, dict[str, int]] = {row.pop("site_id"): row for row in elements}
    alarms: dict[UUID | None, dict[str, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_BY_SITE, [ids, homeless])
        for site_id, severity, number in cursor.fetchall():
            alarms.setdefault(site_id, {})[severity] = number
    named: list[tuple[UUID | None, str]] = [(site.id, site.name) for site in sites]
    none = {"elements": 0, "unreachable": 0, "unknown": 0} | {each.value: 0 for each in Severity}
    return [
        {"site_id": site_id, "site_name": name} | none | found.get(site_id, {}) | alarms.get(site_id, {})
        for site_id, name in ([(None, "")] if None in found else []) + named
    ]


_NUMBERS = {each.value: Count("id", filter=Q(perceived_severity=each.value)) for each in Severity}
_STEPS = {each.value: Coalesce(Sum("step", filter=Q(severity=each.value)), 0) for each in Severity}

_BY_SITE = """
SELECT element.site_id, tally.severity, sum(tally.step)
FROM faults_alarmtally AS tally JOIN elements_networkelement AS element ON element.id = tally.managed_object_id
WHERE element.site_id = ANY(%s) OR %s AND element.site_id IS NULL
GROUP BY 1, 2
"""
"""An alarm's object may be of several kinds, so no relation leads from it to its element."""


def at_site(rows: QuerySet[Alarm], site_id: UUID | None) -> QuerySet[Alarm]:
    """Those of the network elements of a site; None: of those that belong to none."""
    there = Q(site_id__isnull=True) if site_id is None else Q(site_id=site_id)
    elements = NetworkElement.objects.filter(there)
    return rows.filter(managed_object_id__in=elements.values("id"))


def of_part(rows: QuerySet[Alarm], fdn: str) -> QuerySet[Alarm]:
    """Those of a part of an element and of all that is in it: an FDN begins with that of what contains it."""
    return rows.filter(Q(faulty_resource=fdn) | Q(faulty_resource__startswith=f"{fdn}:"))


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
