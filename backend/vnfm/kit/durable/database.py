"""Connections outside Django's pool, for what belongs to a session rather than to a transaction: locks, LISTEN."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import psycopg
from django.conf import settings

LOCK_POLL_SECONDS = 0.2


def direct_connection(**options: Any) -> psycopg.Connection:
    """A connection to Django's database outside the pool, in autocommit; close it, best by `with`.

    `options` are libpq's, and win over the settings'.
    """
    database = settings.DATABASES["default"]
    options = {name: value for name, value in database["OPTIONS"].items() if name != "pool"} | options
    return psycopg.connect(
        host=database["HOST"],
        port=database["PORT"],
        user=database["USER"],
        password=database["PASSWORD"],
        dbname=database["NAME"],
        autocommit=True,
        **options,
    )


@contextmanager
def advisory_lock(key: int) -> Iterator[None]:
    """Wait for, then hold, the database-wide lock `key`; a crash frees it, as it ends with its session."""
    with direct_connection() as connection:
        # A statement that waits keeps a snapshot, for whose end CREATE INDEX CONCURRENTLY of the holder would wait.
        while connection.execute("SELECT pg_try_advisory_lock(%s)", [key]).fetchone() != (True,):
            Event().wait(LOCK_POLL_SECONDS)
        yield
