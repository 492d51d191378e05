"""Reading alarms, policies and maintenance windows. Suppressed alarms are listed only on request."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
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
from django.db.models.functions import Coalesce, TruncHour

from vnfm.elements.models import NetworkElement, Site
from vnfm.elements.selectors import CURRENT_REACHABILITY
from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.object_problem import ObjectProblem
from vnfm.faults.domain.policy import PolicySettings
from vnfm.faults.models import OPEN, UNSUPPRESSED, Alarm, AlarmCount, AlarmPolicy, MaintenanceWindow
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import not_found

_PAGE = 200
"""Alarms read at once to find the objects that have them."""

AlarmListName = Literal["current", "historical", "merged"]
ALARM_LISTS: dict[AlarmListName, Q] = {"current": OPEN, "historical": ~OPEN, "merged": Q()}
"""Open alarms; cleared ones; both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmSummary:
    """Number of open alarms by severity."""

    CRITICAL: int
    MAJOR: int
    MINOR: int
    WARNING: int
    INDETERMINATE: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmObjectSummary(AlarmSummary):
    """Number of open alarms of one object, by severity."""

    managed_object_type: ObjectType
    managed_object_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmPartSummary(AlarmSummary):
    """Number of open alarms of one part of an object, by severity."""

    faulty_resource: str
    """Empty: the object itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmSiteSummary(AlarmSummary):
    """Number of open alarms of the network elements of one site, by severity, and their reachability."""

    site_id: UUID | None
    """null: elements without a site."""
    site_name: str
    elements: int
    unreachable: int
    """Elements that do not answer."""
    unknown: int
    """Elements whose reachability is unknown."""


def vnf_alarm_list() -> QuerySet[Alarm]:
    """Alarms of VNF instances, as SOL003 knows them; `correlated_open` of each are the open alarms that it causes.

    `vim_connection` is how the NFVO calls the connection to the cloud; "" when it named none.
    """
    rows = Alarm.objects.filter(UNSUPPRESSED, managed_object_type=ObjectType.VNF_INSTANCE)
    open_ones = rows.filter(OPEN).only("id", "root_cause_id")
    instance = VnfInstance.objects.filter(pk=OuterRef("managed_object_id"))
    rows = rows.annotate(vim_connection=Subquery(instance.values("vim_connection_id")))
    return rows.prefetch_related(Prefetch("correlated", queryset=open_ones, to_attr="correlated_open"))


def vnf_alarm_get(*, alarm_id: UUID) -> Alarm:
    """Raises a 404 problem when there is none of a VNF instance."""
    alarm = vnf_alarm_list().filter(id=alarm_id).first()
    if alarm is None:
        raise not_found("alarm", alarm_id)
    return alarm


def alarm_list(*, which: AlarmListName = "current", suppressed: bool = False) -> QuerySet[Alarm]:
    """Alarms of all objects, each with `caused`, the number of open alarms that it causes; with `suppressed` all."""
    caused = Alarm.objects.filter(OPEN, UNSUPPRESSED, root_cause=OuterRef("pk")).order_by()
    counted = Subquery(caused.values("root_cause").annotate(number=Count("id")).values("number"))
    rows = (
        Alarm.objects.filter(ALARM_LISTS[which])
        if suppressed
        else Alarm.objects.filter(ALARM_LISTS[which], UNSUPPRESSED)
    )
    return rows.defer("words").annotate(caused=Coalesce(counted, 0))


def alarm_get(*, alarm_id: UUID) -> Alarm:
    """Raises a 404 problem when there is none."""
    alarm = alarm_list(which="merged", suppressed=True).filter(id=alarm_id).first()
    if alarm is None:
        raise not_found("alarm", alarm_id)
    return alarm


def alarms_cleared(fault_types: Collection[str]) -> QuerySet[Alarm]:
    """Alarms that are cleared and still listed, the first cleared first: an index has that order."""
    return Alarm.objects.filter(~OPEN, fault_type__in=fault_types).order_by("cleared_at")


def alarm_summary(*, object_type: str | None = None) -> dict[str, int]:
    """Number of open alarms of each severity, from `AlarmCount`."""
    rows = AlarmCount.objects.filter(**({} if object_type is None else {"managed_object_type": object_type}))
    counted = dict(rows.values_list("severity").annotate(Sum("step")))
    return {severity.value: counted.get(severity.value, 0) for severity in Severity}


def alarms_by_object(*, object_type: str | None = None, ids: Sequence[UUID] | None = None) -> list[dict[str, Any]]:
    """One row per object with open alarms: the object's type and id, and the number of each severity."""
    rows = AlarmCount.objects.all()
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


def alarms_by_part(*, object_id: UUID) -> list[AlarmPartSummary]:
    """One row per faulty resource of the object with open alarms ("": the object itself)."""
    rows = Alarm.objects.filter(OPEN, UNSUPPRESSED, managed_object_id=object_id)
    counted: QuerySet[Any] = rows.order_by().values("faulty_resource").annotate(**_NUMBERS).order_by("faulty_resource")
    return [AlarmPartSummary(**row) for row in counted]


