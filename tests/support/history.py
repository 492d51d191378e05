"""The history's database elsewhere, or away."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg_pool import ConnectionPool
from pytest_django import Settings

from tests.support.waiting import until


@contextmanager
def pointed_at(url: str, pool: ConnectionPool, settings: Settings) -> Iterator[None]:
    settings.TELEMETRY_DATABASE_URL = url
    pool.drain()
    yield
    settings.TELEMETRY_DATABASE_URL = ""
    until(lambda: answers(pool), "the last attempt at the other address is over")


def pid(pool: ConnectionPool) -> int:
    """Return the process id of a session at PostgreSQL."""
    with pool.connection() as connection:
        return connection.info.backend_pid


def answers(pool: ConnectionPool) -> bool:
    try:
        return pid(pool) > 0
    except psycopg.OperationalError:
        return False
