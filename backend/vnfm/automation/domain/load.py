"""A load over time: a step function, given by samples that hold until the next."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime


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


def _run(samples: Iterable[Sample], holds: Callable[[float | None], bool]) -> datetime | None:
    since = None
    for sample in _latest_first(samples):
        if not holds(sample.value):
            break
        since = sample.at
    return since


def _latest_first(samples: Iterable[Sample]) -> list[Sample]:
    """Of two samples of one time, an unknown value goes first, as the more careful one."""
    return sorted(samples, key=lambda s: (s.at, s.value is None, s.value or 0.0), reverse=True)
