"""Pooled connections: one that the server has ended is replaced, and none is asked by a statement."""

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from vnfm.kit.durable.database import direct_connection
from vnfm.kit.postgresql.base import has_ended

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def idle() -> Iterator[psycopg.Connection]:
    with direct_connection() as idle:
        idle.execute("SELECT 1")
        yield idle


def _end(pid: int) -> None:
    """Returns once the server has."""
    with direct_connection() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_a_connection_that_waits_has_not_ended(idle: psycopg.Connection) -> None:
    assert not has_ended(idle)


def test_one_that_the_server_ended_has_and_one_that_is_closed(idle: psycopg.Connection) -> None:
    _end(idle.info.backend_pid)
    assert has_ended(idle)
    idle.close()
    assert has_ended(idle)


def test_a_thread_gets_a_connection_that_lives_though_the_server_has_ended_that_of_the_pool() -> None:
    with connection.cursor() as cursor:
        before = cursor.connection.info.backend_pid
    connection.close()
    _end(before)
    with CaptureQueriesContext(connection) as asked, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.connection.info.backend_pid != before
    assert len(asked) == 1
    assert connections.settings["default"]["ENGINE"] == "vnfm.kit.postgresql"
