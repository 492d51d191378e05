"""Boards of charts: which series a chart may have, and the order of charts and boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from vnfm.counters.domain.counters import COUNTERS, SYSTEM

MAX_BOARDS = 50
"""A user may have as many."""
MAX_CHARTS = 60
"""A board may have as many."""
MAX_SERIES = 6
"""A chart may have as many: more lines are indistinguishable."""

T = TypeVar("T")


class SourceType(StrEnum):
    """A series is measured at one of these."""

    ELEMENT = "NETWORK_ELEMENT"
    INSTANCE = "VNF_INSTANCE"
    """Traffic probes measure it."""


PROBE_COUNTERS = {"sent": "packet/s", "lost": "packet/s", "gap": "s"}
"""Counters of a path of a VNF instance, with their units."""
_OF_ELEMENT = ("cpu", "memory")


@dataclass(frozen=True, slots=True)
class SeriesRef:
    """A counter of `object`: an interface by name or SYSTEM; of a VNF instance a path of its probes."""

    source_type: SourceType
    source_id: UUID
    object: str
    counter: str
    source_name: str = ""
    """The name that the source had when the series was added: it names the source after its removal."""

    @property
    def key(self) -> tuple[SourceType, UUID, str, str]:
        """Equal for series of the same values."""
        return self.source_type, self.source_id, self.object, self.counter

    @property
    def unit(self) -> str:
        """The unit of its values."""
        return PROBE_COUNTERS[self.counter] if self.counter in PROBE_COUNTERS else COUNTERS[self.counter].unit

    def as_json(self) -> dict[str, str]:
        """Return the form in which it is stored."""
        return {
            "source_type": self.source_type.value,
            "source_id": str(self.source_id),
            "source_name": self.source_name,
            "object": self.object,
            "counter": self.counter,
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "SeriesRef":
        """Read what `as_json` returned."""
        return cls(
            source_type=SourceType(stored["source_type"]),
            source_id=UUID(stored["source_id"]),
            source_name=stored["source_name"],
            object=stored["object"],
            counter=stored["counter"],
        )


def counters_of(source_type: SourceType, name: str) -> tuple[str, ...]:
    """The counters that an object of such a source has."""
    if source_type == SourceType.INSTANCE:
        return tuple(PROBE_COUNTERS)
    return tuple(counter for counter in COUNTERS if (counter in _OF_ELEMENT) == (name == SYSTEM))


def moved(items: Sequence[T], item: T, to: int) -> list[T]:
    """The items with that one at place `to`, from 0 on; the last place where there are fewer."""
    others = [each for each in items if each != item]
    return [*others[:to], item, *others[to:]]
