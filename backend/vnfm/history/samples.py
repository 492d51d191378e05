"""The samples of counters and traffic probes that the history holds, as values. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class CounterSample:
    """The counts of an object in a period that begins at `at`, in seconds since 1970."""

    at: float
    seconds: float
    """Time that its values cover."""
    values: Mapping[str, float | None]
    """By column; None: unknown."""
    length: float = 0.0
    """Length of its period, where that is longer than `seconds`; 0: the same."""


@dataclass(frozen=True, slots=True)
class TrafficSample:
    """The counts of a probe on a path, such as `customer-1 → customer-2`, in `seconds` from `at` on.

    `gap` is the longest time without a packet, in seconds.
    """

    path: str
    at: datetime
    seconds: float
    sent: int
    lost: int
    gap: float
