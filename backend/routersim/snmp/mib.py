"""Tables as views of the model: columns read rows, and rows come from the element without a copy.

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
"""Returns the value of a cell, or None if the row has none. The type of rows depends on their table."""
Writer = Callable[["Scope", Any, int], None]
"""Sets a cell. Raises NotWritable if the element refuses the value."""
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
    """A table; `oid` is that of the entry or of a group of scalars. Rows of a `live` one may change at any change."""

    name: str
    oid: Oid
    rows: Rows
    columns: tuple[Column, ...]
    live: bool = False


SCALAR: Oid = (0,)


def scalars(name: str, oid: Oid, *columns: Column) -> Table:
    """Return a group of scalars, whose only row is the element."""
    return Table(name, oid, lambda scope: {SCALAR: scope.element}, columns)


class Scope:
    """An element as its tables read it, at one moment, with a cache of the row indexes."""

    __slots__ = ("_rows", "element", "now", "parts")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.now = 0.0
        self.parts: dict[str, Any] = {}
        """Objects that views need besides the model, such as the notification log."""
        self._rows: dict[str, tuple[Oid, list[Oid], Mapping[Oid, Any]]] = {}

    def rows(self, table: Table) -> tuple[list[Oid], Mapping[Oid, Any]]:
        """Return the indexes in order, and the rows by index."""
        element = self.element
        version = (element.version,) if table.live else (element.structure, element.chassis.structure)
        kept = self._rows.get(table.name)
        if kept is None or kept[0] != version:
            rows = table.rows(self)
            kept = self._rows[table.name] = (version, sorted(rows), rows)
        return kept[1], kept[2]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; `name` is the content octets of its identifier."""

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
        """Return the cell of this name, or noSuchObject or noSuchInstance (RFC 3416, 4.2.1)."""
        at = bisect_right(self._prefixes, oid) - 1
        if at < 0 or oid[: len(self._prefixes[at])] != self._prefixes[at]:
            return Tag.NO_SUCH_OBJECT
        table, column, prefix = self._entries[at]
        index = oid[len(self._prefixes[at]) :]
        row = scope.rows(table)[1].get(index)
        return Tag.NO_SUCH_INSTANCE if row is None else Cell(table, column, index, row, prefix + row_octets(index))

    def walk(self, scope: Scope, oid: Oid) -> Iterator[tuple[bytes, Tag, Value]]:
        """Yield name, tag and value of every cell after this name, in order; the element must not change before."""
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
