"""Compares what a walk of an agent has with what is shown of it: no row is left out without a line. Pure.

A row is shown where the product shows something else without it, or with other values in it: each row is taken away
and changed once. One whose address is shown is shown by another table. All others need an omission that names them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vnfm.devices.types import Index, Table, Value
from vnfm.elements.domain.drivers.base import Driver, Reading
from vnfm.elements.domain.drivers.standard import inet_address
from vnfm.elements.domain.drivers.tables import table_name
from vnfm.elements.domain.snapshot import Omission, Snapshot

LOOKUP_TABLES = frozenset({"lldpLocPortTable", "tmnxCardTypeTable", "tmnxMdaTypeTable"})
"""Names for the values of other tables: a row that none of them has shows nothing."""
ENTITIES = "entPhysicalTable"
OF_ENTITIES = frozenset({"entAliasMappingTable", "entStateTable", "hwEntityStateTable"})
"""Further columns of its rows: what is left out of that table is left out of these. The state of a port is often that
of its interface instead."""
_IPV4_ARCS = 4


@dataclass(slots=True)
class TableCount:
    """Rows of one table that is read. All of them are in one of the counts; `unexplained` should be empty."""

    table: str
    objects: int
    rows: int
    shown: int = 0
    elsewhere: int = 0
    """Shown by another table, or a name that no row needs."""
    left_out: int = 0
    unchecked: int = 0
    unexplained: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Omitted:
    """The omissions of a reading, row by row, and of whole tables."""

    rows: Mapping[tuple[str, str], str]
    tables: Mapping[str, Collection[str]]


def omitted(driver: Driver, reading: Reading, parts: Iterable[str]) -> Omitted:
    """Unlike `Snapshot.omissions` without a limit, and each row by itself."""
    known = reading.apart()
    functions: Mapping[str, Callable[[Reading], Iterable[Any]]] = {
        "EQUIPMENT": driver.equipment,
        "INTERFACES": driver.interfaces,
        "BGP": driver.bgp_peers,
        "FACTS": driver.facts,
        "NEIGHBOURS": driver.adjacencies,
    }
    for part in parts:
        for _ in functions[part](known):
            pass
    lines = (*known.omissions, *driver.snapshot(reading, parts).omissions)
    tables: dict[str, set[str]] = defaultdict(set)
    for each in lines:
        if not each.index:
            tables[each.table].add(each.reason)
    return Omitted({(each.table, each.index): each.reason for each in lines if each.index}, tables)


def compare(
    driver: Driver, reading: Reading, parts: frozenset[str], unread: Iterable[Omission], in_time: Callable[[], bool]
) -> list[TableCount]:
    """Count the rows of each table that is read. Rows for which no time is left are `unchecked`."""
    columns = defaultdict(list)
    for column in driver.columns(parts):
        if reading.column(column):
            columns[table_name(column)].append(column)
    explained, addresses = omitted(driver, reading, parts), _addresses(driver.snapshot(reading, parts))
    reasons = dict(explained.tables)
    reasons |= {table: reasons[ENTITIES] for table in OF_ENTITIES if ENTITIES in reasons and table not in reasons}
    left = {table: sum(map(_number_in, lines)) for table, lines in reasons.items()}
    entities = _entities(driver.snapshot(reading, parts))
    whole = {each.table: each.reason for each in unread}
    counts = []
    for table, names in columns.items():
        indexes = sorted({index for name in names for index in reading.column(name)})
        count = TableCount(table, sum(len(reading.column(name)) for name in names), len(indexes))
        readers = frozenset(
            part
            for part, source in driver.sources.items()
            if part in parts and not set(names).isdisjoint(source.columns)
        )
        before = replace(driver.snapshot(reading, readers), omissions=())
        for index in indexes:
            reason = explained.rows.get((table, ".".join(map(str, index)))) or whole.get(table)
            if reason:
                count.left_out += 1
                count.reasons[reason] += 1
            elif not in_time():
                count.unchecked += 1
            elif any(_with(driver, reading, readers, cells) != before for cells in _changes(reading, names, index)):
                count.shown += 1
            elif (
                table in LOOKUP_TABLES
                or (table in OF_ENTITIES and index[0] in entities)
                or not addresses.isdisjoint(_addresses_in(index))
            ):
                count.elsewhere += 1
            elif left.get(table, 0) > 0:
                left[table] -= 1
                count.left_out += 1
                count.reasons[" ".join(sorted(reasons[table]))] += 1
            else:
                count.unexplained.append(".".join(map(str, index)))
        counts.append(count)
    return counts


def _changes(reading: Reading, names: list[str], index: Index) -> Iterator[Table]:
    """The columns of a table without the row, and with other values in it."""
    columns = {name: reading.column(name) for name in names if index in reading.column(name)}
    yield {name: {key: value for key, value in rows.items() if key != index} for name, rows in columns.items()}
    for step in (1, 2):
        yield {name: {**rows, index: _other(rows[index], step)} for name, rows in columns.items()}


def _other(value: Value, step: int) -> Value:
    if isinstance(value, bytes):
        return b"~" * step + value
    if isinstance(value, str):
        stem, dot, last = value.rpartition(".")
        return f"{stem}{dot}{int(last) + step}" if last.isdecimal() else f"~{value}"
    return value + step if isinstance(value, int) and value < 1 << 31 else step


def _with(driver: Driver, reading: Reading, parts: frozenset[str], columns: Table) -> Snapshot:
    changed = replace(reading, table={**reading.table, **columns})
    return replace(driver.snapshot(changed, parts), omissions=())


def _number_in(reason: str) -> int:
    """Read the number of rows from "12 rows of the class sensor …"; other lines stand for all rows of their table."""
    first = reason.split(" ", 1)[0]
    return int(first) if first.isdecimal() else 1 << 30


def _entities(snapshot: Snapshot) -> set[object]:
    """Return the entPhysicalIndex of all parts that are shown."""
    return {part.extra.get("entPhysicalIndex") for part in snapshot.equipment or ()}


def _addresses(snapshot: Snapshot) -> set[str]:
    found = {address.partition("/")[0] for row in snapshot.interfaces or () for address in row.addresses}
    found |= {peer.peer_address for peer in snapshot.bgp_peers or ()}
    return found | {row.remote_address for row in snapshot.adjacencies or ()}


def _addresses_in(index: Index) -> set[str]:
    """Those that a row's index may hold, alone or behind other numbers."""
    found = {".".join(map(str, index[-_IPV4_ARCS:]))} if len(index) >= _IPV4_ARCS else set()
    for at in range(len(index)):
        try:
            found.add(inet_address(index[at:]))
        except ValueError:
            continue
    return found - {""}
