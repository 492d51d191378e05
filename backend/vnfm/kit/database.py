"""Connections outside Django's pool, for what belongs to a session rather than to a transaction: locks, LISTEN."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg
from django.conf import settings

T = TypeVar("T")


def direct_connection() -> psycopg.Connection:
    """A connection of one's own to Django's database, in autocommit; close it, best by `with`."""
    database = settings.DATABASES["default"]
    options = {name: value for name, value in database["OPTIONS"].items() if name != "pool"}
    return psycopg.connect(
        host=database["HOST"],
        port=database["PORT"],
        user=database["USER"],
        password=database["PASSWORD"],
        dbname=database["NAME"],
        autocommit=True,
        **options,
    )


def poll_on_notify(own: psycopg.Connection, poll: Callable[[], T | None], seconds: float) -> T | None:
    """The first result of `poll` that is not None; it runs again at each notification. None when the time is over."""
    deadline = time.monotonic() + seconds
    while (found := poll()) is None and (left := deadline - time.monotonic()) > 0:
        for _ in own.notifies(timeout=left, stop_after=1):
            pass
    return found


@contextmanager
def advisory_lock(key: int) -> Iterator[None]:
    """Wait for, then hold, the database-wide lock `key`; a crash frees it, as it ends with its session."""
    with direct_connection() as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [key])
        yield
