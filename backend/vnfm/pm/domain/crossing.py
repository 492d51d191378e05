"""When a threshold is crossed (SOL003 6.5.3.3)."""

from typing import Literal

Direction = Literal["UP", "DOWN"]


def crossed(before: Direction | None, value: float, threshold: float, hysteresis: float) -> Direction | None:
    """The side on which `value` is after `before`: UP from threshold + hysteresis on, DOWN from threshold - hysteresis
    on; in between it stays. None: not known yet.
    """
    if value >= threshold + hysteresis:
        return "UP"
    return "DOWN" if value <= threshold - hysteresis else before


def notified(before: Direction | None, after: Direction | None) -> bool:
    """Whether subscribers are notified. A value that was never above does not cross it downwards."""
    return after != before and not (before is None and after == "DOWN")
