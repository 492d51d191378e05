"""Counters, histograms and gauges of a process: what was counted since the last flush, in memory.

No client library: a process holds increments only until they are added to the totals, and most processes never show
any. The web process shows them by `prometheus_client`.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import ClassVar

MAX_SERIES = 500
"""Sets of label values that one metric may have in a process between two flushes; others are counted as OTHER."""
OTHER = "other"
MAX_LABEL = 200

Key = tuple[str, tuple[str, ...]]
"""A metric's name, and its label values."""


@dataclass(slots=True)
class Increment:
    """An addition to a total; `buckets` as in `models.MetricTotal`."""

    value: float = 0.0
    buckets: list[int] = field(default_factory=list)


_lock = Lock()
_pending: dict[Key, Increment] = {}
_series: dict[str, int] = {}


def take() -> dict[Key, Increment]:
    """Return the counts since the last call."""
    with _lock:
        counted = dict(_pending)
        _pending.clear()
        _series.clear()
    return counted


def give_back(counted: dict[Key, Increment]) -> None:
    """Count again what could not be stored."""
    with _lock:
        for (name, labels), increment in counted.items():
            _add(name, labels, increment.value, increment.buckets)


def _add(name: str, labels: tuple[str, ...], value: float, buckets: Sequence[int]) -> None:
    found = _pending.get((name, labels))
    if found is None:
        if _series.get(name, 0) >= MAX_SERIES:
            labels = (OTHER,) * len(labels)
        else:
            _series[name] = _series.get(name, 0) + 1
        found = _pending.setdefault((name, labels), Increment(buckets=[0] * len(buckets)))
    found.value += value
    found.buckets = [had + more for had, more in zip(found.buckets, buckets, strict=True)]


@dataclass(frozen=True, slots=True)
class Metric:
    """`name` and `help` as Prometheus shows them; `labels` are label names."""

    kind: ClassVar[str]
    name: str
    help: str
    labels: tuple[str, ...] = ()


def _texts(metric: Metric, values: Sequence[object]) -> tuple[str, ...]:
    assert len(values) == len(metric.labels), f"{metric.name} has the labels {metric.labels}, not {values}"
    return tuple(str(value)[:MAX_LABEL].replace("\0", "") for value in values)


@dataclass(frozen=True, slots=True)
class Counter(Metric):
    kind = "counter"

    def add(self, *labels: object, amount: float = 1.0) -> None:
        """Count `amount` more for these label values."""
        texts = _texts(self, labels)
        with _lock:
            _add(self.name, texts, amount, ())


@dataclass(frozen=True, slots=True)
class Histogram(Metric):
    """`bounds`: upper bounds of the buckets, ascending, without infinity; in the unit that the name ends with."""

    kind = "histogram"
    bounds: tuple[float, ...] = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)

    def observe(self, value: float, *labels: object) -> None:
        """Count one observation."""
        texts, buckets = _texts(self, labels), [0] * (len(self.bounds) + 1)
        buckets[bisect_left(self.bounds, value)] = 1
        with _lock:
            _add(self.name, texts, value, buckets)

    @contextmanager
    def time(self, *labels: object) -> Iterator[None]:
        """Observe the seconds that the block takes, also when it fails."""
        began = monotonic()
        try:
            yield
        finally:
            self.observe(monotonic() - began, *labels)


@dataclass(frozen=True, slots=True)
class Gauge(Metric):
    """A present value that each process reads at its flush: see `read_by`."""

    kind = "gauge"

    def read_by(self, read: Callable[[], float], *labels: object) -> None:
        """Have `read` called at each flush of this process."""
        _readers[self.name, _texts(self, labels)] = read


_readers: dict[Key, Callable[[], float]] = {}


def gauges() -> dict[Key, float]:
    """The present values of this process."""
    return {key: read() for key, read in _readers.items()}
