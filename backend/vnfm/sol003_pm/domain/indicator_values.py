"""Values of VNF indicators (SOL003 8.5.2.2): an object whose `value` is null, with a `reason`, while it is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from vnfm.faults.domain.dictionary import Severity
from vnfm.inventory.domain.conditions import InstanceCondition, conditions
from vnfm.inventory.domain.observation import ACTIVE, UNKNOWN
from vnfm.inventory.domain.views import INSTANTIATED, InstanceView

RUNNING, DEGRADED, DOWN, STOPPED = "RUNNING", "DEGRADED", "DOWN", "STOPPED"
NOT_INSTANTIATED, CLEARED = "NOT_INSTANTIATED", "CLEARED"
UNOBSERVED = "Nothing that this VNF manager observes has this value."
NOT_COUNTED = "No network element has counted it during the whole period."


@dataclass(frozen=True, slots=True, kw_only=True)
class IndicatorValue:
    value: str | float | None
    """None: unknown."""
    reason: str = ""
    """Why it is unknown."""
    planned: int | None = None
    """The number of VNFCs that there should be."""
    unit: str = ""
    period: timedelta | None = None
    """The period that the value of a counter is of; it ends at `observed_at`."""
    observed_at: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        """On the wire."""
        return {
            "value": self.value,
            **({"reason": self.reason} if self.value is None else {}),
            **({"planned": self.planned} if self.planned is not None else {}),
            **({"unit": self.unit} if self.unit else {}),
            **({"periodSeconds": int(self.period.total_seconds())} if self.period is not None else {}),
            **({"observedAt": stamp(self.observed_at)} if self.observed_at else {}),
        }


def stamp(at: datetime) -> str:
    """On the wire."""
    return at.isoformat().replace("+00:00", "Z")


def differ(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether subscribers are notified: not when the same was observed again."""
    return {**before, "observedAt": ""} != {**after, "observedAt": ""}


def state_value(view: InstanceView, now: datetime) -> IndicatorValue:
    """Return the state of the VNF as a whole, by its condition Available."""
    if view.instantiation_state != INSTANTIATED or view.vim is None:
        return IndicatorValue(value=NOT_INSTANTIATED)
    available = conditions(view, now)[0]
    if available.status == "Unknown":
        return IndicatorValue(value=None, reason=available.message, observed_at=available.observed_at)
    return IndicatorValue(value=_state(view, available), observed_at=available.observed_at)


def _state(view: InstanceView, available: InstanceCondition) -> str:
    if available.status == "True":
        return RUNNING if available.reason == "AllRunning" else DEGRADED
    return STOPPED if view.vnfcs and all(vnfc.desired == "STOPPED" for vnfc in view.vnfcs) else DOWN


def vnfcs_value(view: InstanceView, now: datetime) -> IndicatorValue:
    """Return the number of its VNFCs that are ACTIVE."""
    if view.instantiation_state != INSTANTIATED or view.vim is None:
        return IndicatorValue(value=0, planned=0)
    planned = sum(view.wanted.values()) if view.wanted is not None else None
    found = [vnfc.status_at(view.vim, now)[0] for vnfc in view.vnfcs]
    observed_at = view.vim.servers_at
    if UNKNOWN in found:
        reason = conditions(view, now)[0].message
        return IndicatorValue(value=None, reason=reason, planned=planned, observed_at=observed_at)
    return IndicatorValue(value=found.count(ACTIVE), planned=planned, observed_at=observed_at)


def alarms_value(numbers: Mapping[str, int]) -> IndicatorValue:
    """The worst severity of which there are open alarms; CLEARED when there are none."""
    return IndicatorValue(value=next((each.value for each in Severity if numbers.get(each.value, 0) > 0), CLEARED))


def counter_value(metric: str, value: float | None, end: datetime, period: timedelta) -> IndicatorValue:
    """Return the value of the last period for which all counters have been stored."""
    unit = "%" if metric.startswith("V") else "bytes" if metric.startswith("Byte") else "packets"
    rounded = None if value is None else round(value, 1)
    return IndicatorValue(value=rounded, reason=NOT_COUNTED, unit=unit, period=period, observed_at=end)
