"""Scenes: what many tests begin with is prepared once by each worker; later tests get database and cloud as they were.

A scene is found again by the whole state that its preparation began with: every row of Django's tables, and every
resource of the simulated cloud. Whatever a test did before makes another state, and so another scene.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Generic, TypeVar

from django.db import connection, transaction

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.db_reset import empty_tables, tables_with_rows

T = TypeVar("T")


@dataclass(frozen=True)
class _State:
    rows: dict[str, bytes]
    """Table → its rows, as COPY writes them."""
    snapshot: str
    """The state of the cloud."""

    @property
    def digest(self) -> str:
        return sha256(repr((self.snapshot, self.rows)).encode()).hexdigest()


@dataclass(frozen=True)
class _Scene(Generic[T]):
    state: _State
    result: T


_scenes: dict[Hashable, _Scene[Hashable]] = {}


def prepared(cloud: CloudsimProcess, name: Hashable, prepare: Callable[[], T]) -> T:
    """Return what `prepare` returned (an id), in the state that it led to. `name` has all of its arguments.

    For preparation that nothing is patched in. While anything is under way in the cloud, it just runs.
    """
    before = _read(cloud)
    if before is None:
        return prepare()
    key = (cloud.pid, before.digest, name)
    if key not in _scenes:
        result = prepare()
        after = _read(cloud)
        if after is not None:
            _scenes[key] = _Scene(after, result)
        return result
    scene = _scenes[key]
    cloud.restore(scene.state.snapshot)
    _load(scene.state.rows)
    return scene.result


def _read(cloud: CloudsimProcess) -> _State | None:
    """None while anything is under way in the cloud."""
    snapshot = cloud.snapshot()
    return snapshot and _State(_rows(), snapshot)


def _rows() -> dict[str, bytes]:
    """In an order of their own: PostgreSQL promises none."""
    rows = {}
    with connection.cursor() as cursor:
        for table in tables_with_rows(cursor):
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} TO STDOUT") as copy:
                rows[table] = b"".join(sorted(map(bytes, copy)))
    return rows


def _load(rows: dict[str, bytes]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        empty_tables()
        for table, data in rows.items():
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} FROM STDIN") as copy:
                copy.write(data)
        for table in rows.keys() & _sequences().keys():
            for statement in _sequences()[table]:
                cursor.execute(statement)


@cache
def _sequences() -> dict[str, list[str]]:
    """Table → what lets its sequences go on after the ids in it: another test may have set them back."""
    found: dict[str, list[str]] = {}
    for one in connection.introspection.sequence_list():
        column, table, name = (connection.ops.quote_name(one[part]) for part in ("column", "table", "name"))
        found.setdefault(one["table"], []).append(
            f"SELECT setval('{name}', GREATEST((SELECT max({column}) FROM {table}), last_value)) FROM {name}"
        )
    return found
