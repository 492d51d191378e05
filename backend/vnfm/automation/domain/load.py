"""How a load has been: a step function of time, told by samples of which each holds until the next."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Sample:
    at: datetime
    value: float | None
    """None: from here on nobody knows."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a source knows of one metric of one VNF instance."""

    samples: tuple[Sample, ...]
    """In any order, up to the one that holds now."""
    words: str = ""
    """Why it does not know, where it does not."""

    @property
    def value(self) -> float | None:
        """The value now."""
        return _latest_first(self.samples)[0].value

    def unknown_since(self) -> datetime | None:
        """Since when nobody knows; None when it is known now."""
        return _run(self.samples, lambda value: value is None)

    def held_since(self, holds: Callable[[float], bool]) -> datetime | None:
        """Since when the value has been so without a break; None when it is not so now, or not known."""
        return _run(self.samples, lambda value: value is not None and holds(value))


def _run(samples: Iterable[Sample], holds: Callable[[float | None], bool]) -> datetime | None:
    since = None
    for sample in _latest_first(samples):
        if not holds(sample.value):
            break
        since = sample.at
    return since


def _latest_first(samples: Iterable[Sample]) -> list[Sample]:
    """Of two samples of one moment, not knowing goes before any value, as the more careful one."""
    return sorted(samples, key=lambda s: (s.at, s.value is None, s.value or 0.0), reverse=True)