def alarms_by_site(*, sites: Sequence[Site], include_no_site: bool) -> list[AlarmSiteSummary]:
    """One row per site: its elements, how many of them are unreachable or unknown, and their open alarms by severity.

    With `include_no_site` a first row for the elements that belong to no site, if any. A fixed number of queries.
    """
    ids = [site.id for site in sites]
    at_sites = Q(site_id__in=ids) | Q(site_id__isnull=True) if include_no_site else Q(site_id__in=ids)
    elements: QuerySet[Any] = (
        NetworkElement.objects.filter(at_sites)
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
        cursor.execute(_BY_SITE, [ids, include_no_site])
        for site_id, severity, number in cursor.fetchall():
            alarms.setdefault(site_id, {})[severity] = number
    named: list[tuple[UUID | None, str]] = [(site.id, site.name) for site in sites]
    none = {"elements": 0, "unreachable": 0, "unknown": 0} | {each.value: 0 for each in Severity}
    return [
        AlarmSiteSummary(site_id=site_id, site_name=name, **(none | found.get(site_id, {}) | alarms.get(site_id, {})))
        for site_id, name in ([(None, "")] if None in found else []) + named
    ]


def object_problems(limit: int) -> list[ObjectProblem]:
    """The first `limit` objects by their worst open alarm, then by its age, the oldest first.

    Alarms with an open root cause do not count: the object of the root cause does.
    """
    found: dict[UUID, Alarm] = {}
    for severity in Severity:
        _add_oldest(severity.value, found, limit)
    kinds: dict[str, list[UUID]] = {}
    for alarm in found.values():
        kinds.setdefault(alarm.managed_object_type, []).append(alarm.managed_object_id)
    counts = {
        row["managed_object_id"]: {each.value: row[each.value] for each in Severity}
        for kind, ids in kinds.items()
        for row in alarms_by_object(object_type=kind, ids=ids)
    }
    return [_problem(alarm, counts.get(key, {})) for key, alarm in found.items()]


def _add_oldest(severity: str, found: dict[UUID, Alarm], limit: int) -> None:
    """Add the objects with the oldest alarms of that severity, a page of alarms of further objects at a time."""
    top = Q(root_cause__isnull=True) | Q(root_cause__cleared_at__isnull=False)
    heavy = ("fault_details", "vnfc_ids", "faulty_resource")
    while len(found) < limit:
        rows = Alarm.objects.filter(OPEN, UNSUPPRESSED, top, perceived_severity=severity).exclude(
            managed_object_id__in=list(found)
        )
        page = list(rows.defer(*heavy).order_by("raised_at", "id")[:_PAGE])
        for alarm in page:
            if len(found) < limit:
                found.setdefault(alarm.managed_object_id, alarm)
        if len(page) < _PAGE:
            return


def _problem(alarm: Alarm, counts: dict[str, int]) -> ObjectProblem:
    return ObjectProblem(
        managed_object_type=ObjectType(alarm.managed_object_type),
        managed_object_id=alarm.managed_object_id,
        managed_object_name=alarm.managed_object_name,
        severity=Severity(alarm.perceived_severity),
        since=alarm.raised_at,
        alarm_id=alarm.id,
        cause=alarm.probable_cause,
        counts=counts,
    )


def alarms_by_hour(since: datetime) -> QuerySet[Any]:
    """Hour, highest severity and number of the published alarms raised since then, open or cleared."""
    hours = Alarm.objects.filter(UNSUPPRESSED, raised_at__gte=since).order_by().annotate(hour=TruncHour("raised_at"))
    rows: QuerySet[Any] = hours.values_list("hour", "highest_severity").annotate(number=Count("*"))
    return rows


_NUMBERS = {each.value: Count("id", filter=Q(perceived_severity=each.value)) for each in Severity}
_STEPS = {each.value: Coalesce(Sum("step", filter=Q(severity=each.value)), 0) for each in Severity}

_BY_SITE = """
SELECT element.site_id, counted.severity, sum(counted.step)
FROM faults_alarmcount AS counted JOIN elements_networkelement AS element ON element.id = counted.managed_object_id
WHERE element.site_id = ANY(%s) OR %s AND element.site_id IS NULL
GROUP BY 1, 2
"""
"""SQL, as an alarm's object may be of several types and so is not a foreign key."""


def alarms_at_site(rows: QuerySet[Alarm], site_id: UUID | None) -> QuerySet[Alarm]:
    """Alarms of the network elements of a site; None: of elements that belong to no site."""
    at_site = Q(site_id__isnull=True) if site_id is None else Q(site_id=site_id)
    elements = NetworkElement.objects.filter(at_site)
    return rows.filter(managed_object_id__in=elements.values("id"))


def alarms_of_part(rows: QuerySet[Alarm], fdn: str) -> QuerySet[Alarm]:
    """Alarms of a part of an element and of all parts in it: an FDN begins with that of its container."""
    return rows.filter(Q(faulty_resource=fdn) | Q(faulty_resource__startswith=f"{fdn}:"))


_SEVERITY_STEP = timedelta(days=100_000)
"""Longer than any two alarms are apart."""

SEVERITY_WEIGHT = ExpressionWrapper(
    F("raised_at")
    - Case(
        *(When(perceived_severity=each.value, then=Value(rank * _SEVERITY_STEP)) for rank, each in enumerate(Severity)),
        default=Value(len(Severity) * _SEVERITY_STEP),
    ),
    output_field=DateTimeField(),
)
"""Orders by severity, then by time, in one value, as keyset paging needs it."""


@dataclass(frozen=True, slots=True)
class AlarmPolicies:
    """All policies, read once for many alarms."""

    general: PolicySettings
    special: Mapping[str, PolicySettings]

    def of(self, fault_type: str) -> PolicySettings:

        return self.special.get(fault_type, self.general)


def alarm_policies() -> AlarmPolicies:
    rows = {row.fault_type: _settings(row) for row in AlarmPolicy.objects.all()}
    general = rows.pop("", PolicySettings())
    return AlarmPolicies(general, {fault_type: policy.with_defaults(general) for fault_type, policy in rows.items()})


def policy_list() -> QuerySet[AlarmPolicy]:
    return AlarmPolicy.objects.all()


def window_list() -> QuerySet[MaintenanceWindow]:
    return MaintenanceWindow.objects.all()


def _settings(row: AlarmPolicy) -> PolicySettings:
    return PolicySettings(
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
