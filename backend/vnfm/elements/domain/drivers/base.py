"""Drivers: the tables to read for each part, and pure functions from their rows to our models' terms.

A row that cannot be interpreted is left out and listed in `Snapshot.omissions`: it costs neither its part nor the poll.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from vnfm.devices.octets import decode, printable
from vnfm.devices.types import Index, Table, Value
from vnfm.elements.domain.drivers.tables import table_name
from vnfm.elements.domain.parts import Part
from vnfm.elements.domain.snapshot import (
    ObservedAdjacency,
    ObservedBgpPeer,
    ObservedEquipment,
    ObservedFact,
    ObservedInterface,
    Omission,
    Snapshot,
    SystemGroup,
)

SYSTEM = "1.3.6.1.2.1.1"
SYS_DESCR, SYS_OBJECT_ID, SYS_UPTIME, SYS_NAME, SYS_LOCATION = (f"{SYSTEM}.{n}.0" for n in (1, 2, 3, 5, 6))
SYSTEM_NAMES = (SYS_DESCR, SYS_OBJECT_ID, SYS_UPTIME, SYS_NAME, SYS_LOCATION)
TICKS = 100
"""TimeTicks in a second."""
MAX_FDN = 350
MAX_NAME, MAX_VRF = 255, 100
"""Characters of what identifies a row of ours (an FDN has room for a suffix): one that is cut when it is stored would
differ from what is read at the next poll.
"""
ROW_INDEXES = ("entPhysicalIndex", "hwIndex")
"""Keys of `ObservedEquipment.extra`: the index of the part's row, which the element keeps while the part stays."""


T = TypeVar("T")
ROW_ERRORS = (ArithmeticError, IndexError, KeyError, TypeError, ValueError)
"""Functions that interpret a row raise one of these, where the row does not follow its MIB."""
MAX_LINES = 10
"""Rows of one table that are left out for one reason and are listed one by one; more of them are counted."""
MAX_OMISSIONS = 200
LARGEST = 2**63 - 1
"""The largest number that can be stored."""


class UnusableRowError(ValueError):
    """A row that cannot be shown; its text is the reason, a sentence."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer of an element. `address`: its management address, the root of all its FDNs."""

    address: str
    scalars: Mapping[str, Value]
    table: Table
    omissions: list[Omission] = field(default_factory=list, compare=False)
    """Rows that drivers have left out of it so far."""

    def column(self, name: str) -> Mapping[Index, Value]:
        """The rows of a column as they are; see `rows` for those that are interpreted."""
        return self.table.get(name, {})

    def rows(self, column: str, interpret: Callable[[Index, Value], T], *others: str) -> Iterator[T]:
        """Yield `interpret` of each row of the column; a row for which it raises is left out, and listed.

        A row that only the other columns have is interpreted with the value None: it exists, in an unknown state.
        """
        partial: dict[Index, Value] = {index: None for name in others for index in self.column(name)}
        for index, value in (partial | dict(self.column(column))).items():
            try:
                yield interpret(index, value)
            except UnusableRowError as reason:
                self.omit(column, index, str(reason))
            except ROW_ERRORS:
                self.omit(column, index, "It is not as the MIB has it, so it cannot be interpreted.")

    def omit_partial(self, *columns: str) -> None:
        """List the rows that other columns of the table have and none of these has, without which they are nothing."""
        table, present = columns[0].rpartition(".")[0], {index for name in columns for index in self.column(name)}
        others = (name for name in self.table if name.rpartition(".")[0] == table and name not in columns)
        for index in dict.fromkeys(index for name in others for index in self.column(name)):
            if index not in present:
                leaves = ", ".join(name.rpartition(".")[2] for name in columns)
                self.omit(
                    columns[0], index, f"It is not whole: it has no column {leaves}, without which it is unusable."
                )

    def by_number(self, column: str) -> dict[int, Value]:
        """The values of a table that is indexed by one number."""
        return dict(self.rows(column, lambda index, value: (single(index), value)))

    def omit(self, column: str, index: Index, reason: str) -> None:
        self.omissions.append(Omission(table_name(column), ".".join(map(str, index)), reason))

    def apart(self) -> "Reading":
        """The same answers, whose omissions do not count: they are interpreted for another part."""
        return replace(self, omissions=[])


def single(index: Index) -> int:
    """The number of an index of one. Raises UnusableRowError for any other index."""
    if len(index) != 1:
        raise UnusableRowError(f"Its index has {len(index)} numbers instead of 1.")
    return index[0]


