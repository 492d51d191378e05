"""When a counter crosses a threshold. Pure: of operators' rules, and of the thresholds of SOL003."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from vnfm.counters.domain.counters import MAX_GAP_INTERVALS


class ThresholdDirection(StrEnum):
    """The side of its threshold on which a counter is at fault."""

    ABOVE = "ABOVE"
    BELOW = "BELOW"


@dataclass(frozen=True, slots=True)
class ThresholdLimits:
    """A threshold with hysteresis, in the unit of the counter.

    A value at `threshold`, or farther out, is beyond it; one at `clear`, or farther in, is within. In between it stays
    what it was. Where both are equal, that value itself is beyond.
    """

    direction: ThresholdDirection
    threshold: float
    clear: float

    @property
    def ordered(self) -> bool:
        """Return whether the clear value is not on the far side of the threshold."""
        return self._sign * self.clear <= self._sign * self.threshold

    @property
    def _sign(self) -> int:
        return -1 if self.direction is ThresholdDirection.BELOW else 1

    def beyond(self, before: bool | None, value: float | None) -> bool | None:
        """True if the counter is beyond the threshold after this value; None: not known yet.

        A value that is not known (a gap, a discontinuity, a reset) decides nothing: it stays what it was.
        """
        if value is None:
            return before
        if self._sign * value >= self._sign * self.threshold:
            return True
        return False if self._sign * value <= self._sign * self.clear else before


def value_expires(valued_at: datetime, interval: float) -> datetime:
    """A value of `valued_at` is out of date from then on; `interval`: seconds between two readings."""
    return valued_at + timedelta(seconds=MAX_GAP_INTERVALS * interval)
