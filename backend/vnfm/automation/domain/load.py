"""A load over time: a step function, given by samples that hold until the next."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Sample:
    at: datetime
    value: float | None
    """None: unknown from here on."""


@dataclass(frozen=True, slots=True)
class Load:
    """One metric of one VNF instance."""

    samples: tuple[Sample, ...]
    """In any order, up to the one that holds now."""
    words: str = ""
    """Why the value is unknown, if it is."""

    @property
    def value(self) -> float | None:
        """The value now."""
        return _latest_first(self.samples)[0].value

    def unknown_since(self) -> datetime | None:
        """Since when the value is unknown; None when it is known now."""
        return _run(self.samples, lambda value: value is None)

    def true_since(self, holds: Callable[[float], bool]) -> datetime | None:
        """Since when `holds` has been true without a break; None when it is not now, or the value is unknown."""
        return _run(self.samples, lambda value: value is not None and holds(value))


def mean(loads: Sequence[Sequence[Sample]]) -> tuple[Sample, ...]:
    """The mean of several step functions; unknown while one of them is."""
    changes = [(sample, index) for index, samples in enumerate(loads) for sample in samples]
    changes.sort(key=lambda change: _order(change[0]))
    values: list[float | None] = [None] * len(loads)
    merged = []
    for at, group in groupby(changes, key=lambda change: change[0].at):
        for sample, index in group:
            values[index] = sample.value
        merged.append(Sample(at, _mean(values)))
    return tuple(merged)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _run(samples: Iterable[Sample], holds: Callable[[float | None], bool]) -> datetime | None:
    since = None
    for sample in _latest_first(samples):
        if not holds(sample.value):
            break
        since = sample.at
    return since


def _latest_first(samples: Iterable[Sample]) -> list[Sample]:
    return sorted(samples, key=_order, reverse=True)


def _order(sample: Sample) -> tuple[datetime, bool, float]:
    """An unknown value counts as the later one of two samples of one time, as the more careful one."""
    return sample.at, sample.value is None, sample.value or 0.0
