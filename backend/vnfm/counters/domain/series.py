"""Rates in equal steps from rows of history. Times in seconds.

Each row is distributed over the steps that it overlaps, in proportion: only its mean rate is known.
A step without a row has no value: nothing is interpolated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil

from vnfm.history.samples import CounterSample

MAX_STEPS = 2000


@dataclass(frozen=True, slots=True)
class CounterMean:
    """The mean of a counter between two readings; None: unknown."""

    begin: datetime
    end: datetime
    value: float | None


@dataclass(slots=True)
class Point:
    """A step of a chart, of which `seconds` are covered. A value is None if nothing is covered or a part unknown."""

    at: float
    seconds: float = 0.0
    values: dict[str, float | None] = field(default_factory=dict)


def rates_by_step(
    samples: Sequence[CounterSample], names: Sequence[str], *, begin: float, end: float, step: float
) -> list[Point]:
    """Rates a second (means of percentages) from `begin` to `end`."""
    # Seconds since 1970 are exact to a fraction of a microsecond, which must not make a step of its own.
    count = max(0, ceil(round((end - begin) / step, 6)))
    found = [Point(begin + number * step) for number in range(count)]
    sums: list[dict[str, float]] = [dict.fromkeys(names, 0.0) for _ in found]
    holes: list[set[str]] = [set() for _ in found]
    for sample in samples:
        length = sample.length or sample.seconds
        first = max(0, int((sample.at - begin) // step))
        last = min(count - 1, int((sample.at + length - begin) // step))
        for number in range(first, last + 1):
            share = _overlap(sample.at, length, found[number].at, step) / length if length else 0.0
            if share <= 0:
                continue
            found[number].seconds += sample.seconds * share
            for name in names:
                value = sample.values.get(name)
                if value is None:
                    holes[number].add(name)
                else:
                    sums[number][name] += value * share
    for each, summed, hole in zip(found, sums, holes, strict=True):
        each.values = {
            name: None if name in hole or not each.seconds else summed[name] / each.seconds for name in names
        }
    return found


def _overlap(at: float, length: float, begin: float, step: float) -> float:
    return max(0.0, min(at + length, begin + step) - max(at, begin))
