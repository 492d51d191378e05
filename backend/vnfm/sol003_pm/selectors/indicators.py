"""Indicators of VNF instances and their values as we know them now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.db.models import QuerySet

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.indicators import ALARMS, METRICS, STATE, VNFCS, Indicator
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.selectors import alarms_by_object
from vnfm.inventory.domain.views import InstanceView
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.selectors import instance_list
from vnfm.lcm.selectors.instance_status import instance_statuses
from vnfm.sol003_pm.domain.indicator_values import (
    UNOBSERVED,
    IndicatorValue,
    alarms_value,
    counter_value,
    state_value,
    vnfcs_value,
)
from vnfm.sol003_pm.domain.metrics import selected
from vnfm.sol003_pm.selectors.measured import as_one, measure, measured_objects, settled_after, shortest_period

Key = tuple[UUID, str]
"""Return the path of an instance, and of one of its indicators."""


@dataclass(frozen=True, slots=True)
class SupportedIndicator:
    """An indicator of an instance; `position` orders all of them."""

    instance_id: UUID
    indicator: Indicator
    position: tuple[datetime, UUID, int]

    @property
    def key(self) -> Key:
        return self.instance_id, self.indicator.id


def supported(instances: QuerySet[VnfInstance]) -> Iterator[SupportedIndicator]:
    """All indicators that the VNFDs of these instances declare."""
    rows = instances.order_by("created_at", "id").values_list("id", "created_at", "package_id")
    for instance_id, created_at, package_id in rows.iterator():
        for number, indicator in enumerate(catalog.vnfd_of_package(package_id).indicators):
            yield SupportedIndicator(instance_id, indicator, (created_at, instance_id, number))


def indicator_values(wanted: Sequence[SupportedIndicator], now: datetime) -> dict[Key, IndicatorValue]:
    """In a fixed number of queries, except for counters, which take some for each."""
    ids = list(dict.fromkeys(each.instance_id for each in wanted))
    statuses = {each.instance.id: each.view for each in instance_statuses(list(instance_list().filter(id__in=ids)))}
    alarms = {row["managed_object_id"]: row for row in _alarms(ids)}
    return {
        each.key: _value(each, statuses[each.instance_id], alarms.get(each.instance_id, {}), now)
        for each in wanted
        if each.instance_id in statuses
    }


def _alarms(ids: list[UUID]) -> Iterable[Mapping[str, Any]]:
    return alarms_by_object(object_type=ObjectType.VNF_INSTANCE, ids=ids) if ids else ()


def _value(each: SupportedIndicator, view: InstanceView, alarms: Mapping[str, int], now: datetime) -> IndicatorValue:
    source = each.indicator.source
    if source in METRICS:
        return _counted(each.instance_id, source, now)
    if source in (STATE, VNFCS):
        return (state_value if source == STATE else vnfcs_value)(view, now)
    return alarms_value(alarms) if source == ALARMS else IndicatorValue(value=None, reason=UNOBSERVED)


def counted_until(now: datetime) -> datetime:
    """The end of the last period whose counters are stored."""
    period = shortest_period().total_seconds()
    return datetime.fromtimestamp((now - settled_after()).timestamp() // period * period, UTC)


def _counted(instance_id: UUID, metric: str, now: datetime) -> IndicatorValue:
    period, end = shortest_period(), counted_until(now)
    for object_type, metrics in selected([metric], (), "").items():
        for measured in as_one(measured_objects(object_type, [instance_id])):
            if measured.sources:
                (value,) = measure(measured, metrics[metric], [(end - period, end)])
                return counter_value(metric, value, end, period)
    return counter_value(metric, None, end, period)


def indicator_path(instance_id: UUID, indicator_id: str) -> str:
    return f"/vnfind/v1/indicators/{instance_id}/{quote(indicator_id, safe='')}"
