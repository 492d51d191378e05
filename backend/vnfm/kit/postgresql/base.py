"""`ENGINE` names it: Django's backend, which asks the socket and not the server whether a pooled connection lives.

Django's own check is a statement each time that a thread takes a connection: one of nine round trips of a request.
"""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base


def has_ended(connection: psycopg.Connection[Any]) -> bool:
    """True if the server has closed an idle connection, or written that it will: else there is nothing to read.

    A server that stops, dies or ends the session has done one of both. What else it may write, such as
    a changed setting, costs a connection.
    """
    if connection.closed:
        return True
    arrived = select.poll()
    arrived.register(connection.fileno(), select.POLLIN)
    return bool(arrived.poll(0))


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; of a pool the first one that lives, within the pool's own time limit for a new one."""
        connection = super().get_new_connection(conn_params)
        while self.pool is not None and has_ended(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection
