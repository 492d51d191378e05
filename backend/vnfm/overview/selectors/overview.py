"""The start page: sums over all objects, in a fixed number of queries. A read model."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from vnfm.elements.selectors import elements_by_state
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.selectors import alarm_summary, alarms_by_hour, object_problems
from vnfm.inventory.selectors.availability import ABSENT, AVAILABILITY, DOWN, availability
from vnfm.kit import clock
from vnfm.lcm.selectors.operation_counts import changing_instances
from vnfm.lcm.selectors.operation_lines import number_under_way, under_way
from vnfm.overview.domain.overview import CloudHealth, HourOfAlarms, Overview
from vnfm.vims.domain.reachability import STALE_AFTER, Reachability
from vnfm.vims.selectors import quotas_of, reachability, vim_list

PROBLEMS = 8
HOURS = 24
CHANGING = "CHANGING"
"""An operation runs on the VNF instance, and it is not, or not yet, available."""


def overview() -> Overview:
    now = clock.now()
    found = availability(now)
    return Overview(
        at=now,
        clouds=list(_clouds(now)),
        instances=_by_availability(found.instances),
        vms=found.vms,
        elements=elements_by_state(now),
        alarms=alarm_summary(),
        problems=object_problems(PROBLEMS),
        operations=under_way(),
        operations_open=number_under_way(),
        hours=_hours(now),
    )


def _clouds(now: datetime) -> Iterator[CloudHealth]:
    for vim in vim_list().defer("resources", "versions", "cacert", "sealed_credentials").order_by("name"):
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


def _by_availability(instances: Mapping[UUID, str]) -> dict[str, int]:
    numbers, changing = dict.fromkeys((*AVAILABILITY, CHANGING), 0), changing_instances()
    for key, value in instances.items():
        numbers[CHANGING if value in (DOWN, ABSENT) and key in changing else value] += 1
    return numbers


def _hours(now: datetime) -> list[HourOfAlarms]:
    """The last HOURS hours, the current one included, oldest first."""
    last = now.replace(minute=0, second=0, microsecond=0)
    begins = [last - timedelta(hours=back) for back in range(HOURS - 1, -1, -1)]
    counted = {(hour, severity): number for hour, severity, number in alarms_by_hour(begins[0])}
    return [
        HourOfAlarms(hour, {each.value: counted.get((hour, each.value), 0) for each in Severity}) for hour in begins
    ]
