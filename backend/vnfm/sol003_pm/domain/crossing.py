"""When a threshold is crossed (SOL003 6.5.3.3)."""

from typing import Literal

from vnfm.counters.domain.crossing import ThresholdDirection, ThresholdLimits

Direction = Literal["UP", "DOWN"]


def crossed(before: Direction | None, value: float | None, threshold: float, hysteresis: float) -> Direction | None:
    """The side on which `value` is after `before`: UP from threshold + hysteresis on, DOWN from threshold - hysteresis
    on; in between, and without a value, it stays. None: not known yet.
    """
    limits = ThresholdLimits(ThresholdDirection.ABOVE, threshold + hysteresis, threshold - hysteresis)
    beyond = limits.beyond(None if before is None else before == "UP", value)
    return None if beyond is None else "UP" if beyond else "DOWN"


def notified(before: Direction | None, after: Direction | None) -> bool:
    """Return whether subscribers are notified. A value that was never above does not cross it downwards."""
    return after != before and not (before is None and after == "DOWN")
