"""The series of /metrics/elements: network elements, their interfaces and alarms, with the names that IF-MIB has."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from vnfm.counters.domain.counters import SYSTEM
from vnfm.elements.selectors import element_list, interface_list
from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.selectors import alarms_by_object
from vnfm.history import counters
from vnfm.kit import clock

OCTET = 8
_RATES = {
    "octets_in": ("vnfm_interface_in_bits_per_second", "ifHCInOctets as a rate.", OCTET),
    "octets_out": ("vnfm_interface_out_bits_per_second", "ifHCOutOctets as a rate.", OCTET),
    "packets_in": ("vnfm_interface_in_packets_per_second", "Packets received, of all kinds, as a rate.", 1),
    "packets_out": ("vnfm_interface_out_packets_per_second", "Packets sent, of all kinds, as a rate.", 1),
    "errors_in": ("vnfm_interface_in_errors_per_second", "ifInErrors as a rate.", 1),
    "errors_out": ("vnfm_interface_out_errors_per_second", "ifOutErrors as a rate.", 1),
    "discards_in": ("vnfm_interface_in_discards_per_second", "ifInDiscards as a rate.", 1),
    "discards_out": ("vnfm_interface_out_discards_per_second", "ifOutDiscards as a rate.", 1),
}
_PER_INTERFACE = len(_RATES) + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementSelection:
    """The elements and interfaces to show; empty names mean all."""

    elements: Sequence[str] = ()
    sites: Sequence[str] = ()
    interfaces: str = "none"
    """"none", "named" (those with an ifAlias) or "all"."""


def element_series(selection: ElementSelection) -> Iterator[Metric]:
    """Interfaces are left out, and counted as such, where there would be more series than METRICS_MAX_SERIES."""
    rows = _elements(selection)
    ids = [row.id for row in rows]
    yield from _states(rows)
    yield from _alarms(rows)
    rates = counters.latest(
        ids, clock.now(), settings.COUNTER_SECONDS, SYSTEM if selection.interfaces == "none" else None
    )
    yield from _loads(rows, rates)
    if selection.interfaces == "none":
        return
    interfaces = _interfaces(ids, named=selection.interfaces == "named")
    room = settings.METRICS_MAX_SERIES // _PER_INTERFACE
    yield from _interface_series(rows, interfaces[:room], rates)
    omitted = GaugeMetricFamily("vnfm_interfaces_omitted", "Interfaces for which there is no room in one answer.")
    omitted.add_metric([], max(0, interfaces.count() - room))
    yield omitted


def _elements(selection: ElementSelection) -> list[Any]:
    rows: QuerySet[Any] = element_list().filter(state="MANAGED")
    if selection.elements:
        rows = rows.filter(name__in=selection.elements)
    if selection.sites:
        rows = rows.filter(site__name__in=selection.sites)
    columns = ("id", "name", "site__name", "kind", "driver", "current_reachable", "observed_at")
    return list(rows.order_by("name").values_list(*columns, named=True))


def _states(rows: Sequence[Any]) -> Iterator[Metric]:
    now = clock.now()
    up = GaugeMetricFamily(
        "vnfm_element_up", "1: answers; 0: does not; -1: unknown.", labels=["element", "site", "kind", "driver"]
    )
    age = GaugeMetricFamily("vnfm_element_poll_age_seconds", "Since the last answer.", labels=["element"])
    for row in rows:
        up.add_metric([row.name, row.site__name or "", row.kind, row.driver], _truth(row.current_reachable))
        if row.observed_at is not None:
            age.add_metric([row.name], max(0.0, (now - row.observed_at).total_seconds()))
    yield from (up, age)


def _truth(value: str) -> float:
    return {"True": 1.0, "False": 0.0}.get(value, -1.0)


def _alarms(rows: Sequence[Any]) -> Iterator[Metric]:
    family = GaugeMetricFamily("vnfm_element_alarms", "Open alarms.", labels=["element", "site", "severity"])
    by_id = {row.id: row for row in rows}
    for found in alarms_by_object(object_type=ObjectType.NETWORK_ELEMENT):
        row = by_id.get(found["managed_object_id"])
        if row is None:
            continue
        for severity in Severity:
            if found[severity.value]:
                family.add_metric([row.name, row.site__name or "", severity.value], found[severity.value])
    yield family


def _loads(rows: Sequence[Any], rates: counters.Latest) -> Iterator[Metric]:
    for column, words in (("cpu", "Processor load"), ("memory", "Memory in use")):
        family = GaugeMetricFamily(f"vnfm_element_{column}_ratio", f"{words}, from 0 to 1.", labels=["element"])
        for row in rows:
            value = rates.get((row.id, SYSTEM), {}).get(column)
            if value is not None:
                family.add_metric([row.name], value / 100)
        yield family


def _interfaces(ids: Sequence[UUID], *, named: bool) -> QuerySet[Any, Any]:
    rows = interface_list(clock.now()).filter(element_id__in=ids).exclude(name="")
    if named:
        rows = rows.exclude(alias="")
    return rows.order_by("element_id", "if_index").values_list(
        "element_id", "if_index", "name", "alias", "oper", "speed", named=True
    )


def _interface_series(rows: Sequence[Any], interfaces: Iterable[Any], rates: counters.Latest) -> Iterator[Metric]:
    names = ["element", "site", "ifName", "ifAlias"]
    up = GaugeMetricFamily("vnfm_interface_up", "1 where ifOperStatus is up.", labels=[*names, "ifIndex"])
    speed = GaugeMetricFamily("vnfm_interface_speed_bits_per_second", "ifHighSpeed in bit/s.", labels=names)
    families = {column: GaugeMetricFamily(name, words, labels=names) for column, (name, words, _) in _RATES.items()}
    by_id = {row.id: row for row in rows}
    for interface in interfaces:
        element = by_id[interface.element_id]
        labels = [element.name, element.site__name or "", interface.name, interface.alias]
        known = _truth(element.current_reachable) == 1
        up.add_metric([*labels, str(interface.if_index)], float(interface.oper == "UP") if known else -1)
        if interface.speed:
            speed.add_metric(labels, interface.speed)
        for column, value in rates.get((interface.element_id, interface.name), {}).items():
            if value is not None and column in families:
                families[column].add_metric(labels, value * _RATES[column][2])
    yield from (up, speed, *families.values())