@dataclass(frozen=True, slots=True)
class TableSource:
    """The columns that one part is read from.

    `states`: those of `columns` that are read at every poll; a change in them has all columns read. They must hold
    nothing that changes all the time, such as counters and temperatures. `required`: further ones that decide which
    rows there are, what identifies them or what their state is; without one of these nothing is said of the part.
    """

    columns: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
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
    """This and `software_version` read sysDescr."""
    software_version: Callable[[str], str] = _empty
    lists_cards: bool = True
    """Its equipment has cards; a router without any is its one computer, which is in service when it answers."""
    lists_alarms: bool = False
    """Its FACTS include the element's own active alarms, as facts `active_alarm`."""
    gauges: frozenset[Part] = frozenset()
    """Parts with columns that change without any state, such as numbers of prefixes: read again now and then."""
    many_gauges: bool = False
    """They are many columns: read again only while an element changes."""
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
        reading, requested = reading.apart(), frozenset(parts)
        return Snapshot(
            equipment=unique_fdns(self.equipment(reading)) if "EQUIPMENT" in requested else None,
            interfaces=tuple(self.interfaces(reading)) if "INTERFACES" in requested else None,
            bgp_peers=tuple(self.bgp_peers(reading)) if "BGP" in requested else None,
            facts=tuple(self.facts(reading)) if "FACTS" in requested else None,
            adjacencies=_neighbours(reading, self.adjacencies) if "NEIGHBOURS" in requested else None,
            omissions=summarised(reading.omissions),
        )

    def system(self, scalars: Mapping[str, Value]) -> SystemGroup:
        descr, ticks = text(scalars.get(SYS_DESCR)), number(scalars.get(SYS_UPTIME))
        return SystemGroup(
            sys_name=text(scalars.get(SYS_NAME)),
            sys_descr=descr,
            sys_object_id=text(scalars.get(SYS_OBJECT_ID)),
            location=text(scalars.get(SYS_LOCATION)),
            uptime=None if ticks is None else ticks / TICKS,
            chassis_type=self.chassis_type(descr),
            software_version=self.software_version(descr),
        )


def _distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _neighbours(
    reading: Reading, adjacencies: Callable[[Reading], Iterable[ObservedAdjacency]]
) -> tuple[ObservedAdjacency, ...]:
    """Each neighbour once: the first of several rows, the others are listed as omissions."""
    found: dict[Hashable, ObservedAdjacency] = {}
    for listed in adjacencies(reading):
        row = replace(
            listed,
            local_port=listed.local_port[:MAX_NAME],
            remote_id=listed.remote_id[:MAX_NAME],
            remote_port=listed.remote_port[:MAX_NAME],
        )
        key = (row.protocol, row.local_port, row.remote_id, row.remote_port)
        if found.setdefault(key, row) is not row:
            name = row.remote_name or row.remote_id
            table = {"LLDP": "lldpRemTable", "OSPF": "ospfNbrTable"}.get(row.protocol, "BFD sessions")
            words = (
                f"{name} on {row.local_port or 'a port that is not known'} is listed more than once: the first counts."
            )
            reading.omissions.append(Omission(table, row.remote_address, words))
    return tuple(found.values())


def summarised(omissions: Iterable[Omission]) -> tuple[Omission, ...]:
    """Each once; rows of one table that are left out for one reason are counted where they are many."""
    groups: dict[tuple[str, str], list[Omission]] = defaultdict(list)
    for omission in dict.fromkeys(omissions):
        groups[omission.table, omission.reason].append(omission)
    lines = [
        line
        for (table, reason), rows in groups.items()
        for line in (
            rows if len(rows) <= MAX_LINES else [Omission(table, "", f"{len(rows)} rows, as {rows[0].index}: {reason}")]
        )
    ]
    if len(lines) > MAX_OMISSIONS:
        rest = Omission("", "", f"{len(lines) - MAX_OMISSIONS} more lines are not listed.")
        lines = [*lines[:MAX_OMISSIONS], rest]
    return tuple(lines)


def text(value: Value) -> str:
    """Octets as text that can be shown, at most `MAX_TEXT` characters of it."""
    if isinstance(value, bytes):
        return decode(value)
    return "" if value is None else printable(str(value))


def number(value: Value) -> int | None:
    """Return None for anything but a number, and for one that no element can mean: it needs more than 63 bits."""
    if not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        return None
    return int(value)


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
    """Return the FDN of a control card or line card."""
    return f"{shelf_fdn(address, shelf)}:cardSlot-{slot}:card"


def mda_fdn(card: str, slot: str) -> str:
    return f"{card}:daughterCardSlot-{slot}:daughterCard"


def unique_fdns(parts: Iterable[ObservedEquipment]) -> tuple[ObservedEquipment, ...]:
    """All parts, each with an FDN of its own: a part whose FDN another one has gets a suffix, the index of its row."""
    found: dict[str, ObservedEquipment] = {}
    repeated: Counter[str] = Counter()
    for part in parts:
        own = part.fdn[:MAX_FDN]
        index = next((part.extra[name] for name in ROW_INDEXES if name in part.extra), part.if_index)
        fdn = own if own not in found or index is None else f"{own}.{index}"
        while fdn in found:
            repeated[own] += 1
            fdn = f"{own}.{index or 'row'}.{repeated[own]}"
        found[fdn] = replace(part, fdn=fdn, parent_fdn=part.parent_fdn[:MAX_FDN])
    return tuple(found.values())
