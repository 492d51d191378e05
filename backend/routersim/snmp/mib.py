"""Tables as views of the model: columns read rows, rows come from the element, nothing is copied.

A scalar group is a table with one row of index (0,).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from routersim.model.element import Element
from routersim.snmp.ber import Oid, Tag, Value, oid_octets, row_octets

Reader = Callable[["Scope", Any], Value | None]
"""Value of one cell; None where this row has none. Rows are of whatever type their table gives."""
Writer = Callable[["Scope", Any, int], None]
"""Set one cell. Raises NotWritable when the element would refuse the value."""
Rows = Callable[["Scope"], Mapping[Oid, Any]]


class NotWritable(ValueError):
    """The element refuses this value."""


@dataclass(frozen=True, slots=True)
class Column:
    number: int
    name: str
    tag: Tag
    read: Reader
    write: Writer | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """`oid` is that of the entry (or of the scalars' group). `live`: rows come and go with every change."""

    name: str
    oid: Oid
    rows: Rows
    columns: tuple[Column, ...]
    live: bool = False


SCALAR: Oid = (0,)


def scalars(name: str, oid: Oid, *columns: Column) -> Table:
    """A group of scalars, whose one row is the element."""
    return Table(name, oid, lambda scope: {SCALAR: scope.element}, columns)


class Scope:
    """An element as its tables see it, at one moment. Keeps which rows there are until they change."""

    __slots__ = ("_rows", "element", "now", "parts")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.now = 0.0
        self.parts: dict[str, Any] = {}
        """What a view needs besides the model: the notification log."""
        self._rows: dict[str, tuple[Oid, list[Oid], Mapping[Oid, Any]]] = {}

    def rows(self, table: Table) -> tuple[list[Oid], Mapping[Oid, Any]]:
        """Indexes in order, and the rows by index."""
        element = self.element
        version = (element.version,) if table.live else (element.structure, element.chassis.structure)
        kept = self._rows.get(table.name)
        if kept is None or kept[0] != version:
            rows = table.rows(self)
            kept = self._rows[table.name] = (version, sorted(rows), rows)
        return kept[1], kept[2]


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the tables: `name` is the content octets of its identifier."""

    table: Table
    column: Column
    index: Oid
    row: Any
    name: bytes


class Mib:
    """All tables of a family of elements, in order."""

    def __init__(self, tables: Iterable[Table]) -> None:
        entries = sorted(((*table.oid, column.number), table, column) for table, column in _columns(tables))
        self._prefixes = [entry[0] for entry in entries]
        self._entries = [(table, column, oid_octets(prefix)) for prefix, table, column in entries]

    def find(self, scope: Scope, oid: Oid) -> Cell | Tag:
        """The cell of exactly this name, or which of the two ways it is missing (RFC 3416, 4.2.1)."""
        at = bisect_right(self._prefixes, oid) - 1
        if at < 0 or oid[: len(self._prefixes[at])] != self._prefixes[at]:
            return Tag.NO_SUCH_OBJECT
        table, column, prefix = self._entries[at]
        index = oid[len(self._prefixes[at]) :]
        row = scope.rows(table)[1].get(index)
        return Tag.NO_SUCH_INSTANCE if row is None else Cell(table, column, index, row, prefix + row_octets(index))

    def walk(self, scope: Scope, oid: Oid) -> Iterator[tuple[bytes, Tag, Value]]:
        """Name, tag and value of every cell after this name, in order. The element must not change meanwhile."""
        at = bisect_right(self._prefixes, oid) - 1
        index: Oid = ()
        if at >= 0 and oid[: len(self._prefixes[at])] == self._prefixes[at]:
            index = oid[len(self._prefixes[at]) :]
        else:
            at += 1
        for table, column, prefix in islice(self._entries, at, None):
            keys, rows = scope.rows(table)
            read, tag = column.read, column.tag
            for key in islice(keys, bisect_right(keys, index) if index else 0, None):
                value = read(scope, rows[key])
                if value is not None:
                    yield prefix + row_octets(key), tag, value
            index = ()


def _columns(tables: Iterable[Table]) -> Iterable[tuple[Table, Column]]:
    return ((table, column) for table in tables for column in table.columns)
