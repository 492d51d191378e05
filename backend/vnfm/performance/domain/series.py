"""From what was counted over spans of time to what a chart shows, step by step. Pure; times in seconds.

Each span lies in the steps that it overlaps, by its share: its mean rate is all that is known of it.
A step that nothing was counted in has no value: nothing is made up between two others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MOST_STEPS = 2000


@dataclass(frozen=True, slots=True)
class Span:
    """A row of history."""

    at: float
    seconds: float
    """What its values cover."""
    values: Mapping[str, float | None]
    length: float = 0.0
    """Of the time that it stands for, where that is longer than what it covers; 0: as long as it covers."""


@dataclass(slots=True)
class Step:
    """`seconds` of it are covered; a value is None where that is nothing, or some of it is not known."""

    at: float
    seconds: float = 0.0
    values: dict[str, float | None] = field(default_factory=dict)


def steps(spans: Sequence[Span], names: Sequence[str], *, begin: float, end: float, step: float) -> list[Step]:
    """Rates a second (means of percentages) from `begin` to `end`."""
    count = max(0, -int(-(end - begin) // step))
    found = [Step(begin + number * step) for number in range(count)]
    sums: list[dict[str, float]] = [dict.fromkeys(names, 0.0) for _ in found]
    holes: list[set[str]] = [set() for _ in found]
    for span in spans:
        length = span.length or span.seconds
        first = max(0, int((span.at - begin) // step))
        last = min(count - 1, int((span.at + length - begin) // step))
        for number in range(first, last + 1):
            share = _overlap(span.at, length, found[number].at, step) / length if length else 0.0
            if share <= 0:
                continue
            found[number].seconds += span.seconds * share
            for name in names:
                value = span.values.get(name)
                if value is None:
                    holes[number].add(name)
                else:
                    sums[number][name] += value * share
    for one, summed, hole in zip(found, sums, holes, strict=True):
        one.values = {name: None if name in hole or one.seconds <= 0 else summed[name] / one.seconds for name in names}
    return found


def _overlap(at: float, length: float, begin: float, step: float) -> float:
    return max(0.0, min(at + length, begin + step) - max(at, begin))
