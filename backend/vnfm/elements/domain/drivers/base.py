"""Drivers: the tables to read for each part, and pure functions from their rows to our models' terms."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vnfm.devices.types import Index, Table, Value
from vnfm.elements.domain.parts import Part
from vnfm.elements.domain.snapshot import (
    ObservedAdjacency,
    ObservedBgpPeer,
    ObservedEquipment,
    ObservedFact,
    ObservedInterface,
    Snapshot,
    SystemGroup,
)

SYSTEM = "1.3.6.1.2.1.1"
SYS_DESCR, SYS_OBJECT_ID, SYS_UPTIME, SYS_NAME, SYS_LOCATION = (f"{SYSTEM}.{n}.0" for n in (1, 2, 3, 5, 6))
SYSTEM_NAMES = (SYS_DESCR, SYS_OBJECT_ID, SYS_UPTIME, SYS_NAME, SYS_LOCATION)
TICKS = 100
"""TimeTicks in a second."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an element answered. `address`: its management address, the root of all its FDNs."""

    address: str
    scalars: Mapping[str, Value]
    table: Table

    def column(self, name: str) -> Mapping[Index, Value]:
        return self.table.get(name, {})


@dataclass(frozen=True, slots=True)
class TableSource:
    """The columns that one part is read from.

    `states`: those of `columns` that are read at every poll; a change in them has all columns read. They must hold
    nothing that changes all the time, such as counters and temperatures.
    """

    columns: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    scalars: tuple[str, ...] = ()


def _empty(descr: str) -> str:
    return ""


def _no_facts(reading: Reading) -> tuple[ObservedFact, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Driver:
    """`object_ids` are prefixes of the sysObjectIDs that it fits."""

    name: str
    object_ids: tuple[str, ...]
    sources: Mapping[Part, TableSource]
    equipment: Callable[[Reading], Iterable[ObservedEquipment]]
    interfaces: Callable[[Reading], Iterable[ObservedInterface]]
    bgp_peers: Callable[[Reading], Iterable[ObservedBgpPeer]]
    adjacencies: Callable[[Reading], Iterable[ObservedAdjacency]]
    facts: Callable[[Reading], Iterable[ObservedFact]] = _no_facts
    chassis_type: Callable[[str], str] = _empty
    """From sysDescr."""
    software_version: Callable[[str], str] = _empty
    lists_cards: bool = True
    """Its equipment has cards; a router without any is its one computer, which is in service when it answers."""
    lists_alarms: bool = False
    """Its FACTS include the element's own active alarms, as facts `active_alarm`."""
    gauges: frozenset[Part] = frozenset()
    """Parts with columns that change without any state, such as numbers of prefixes: read again now and then."""
    repetitions: int | None = None
    """max-repetitions of GETBULK at most, where a row costs the agent much; those beyond the column are wasted."""
    counts_traps: bool = False
    """The request-ids of its notifications are consecutive: missing ones were lost."""

    def fits(self, sys_object_id: str) -> bool:
        return any(sys_object_id == known or sys_object_id.startswith(f"{known}.") for known in self.object_ids)

    def columns(self, parts: Iterable[str]) -> tuple[str, ...]:
        """All columns of these parts, each once."""
        return _distinct_names(
            column for part, source in self.sources.items() if part in parts for column in source.columns
        )

    def states(self) -> tuple[str, ...]:
        return _distinct_names(column for source in self.sources.values() for column in source.states)

    def scalars(self) -> tuple[str, ...]:
        """Read with the system group, at every poll."""
        return _distinct_names(name for source in self.sources.values() for name in source.scalars)

    def snapshot(self, reading: Reading, parts: Iterable[str]) -> Snapshot:
        """The parts that were read."""
        requested = frozenset(parts)
        return Snapshot(
            equipment=tuple(self.equipment(reading)) if "EQUIPMENT" in requested else None,
            interfaces=tuple(self.interfaces(reading)) if "INTERFACES" in requested else None,
            bgp_peers=tuple(self.bgp_peers(reading)) if "BGP" in requested else None,
            facts=tuple(self.facts(reading)) if "FACTS" in requested else None,
            adjacencies=tuple(self.adjacencies(reading)) if "NEIGHBOURS" in requested else None,
        )

    def system(self, scalars: Mapping[str, Value]) -> SystemGroup:
        descr = text(scalars.get(SYS_DESCR))
        return SystemGroup(
            sys_name=text(scalars.get(SYS_NAME)),
            sys_descr=descr,
            sys_object_id=text(scalars.get(SYS_OBJECT_ID)),
            location=text(scalars.get(SYS_LOCATION)),
            uptime=(number(scalars.get(SYS_UPTIME)) or 0) / TICKS,
            chassis_type=self.chassis_type(descr),
            software_version=self.software_version(descr),
        )


def _distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def text(value: Value) -> str:
    """Octets as text, without the NULs that some agents pad with."""
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return "" if value is None else str(value).replace("\0", "").strip()


def number(value: Value) -> int | None:
    return int(value) if isinstance(value, int | float) else None


def enum_name(value: Value, words: Mapping[int, str], otherwise: str = "UNKNOWN") -> str:
    """The name of an enumerated integer."""
    code = number(value)
    return words.get(code, otherwise) if code is not None else otherwise


def mac(value: Value) -> str:
    return ":".join(f"{octet:02x}" for octet in value) if isinstance(value, bytes) else ""


def network_fdn(address: str) -> str:
    return f"network:{address}"


def shelf_fdn(address: str, shelf: str = "1") -> str:
    return f"{network_fdn(address)}:shelf-{shelf}"


def card_fdn(address: str, slot: str, shelf: str = "1") -> str:
    """Of a card, control or line (domain facts, 3.3)."""
    return f"{shelf_fdn(address, shelf)}:cardSlot-{slot}:card"


def mda_fdn(card: str, slot: str) -> str:
    return f"{card}:daughterCardSlot-{slot}:daughterCard"


def first_by_fdn(parts: Sequence[ObservedEquipment]) -> tuple[ObservedEquipment, ...]:
    """Each FDN once: the first of several, as parts with one FDN cannot be distinguished."""
    return tuple({part.fdn: part for part in reversed(parts)}.values())[::-1]
