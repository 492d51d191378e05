"""Connections outside Django's pool, for what belongs to a session rather than to a transaction: locks, LISTEN."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings


def direct_connection() -> psycopg.Connection:
    """A connection to Django's database outside the pool, in autocommit; close it, best by `with`."""
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


@contextmanager
def advisory_lock(key: int) -> Iterator[None]:
    """Wait for, then hold, the database-wide lock `key`; a crash frees it, as it ends with its session."""
    with direct_connection() as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [key])
        yield
