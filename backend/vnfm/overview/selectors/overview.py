"""The start page: sums over all objects, in a fixed number of queries. A read model."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, CharField, Count, F, Q, QuerySet, Value, When
from django.db.models.functions import Greatest, TruncHour

from vnfm.elements.models import NetworkElement
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.models import OPEN, UNSUPPRESSED, Alarm
from vnfm.faults.selectors import alarm_summary, alarms_by_object
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance
from vnfm.inventory.selectors import stale_after
from vnfm.kit import clock
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import UNDER_WAY
from vnfm.overview.domain.overview import CloudHealth, HourOfAlarms, ObjectProblem, Overview
from vnfm.overview.selectors import operations
from vnfm.vims.domain.reachability import STALE_AFTER, Reachability
from vnfm.vims.models import Vim
from vnfm.vims.selectors import quotas_of, reachability

PROBLEMS = 8
HOURS = 24
_PAGE = 200
"""Alarms read at once to find the objects that have them."""

RUNNING, DEGRADED, CHANGING = "RUNNING", "DEGRADED", "CHANGING"
DOWN, UNKNOWN, ABSENT = "DOWN", "UNKNOWN", "NOT_INSTANTIATED"
AVAILABILITY = (RUNNING, DEGRADED, CHANGING, DOWN, UNKNOWN, ABSENT)
"""States of a VNF instance by its condition Available; CHANGING: an operation runs, and it is not available."""
ELEMENT_STATES = ("REACHABLE", "UNREACHABLE", "UNKNOWN", "SUSPENDED", "UNMANAGED")


def overview() -> Overview:
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
        condition = reachability(vim).at(now)
        yield CloudHealth(
            id=vim.id,
            name=vim.name,
            reachable=condition,
            quotas=quotas_of(vim),
            quotas_at=vim.probed_at,
            quotas_unknown_since=_quotas_unknown_since(vim.probed_at, condition, now),
        )


def _quotas_unknown_since(probed_at: datetime | None, reachable: Reachability, now: datetime) -> datetime | None:
    """The cloud is unreachable, or its last successful probe too old, since then; None: the quotas are current."""
    if reachable.status != "True" or probed_at is None:
        return reachable.last_transition_time
    return probed_at + STALE_AFTER if now - probed_at > STALE_AFTER else None


def _availability(now: datetime) -> tuple[dict[str, int], dict[str, int]]:
    """Instances by their condition Available (see `inventory.domain.conditions`), and VMs by status.

    The same rule in SQL: evaluating ten thousand VMs one by one takes seconds.
    """
    observed_at = Greatest("observed_at", "instance__vim__poll_state__servers_at")
    lost = (
        Q(last_observed_at__isnull=True)
        | _is_stale(now)
        | Q(instance__vim__reachable="False", last_observed_at__lte=F("instance__vim__reachable_since"))
    )
    deployed = Q(instance__instantiation_state=VnfInstance.InstantiationState.INSTANTIATED, instance__vim__isnull=False)
    rows: Any = (
        Vnfc.objects.filter(deployed)
        .annotate(last_observed_at=observed_at)
        .order_by()
        .values_list("instance_id", "vdu_id")
        .annotate(
            number=Count("id"),
            lost=Count("id", filter=lost),
            active=Count("id", filter=Q(status=ACTIVE) & ~lost),
            error=Count("id", filter=Q(status="ERROR") & ~lost),
        )
    )
    availability: dict[UUID, str] = {}
    vms = {"ACTIVE": 0, "ERROR": 0, "OTHER": 0, UNKNOWN: 0}
    for instance, _, number, unknown, active, error in rows:
        of_vdu = UNKNOWN if unknown else DOWN if not active else RUNNING if active == number else DEGRADED
        availability[instance] = max(availability.get(instance, RUNNING), of_vdu, key=_WORST_LAST.index)
        vms["ACTIVE"] += active
        vms["ERROR"] += error
        vms[UNKNOWN] += unknown
        vms["OTHER"] += number - active - error - unknown
    return _by_availability(availability), vms


def _is_stale(now: datetime) -> Q:
    """Select rows whose `last_observed_at` is too old by the interval of the polls of their VIM."""
    usual = stale_after()
    slow = {state.vim_id: age for state in VimPollState.objects.all() if (age := stale_after(state)) > usual}
    found = Q(last_observed_at__lt=now - usual) & ~Q(instance__vim__in=list(slow))
    for vim_id, age in slow.items():
        found |= Q(instance__vim=vim_id, last_observed_at__lt=now - age)
    return found


_WORST_LAST = (RUNNING, DEGRADED, DOWN, UNKNOWN)


def _by_availability(availability: dict[UUID, str]) -> dict[str, int]:
    numbers = dict.fromkeys(AVAILABILITY, 0)
    under_way = LcmOpOcc.objects.filter(UNDER_WAY).exclude(state=OperationState.FAILED_TEMP)
    changing = set(under_way.values_list("instance_uuid", flat=True))
    rows = VnfInstance.objects.order_by().values_list("id", "instantiation_state", "vim_id")
    for instance, state, vim in rows:
        deployed = state == VnfInstance.InstantiationState.INSTANTIATED and vim is not None
        value = availability.get(instance, DOWN) if deployed else ABSENT
        numbers[CHANGING if value in (DOWN, ABSENT) and instance in changing else value] += 1
    return numbers


def _elements(now: datetime) -> dict[str, int]:
    state = NetworkElement.State
    displayed = Case(
        When(state=state.UNMANAGED, then=Value("UNMANAGED")),
        When(state=state.SUSPENDED, then=Value("SUSPENDED")),
        When(reachable="True", observed_at__gte=now - STALE_AFTER, then=Value("REACHABLE")),
        When(reachable="False", then=Value("UNREACHABLE")),
        default=Value("UNKNOWN"),
        output_field=CharField(),
    )
    rows = (
        NetworkElement.objects.order_by()
        .annotate(displayed=displayed)
        .values_list("displayed")
        .annotate(number=Count("id"))
    )
    return dict.fromkeys(ELEMENT_STATES, 0) | dict(rows)


def _problems() -> list[ObjectProblem]:
    """Objects by their worst open alarm, then by its age, the oldest first.

    Alarms with an open root cause do not count: the object of the root cause does.
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
    """Adds the objects with the oldest alarms of that severity, a page of alarms of further objects at a time."""
    top = Q(root_cause__isnull=True) | Q(root_cause__cleared_at__isnull=False)
    heavy = ("fault_details", "vnfc_ids", "faulty_resource")
    while len(found) < PROBLEMS:
        rows = Alarm.objects.filter(OPEN, UNSUPPRESSED, top, perceived_severity=severity).exclude(
            managed_object_id__in=list(found)
        )
        page = list(rows.defer(*heavy).order_by("raised_at", "id")[:_PAGE])
        for alarm in page:
            if len(found) < PROBLEMS:
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


def _hours(now: datetime) -> list[HourOfAlarms]:
    """The last HOURS hours, the current one included, oldest first."""
    last = now.replace(minute=0, second=0, microsecond=0)
    begins = [last - timedelta(hours=back) for back in range(HOURS - 1, -1, -1)]
    counted = {(hour, severity): number for hour, severity, number in alarms_by_hour(begins[0])}
    return [
        HourOfAlarms(hour, {each.value: counted.get((hour, each.value), 0) for each in Severity}) for hour in begins
    ]


def alarms_by_hour(since: datetime) -> QuerySet[Any]:
    """Hour, highest severity and number of the published alarms raised since then, open or cleared."""
    hours = Alarm.objects.filter(UNSUPPRESSED, raised_at__gte=since).order_by().annotate(hour=TruncHour("raised_at"))
    rows: QuerySet[Any] = hours.values_list("hour", "highest_severity").annotate(number=Count("*"))
    return rows
