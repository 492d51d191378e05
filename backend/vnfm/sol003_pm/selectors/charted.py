"""Thresholds on a counter, for its chart: of SOL003 (6.4.5), of automation policies, and of threshold rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from vnfm.automation.domain.policy import LoadSourceKind, PolicyKind
from vnfm.automation.selectors.policies import policies_for
from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.selectors.threshold_rules import rules_on
from vnfm.elements.models import NetworkElement
from vnfm.sol003_pm.domain.metrics import Kind, selected
from vnfm.sol003_pm.models import PmThreshold
from vnfm.sol003_pm.selectors.measured import measured_objects, shortest_period


class ThresholdOrigin(StrEnum):
    PM_THRESHOLD = "PM_THRESHOLD"
    """Its subscriber is notified when it is crossed."""
    THRESHOLD_RULE = "THRESHOLD_RULE"
    """Beyond it an alarm is raised."""
    SCALE_OUT = "SCALE_OUT"
    """Above it an automation policy scales out."""
    SCALE_IN = "SCALE_IN"
    """Below it an automation policy scales in."""


@dataclass(frozen=True, slots=True)
class CounterThreshold:
    counter: str
    """The name that it has in `element_counters`."""
    value: float
    """In the unit of the counter: a rate per second, or percent."""
    hysteresis: float
    """Half the width of the band in which nothing is crossed; 0: none."""
    origin: ThresholdOrigin
    id: UUID
    """The id of the PM threshold, the automation policy or the threshold rule."""
    name: str
    """The name of the policy or rule, or the performance metric."""
    clear_value: float | None = None
    """Where the alarm of a threshold rule clears; null: of others."""


@dataclass(frozen=True, slots=True)
class CounterThresholds:
    element_id: UUID
    object: str
    thresholds: list[CounterThreshold]


def thresholds_on(element: NetworkElement, name: str) -> list[CounterThreshold]:
    """Return what watches counters of this object of the element (an interface by name, or SYSTEM), in their order."""
    found = [*_pm_thresholds(element, name), *_policy_thresholds(element, name), *_rule_thresholds(element, name)]
    return sorted(found, key=lambda each: (each.counter, each.value, each.origin))


def _pm_thresholds(element: NetworkElement, name: str) -> Iterator[CounterThreshold]:
    for row in PmThreshold.objects.filter(object_id__in=[element.id, element.vnf_instance_id]).order_by("created_at"):
        for object_type, metrics in selected([row.metric], (), row.object_type).items():
            measured = measured_objects(object_type, [row.object_id], row.sub_object_ids)
            if any((element.id, name) in each.sources for each in measured):
                metric = metrics[row.metric]
                # The count of a collection period is drawn as a rate.
                share = shortest_period().total_seconds() if metric.kind == Kind.TOTAL else 1.0
                yield CounterThreshold(
                    counter=metric.counter,
                    value=row.value / share,
                    hysteresis=row.hysteresis / share,
                    origin=ThresholdOrigin.PM_THRESHOLD,
                    id=row.id,
                    name=row.metric,
                )


def _policy_thresholds(element: NetworkElement, name: str) -> Iterator[CounterThreshold]:
    """Yield the limits of policies that act: not of paused ones."""
    if element.vnf_instance is None:
        return
    for row in policies_for(element.vnf_instance):
        if row.kind != PolicyKind.SCALE or row.source != LoadSourceKind.ELEMENT_COUNTER or row.paused:
            continue
        counter, _, interface = row.metric.partition(" ")
        limits = {ThresholdOrigin.SCALE_OUT: row.out_above, ThresholdOrigin.SCALE_IN: row.in_below}
        for origin, value in limits.items():
            if value is not None and (interface or SYSTEM) == name:
                yield CounterThreshold(counter, value, 0.0, origin, row.id, row.name)


def _rule_thresholds(element: NetworkElement, name: str) -> Iterator[CounterThreshold]:
    for row in rules_on(element, name):
        origin = ThresholdOrigin.THRESHOLD_RULE
        yield CounterThreshold(row.counter, row.threshold, 0.0, origin, row.id, row.name, clear_value=row.clear)
