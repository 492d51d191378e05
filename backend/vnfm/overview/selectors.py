"""The start page: how all is, in a fixed number of queries that PostgreSQL answers in sums. A read model."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, CharField, Count, F, Q, QuerySet, Value, When
from django.db.models.functions import Greatest, TruncHour

from vnfm.elements.models import NetworkElement
from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.models import OPEN, UNSUPPRESSED, Alarm
from vnfm.faults.selectors import alarm_summary, alarms_by_object
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.inventory.selectors import stale_after
from vnfm.kit import clock
from vnfm.overview import operations
from vnfm.overview.facts import CloudHealth, HourOfAlarms, Overview, Problem
from vnfm.vims.domain.reachability import STALE_AFTER
from vnfm.vims.models import Vim
from vnfm.vims.selectors import reachability

PROBLEMS = 8
HOURS = 24
_LOOK = 200
"""Alarms read at once to find objects that have any."""

RUNNING, DEGRADED, DOWN, UNKNOWN, ABSENT = "RUNNING", "DEGRADED", "DOWN", "UNKNOWN", "NOT_INSTANTIATED"
AVAILABILITY = (RUNNING, DEGRADED, DOWN, UNKNOWN, ABSENT)
"""Of a VNF instance, as its condition Available has it."""
ELEMENT_STATES = ("REACHABLE", "UNREACHABLE", "UNKNOWN", "SUSPENDED", "UNMANAGED")


def overview() -> Overview:
    """How all is now."""
    now = clock.now()
    instances, vms = _availability(now)
    return Overview(
        at=now,
        clouds=list(_clouds(now)),
        instances=instances,
        vms=vms,
        elements=_elements(now),
        alarms=alarm_summary(),
        problems=_problems(),
        operations=operations.under_way(),
        operations_open=operations.number_under_way(),
        hours=_hours(now),
    )


def _clouds(now: datetime) -> Iterator[CloudHealth]:
    for vim in Vim.objects.defer("resources", "versions", "cacert", "sealed_credentials").order_by("name"):
        seen = reachability(vim).at(now)
        yield CloudHealth(
            id=str(vim.id),
            name=vim.name,
            reachable=seen,
            quotas=vim.quotas,
            quotas_at=vim.probed_at,
            quotas_unknown_since=_lost_since(vim.probed_at, seen.last_transition_time, now, lost=seen.status != "True"),
        )


def _lost_since(probed: datetime | None, turned: datetime, now: datetime, *, lost: bool) -> datetime | None:
    """Since when nobody knows the quotas: the cloud is out of reach, or no probe has come back for too long."""
    if lost or probed is None:
        return turned
    return probed + STALE_AFTER if now - probed > STALE_AFTER else None


def _availability(now: datetime) -> tuple[dict[str, int], dict[str, int]]:
    """Instances by what their condition Available says (see `inventory.domain.conditions`), and VMs by status.

    The same judgement in sums: to put together ten thousand VMs one by one takes seconds.
    """
    seen = Greatest("observed_at", "instance__vim__poll_state__servers_at")
    lost = (
        Q(seen__isnull=True)
        | Q(seen__lt=now - stale_after())
        | Q(instance__vim__reachable="False", seen__lte=F("instance__vim__reachable_since"))
    )
    there = Q(instance__instantiation_state=VnfInstance.InstantiationState.INSTANTIATED, instance__vim__isnull=False)
    rows: Any = (
        Vnfc.objects.filter(there)
        .annotate(seen=seen)
        .order_by()
        .values_list("instance_id", "vdu_id")
        .annotate(
            number=Count("id"),
            lost=Count("id", filter=lost),
            active=Count("id", filter=Q(status=ACTIVE) & ~lost),
            error=Count("id", filter=Q(status="ERROR") & ~lost),
        )
    )
    verdicts: dict[UUID, str] = {}
    vms = {"ACTIVE": 0, "ERROR": 0, "OTHER": 0, UNKNOWN: 0}
    for instance, _, number, unseen, active, error in rows:
        verdict = UNKNOWN if unseen else DOWN if not active else RUNNING if active == number else DEGRADED
        verdicts[instance] = max(verdicts.get(instance, RUNNING), verdict, key=_GRAVITY.index)
        vms["ACTIVE"] += active
        vms["ERROR"] += error
        vms[UNKNOWN] += unseen
        vms["OTHER"] += number - active - error - unseen
    return _by_verdict(verdicts), vms


_GRAVITY = (RUNNING, DEGRADED, DOWN, UNKNOWN)


def _by_verdict(verdicts: dict[UUID, str]) -> dict[str, int]:
    numbers = dict.fromkeys(AVAILABILITY, 0)
    for verdict in verdicts.values():
        numbers[verdict] += 1
    instantiated = VnfInstance.objects.filter(
        instantiation_state=VnfInstance.InstantiationState.INSTANTIATED, vim__isnull=False
    ).count()
    # Without any VNFC; counted a moment later, so there may be fewer.
    numbers[DOWN] += max(0, instantiated - len(verdicts))
    numbers[ABSENT] = VnfInstance.objects.count() - instantiated
    return numbers


def _elements(now: datetime) -> dict[str, int]:
    state = NetworkElement.State
    shown = Case(
        When(state=state.UNMANAGED, then=Value("UNMANAGED")),
        When(state=state.SUSPENDED, then=Value("SUSPENDED")),
        When(reachable="True", observed_at__gte=now - STALE_AFTER, then=Value("REACHABLE")),
        When(reachable="False", then=Value("UNREACHABLE")),
        default=Value("UNKNOWN"),
        output_field=CharField(),
    )
    rows = NetworkElement.objects.order_by().annotate(shown=shown).values_list("shown").annotate(number=Count("id"))
    return dict.fromkeys(ELEMENT_STATES, 0) | dict(rows)


def _problems() -> list[Problem]:
    """Objects by their worst open alarm, of those with equally bad ones the longest-standing first.

    Alarms that another one causes are left out: its object is the problem.
    """
    found: dict[UUID, Alarm] = {}
    for severity in Severity:
        _oldest(severity.value, found)
    kinds: dict[str, list[UUID]] = {}
    for alarm in found.values():
        kinds.setdefault(alarm.managed_object_type, []).append(alarm.managed_object_id)
    counts = {
        row["managed_object_id"]: {each.value: row[each.value] for each in Severity}
        for kind, ids in kinds.items()
        for row in alarms_by_object(object_type=kind, ids=ids)
    }
    return [_problem(alarm, counts.get(key, {})) for key, alarm in found.items()]


def _oldest(severity: str, found: dict[UUID, Alarm]) -> None:
    """Adds the objects with the oldest alarms of that severity. Each look goes on behind the objects found."""
    top = Q(root_cause__isnull=True) | Q(root_cause__cleared_at__isnull=False)
    heavy = ("fault_details", "vnfc_ids", "faulty_resource")
    while len(found) < PROBLEMS:
        rows = Alarm.objects.filter(OPEN, UNSUPPRESSED, top, perceived_severity=severity).exclude(
            managed_object_id__in=list(found)
        )
        page = list(rows.defer(*heavy).order_by("raised_at", "id")[:_LOOK])
        for alarm in page:
            if len(found) < PROBLEMS:
                found.setdefault(alarm.managed_object_id, alarm)
        if len(page) < _LOOK:
            return


def _problem(alarm: Alarm, counts: dict[str, int]) -> Problem:
    return Problem(
        object_type=alarm.managed_object_type,
        object_id=str(alarm.managed_object_id),
        name=alarm.managed_object_name,
        severity=alarm.perceived_severity,
        since=alarm.raised_at,
        alarm_id=str(alarm.id),
        cause=alarm.probable_cause,
        counts=counts,
    )


def _hours(now: datetime) -> list[HourOfAlarms]:
    """The hour that runs, and those before it."""
    last = now.replace(minute=0, second=0, microsecond=0)
    begins = [last - timedelta(hours=back) for back in range(HOURS - 1, -1, -1)]
    counted = {(hour, severity): number for hour, severity, number in alarms_by_hour(begins[0])}
    return [
        HourOfAlarms(hour, {each.value: counted.get((hour, each.value), 0) for each in Severity}) for hour in begins
    ]


def alarms_by_hour(since: datetime) -> QuerySet[Any]:
    """Hour, highest severity and number of the alarms raised, told ones alone, whether or not they are over."""
    hours = Alarm.objects.filter(UNSUPPRESSED, raised_at__gte=since).order_by().annotate(hour=TruncHour("raised_at"))
    rows: QuerySet[Any] = hours.values_list("hour", "highest_severity").annotate(number=Count("*"))
    return rows
