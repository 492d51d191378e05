"""Faults of counters that are beyond the threshold of an operator's rule. Pure."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from vnfm.faults.domain.evaluation_result import Fault, FaultKey
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.observed_element import BeyondThreshold, ObservedElement

FAULT_TYPE = "ThresholdCrossed"


def threshold_resource(element_id: str, rule_id: str, counter: str, name: str) -> str:
    """The faulty resource of an alarm about a counter of an object of an element."""
    return f"{element_id}:counter:{counter}:{rule_id}:{name}"


def threshold_faults(
    element: ObservedElement, now: datetime, causes_of: Callable[[str], Iterable[FaultKey]]
) -> Iterator[Fault]:
    """Their details stay the same while values come: what a counter is now, its chart shows.

    `causes_of`: the faults of an interface, by its name: a port that is down explains that there is no traffic.
    """
    for item in element.thresholds:
        yield Fault(
            key=FaultKey(threshold_resource(element.element_id, item.rule_id, item.counter, item.object), FAULT_TYPE),
            severity=Severity(item.severity),
            resource_name=f"{element.name} {item.label}",
            details=tuple(_details(item, now)),
            roots=tuple(causes_of(item.object)) if item.below else (),
        )


def next_expiry(element: ObservedElement, now: datetime) -> datetime | None:
    """When the first of their values says nothing more; None: never."""
    return min((item.expires_at for item in element.thresholds if item.expires_at > now), default=None)


def _details(item: BeyondThreshold, now: datetime) -> Iterator[str]:
    side, clearing = ("below", "more") if item.below else ("above", "less")
    yield f"measured={_amount(item.value, item.unit)}"
    yield f"threshold={side} {_amount(item.threshold, item.unit)}"
    yield f"clears=at {_amount(item.clear, item.unit)} or {clearing}"
    yield f"since={_time(item.since)}"
    yield f"rule={item.rule_name}"
    if now >= item.expires_at:
        yield f"No value since {_time(item.valued_at)}."


def _amount(value: float, unit: str) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".") + f" {unit}"


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
