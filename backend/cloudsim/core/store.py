"""The document store: every resource is a JSON document, in memory for speed and in SQLite for restarts.

Memory is authoritative while the process runs; ``flush`` writes all changes in one transaction. HTTP calls flush before
they answer, so answered changes survive ``kill -9`` but not a power cut (SQLite runs with ``synchronous=OFF``, and the
page cache survives a dead process).
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from cloudsim.core.bus import ChangeBus

Doc = dict[str, Any]
"""A resource document, with JSON types only."""

IndexKeys = Callable[[Doc], Iterable[Hashable]]


class Store:
    """Documents by kind and id, in insertion order, with secondary indexes.

    ``get``, ``list`` and ``find`` return the documents themselves: change one and ``put`` it again within one turn of
    the event loop. Each ``put`` and ``delete`` publishes on the bus.
    """

    def __init__(self, path: Path | None, bus: ChangeBus) -> None:
        self._bus = bus
        self._docs: defaultdict[str, dict[str, Doc]] = defaultdict(dict)
        self._indexes: defaultdict[str, dict[str, _Index]] = defaultdict(dict)
        self._dirty: dict[tuple[str, str], None] = {}
        self._db = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS document (kind TEXT, id TEXT, body TEXT NOT NULL, seq INTEGER NOT NULL,"
            " PRIMARY KEY (kind, id)) WITHOUT ROWID"
        )
        self._seq: dict[tuple[str, str], int] = {}
        self._next_seq = 0
        self._load()

    def _load(self) -> None:
        for kind, ident, body, seq in self._db.execute("SELECT kind, id, body, seq FROM document ORDER BY seq"):
            self._docs[kind][ident] = json.loads(body)
            self._seq[kind, ident] = seq
            self._next_seq = seq + 1

    def index(self, kind: str, name: str, keys: IndexKeys) -> None:
        """Index the documents of a kind by the keys (none, one or several) that ``keys`` returns for each."""
        index = _Index(keys)
        for ident, doc in self._docs[kind].items():
            index.put(ident, doc)
        self._indexes[kind][name] = index

    def put(self, kind: str, id: str, doc: Doc) -> Doc:  # noqa: A002 - the word of the documents
        """Store a new or changed document."""
        self._docs[kind][id] = doc
        for index in self._indexes[kind].values():
            index.put(id, doc)
        if (kind, id) not in self._seq:
            self._seq[kind, id] = self._next_seq
            self._next_seq += 1
        self._dirty[kind, id] = None
        self._bus.publish(kind, id)
        return doc

    def get(self, kind: str, id: str) -> Doc | None:  # noqa: A002
        return self._docs[kind].get(id)

    def list(self, kind: str) -> list[Doc]:
        """Return all documents of a kind, oldest first."""
        return [*self._docs[kind].values()]

    def find(self, kind: str, index: str, key: Hashable) -> Iterator[Doc]:
        """Yield the documents with this key in an index, in the order in which they got it."""
        docs = self._docs[kind]
        for ident in tuple(self._indexes[kind][index].ids(key)):
            yield docs[ident]

    def count(self, kind: str, index: str, key: Hashable) -> int:
        return len(self._indexes[kind][index].ids(key))

    def delete(self, kind: str, id: str) -> bool:  # noqa: A002
        """Remove a document; return False if it did not exist."""
        if self._docs[kind].pop(id, None) is None:
            return False
        for index in self._indexes[kind].values():
            index.drop(id)
        self._seq.pop((kind, id), None)
        self._dirty[kind, id] = None
        self._bus.publish(kind, id)
        return True

    def clear(self, *without: str) -> None:
        """Remove all documents except those of some kinds."""
        for kind in self._docs.keys() - {*without}:
            for ident in [*self._docs[kind]]:
                self.delete(kind, ident)

    def dump(self, *without: str) -> str:
        """Return all documents except those of some kinds, as text for `load`."""
        kept = {kind: docs for kind, docs in self._docs.items() if docs and kind not in without}
        return json.dumps(kept, separators=(",", ":"))

    def load(self, text: str) -> None:
        """Store the documents of a `dump`, in the same order."""
        for kind, docs in json.loads(text).items():
            for ident, doc in docs.items():
                self.put(kind, ident, doc)

    def flush(self) -> None:
        """Write all changes since the last flush in one transaction."""
        if not self._dirty:
            return
        dirty, self._dirty = self._dirty, {}
        written, removed = [], []
        for kind, ident in dirty:
            doc = self._docs[kind].get(ident)
            if doc is None:
                removed.append((kind, ident))
            else:
                written.append((kind, ident, json.dumps(doc, separators=(",", ":")), self._seq[kind, ident]))
        self._db.execute("BEGIN")
        self._db.executemany("DELETE FROM document WHERE kind = ? AND id = ?", removed)
        self._db.executemany("INSERT OR REPLACE INTO document (kind, id, body, seq) VALUES (?, ?, ?, ?)", written)
        self._db.execute("COMMIT")

    def close(self) -> None:
        self.flush()
        self._db.close()


class _Index:
    """The ids by key, updated with the documents."""

    def __init__(self, keys: IndexKeys) -> None:
        self._keys = keys
        self._ids: dict[Hashable, dict[str, None]] = {}
        self._held: dict[str, tuple[Hashable, ...]] = {}

    def put(self, ident: str, doc: Doc) -> None:
        keys = tuple(dict.fromkeys(self._keys(doc)))
        held = self._held.get(ident, ())
        if keys == held:
            return
        self.drop(ident)
        for key in keys:
            self._ids.setdefault(key, {})[ident] = None
        if keys:
            self._held[ident] = keys

    def drop(self, ident: str) -> None:
        for key in self._held.pop(ident, ()):
            ids = self._ids[key]
            del ids[ident]
            if not ids:
                del self._ids[key]

    def ids(self, key: Hashable) -> dict[str, None]:
        return self._ids.get(key, {})
