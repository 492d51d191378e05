"""Stores elements and chassis across restarts, one JSON document each, in SQLite.

Each change is written to the page cache: it survives `kill -9`, but not a power cut.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from routersim.model.element import Chassis, Element

T = TypeVar("T")


def dump(value: Any) -> Any:
    """Return a dataclass as JSON values, with the serial number for an element's chassis, as it may be shared."""
    if is_dataclass(value):
        document = {field.name: dump(getattr(value, field.name)) for field in fields(value)}
        if isinstance(value, Element):
            document["chassis"] = value.chassis.serial
        return document
    if isinstance(value, list):
        return [dump(item) for item in value]
    return value


_HINTS: dict[type[Any], dict[str, Any]] = {}
"""The type hints by class, cached since their computation takes longer than loading an object."""


def load(kind: type[T], document: dict[str, Any]) -> T:
    """Return the object of a `dump`."""
    hints = _HINTS.get(kind) or _HINTS.setdefault(kind, get_type_hints(kind))
    return kind(**{name: _loaded(hints[name], value) for name, value in document.items() if name in hints})


def _loaded(hint: Any, value: Any) -> Any:
    if get_origin(hint) is list:
        (item,) = get_args(hint)
        return [_loaded(item, one) for one in value]
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, dict):
        return load(hint, value)
    return value


class Store:
    """Documents by kind and name."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS document (kind TEXT, name TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, name))"
            " WITHOUT ROWID"
        )

    def elements(self) -> list[Element]:
        """Return all stored elements; elements of one chassis share its object."""
        chassis = {name: load(Chassis, body) for name, body in self._all("chassis")}
        found = []
        for _, body in self._all("element"):
            found.append(load(Element, {**body, "chassis": chassis[body["chassis"]]}))
        return found

    def _all(self, kind: str) -> Iterable[tuple[str, dict[str, Any]]]:
        rows = self._db.execute("SELECT name, body FROM document WHERE kind = ? ORDER BY name", (kind,)).fetchall()
        return [(name, json.loads(body)) for name, body in rows]

    def save(self, elements: Iterable[Element]) -> None:
        """Write them and their chassis in one transaction."""
        rows: dict[tuple[str, str], Any] = {}
        for element in elements:
            rows["element", element.name] = element
            rows["chassis", element.chassis.serial] = element.chassis
        documents = [(*key, json.dumps(dump(value), separators=(",", ":"))) for key, value in rows.items()]
        self._db.execute("BEGIN")
        self._db.executemany("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", documents)
        self._db.execute("COMMIT")

    def delete(self, element: Element, *, chassis: bool) -> None:
        """Remove an element, and its chassis when it was the last on it."""
        self._db.execute("DELETE FROM document WHERE kind = 'element' AND name = ?", (element.name,))
        if chassis:
            self._db.execute("DELETE FROM document WHERE kind = 'chassis' AND name = ?", (element.chassis.serial,))

    def text(self, name: str, generate: Callable[[], str]) -> str:
        """A text that is generated once, such as a key."""
        found = self._db.execute("SELECT body FROM document WHERE kind = 'text' AND name = ?", (name,)).fetchone()
        if found is not None:
            return str(found[0])
        text = generate()
        self._db.execute("INSERT INTO document VALUES ('text', ?, ?)", (name, text))
        return text

    def close(self) -> None:
        self._db.close()
