"""The telemetry schema's own way to the database: `with pool.connection() as connection`, a transaction.

Never Django's connection: lent to another library, it silently rolled back ORM writes (ADR-0003). What must be atomic
with them is an outbox event.
"""

import atexit
import sys
from typing import Any

import psycopg
from django.conf import settings
from psycopg_pool import ConnectionPool

from vnfm.kit.durable.database_url import POOLED, connection_to
from vnfm.kit.postgresql.base import has_ended

MAX_CONNECTIONS = 5
"""Connections of a process: in most of them one writes or reads at a time."""
POOL_TIMEOUT_SECONDS = 30.0
"""For one that comes free."""


def connection_parameters() -> dict[str, Any]:
    """Where the schema is, as libpq takes it: VNFM_TELEMETRY_DATABASE_URL, else next to Django's tables."""
    if settings.TELEMETRY_DATABASE_URL:
        found = connection_to(settings.TELEMETRY_DATABASE_URL, "VNFM_TELEMETRY_DATABASE_URL")
    else:
        database = settings.DATABASES["default"]
        names = {"user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT", "dbname": "NAME"}
        found = {theirs: str(database[ours]) for theirs, ours in names.items() if database[ours]}
        found |= {name: value for name, value in database["OPTIONS"].items() if name != "pool"}
    return found | {"options": f"{found.get('options', '')} -c timezone=UTC".strip()}


class _Pool(ConnectionPool[psycopg.Connection]):
    """Has neither threads nor connections until its first use, so that it may be made before a fork."""

    def getconn(self, timeout: float | None = None) -> psycopg.Connection:
        """A connection that lives.

        Raises psycopg.OperationalError if the database refuses one, PoolTimeout, which is one, if none came free.
        """
        if self.closed:
            self.open()
            atexit.register(self.close)  # else its threads are waited for, 5 s each, by Python 3.13
        connection = super().getconn(timeout)
        while has_ended(connection):
            connection.close()
            self.putconn(connection)
            connection = super().getconn(timeout)
        return connection

    def _connect(self, timeout: float | None = None) -> psycopg.Connection:
        try:
            return super()._connect(timeout)
        except psycopg.Error:
            self.reconnect_failed()
            raise

    def reconnect_failed(self) -> None:
        """Tell those that wait why there is no connection; psycopg would let them wait until their time is over."""
        why = str(sys.exception())
        with self._lock:
            waiting = [*self._waiting]
            self._waiting.clear()
        for each in waiting:
            each.fail(psycopg.OperationalError(why))


pool = _Pool(
    kwargs=connection_parameters,
    max_size=MAX_CONNECTIONS,
    timeout=POOL_TIMEOUT_SECONDS,
    num_workers=1,
    open=False,
    name="telemetry",
    **POOLED,
)
