"""Parts of a network element as they are stored: what was read of them last, and since when their state is the same."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from vnfm.elements.domain.snapshot import (
    ObservedAdjacency,
    ObservedBgpPeer,
    ObservedEquipment,
    ObservedFact,
    ObservedInterface,
    ObservedPart,
)

UNKNOWN_ACCEPTED = "unknownAccepted"
"""Key of `EquipmentState.extra`: a resync accepted that the state of the part is unknown, which it is since then."""


@dataclass(frozen=True, slots=True)
class EquipmentState(ObservedEquipment):
    since: datetime = field(kw_only=True)
    vnfc_id: UUID | None = None
    """The VNFC that is this card."""


@dataclass(frozen=True, slots=True)
class InterfaceState(ObservedInterface):
    since: datetime = field(kw_only=True)
    port_down: bool = False
    """Whether the port, or aggregation, that it is on is down, by a fault or administratively."""


@dataclass(frozen=True, slots=True)
class PeerState(ObservedBgpPeer):
    since: datetime = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class AdjacencyState(ObservedAdjacency):
    since: datetime = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class FactState(ObservedFact):
    since: datetime


S = TypeVar("S", bound=EquipmentState | InterfaceState | PeerState | AdjacencyState | FactState)


def entered_at(since: datetime, kind: type[S], parts: Iterable[ObservedPart] | None) -> tuple[S, ...]:
    """Return parts that were just read as if all had entered their states at `since`; none where none were read."""
    return tuple(
        kind(**{each.name: getattr(part, each.name) for each in fields(part)}, since=since) for part in parts or ()
    )
