"""The history's own connections: few, shared, made again when they died, and an error at once when there are none."""

import threading
from contextlib import ExitStack
from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest
from psycopg_pool import ConnectionPool
from pytest_django import Settings

from launcher.ports import free_port
from tests.support.history import pid, pointed_at
from tests.support.waiting import until
from vnfm.history import counters
from vnfm.kit import clock

pytestmark = pytest.mark.django_db(transaction=True)


def ended(connection: psycopg.Connection, number: int) -> bool:
    return connection.execute("SELECT FROM pg_stat_activity WHERE pid = %s", [number]).fetchone() is None


def test_a_refused_connection_is_an_error_that_says_why(telemetry: ConnectionPool, settings: Settings) -> None:
    """Not one of having waited: an outage would hold up the relay for that long at each event."""
    with pointed_at(f"postgresql://vnfm@127.0.0.1:{free_port()}/vnfm", telemetry, settings):
        for _ in range(20):
            with pytest.raises(psycopg.OperationalError, match="refused"), telemetry.connection():
                pass
        with pytest.raises(counters.UnavailableError, match="refused"):
            counters.write([(uuid4(), "1/1/1", clock.now(), 60.0, {})])


def test_a_wrong_password_is_an_error_that_says_so(
    telemetry: ConnectionPool, settings: Settings, product_env: dict[str, str]
) -> None:
    address = product_env["DATABASE_URL"].rpartition("@")[2]
    with (
        pointed_at(f"postgresql://other:wrong@{address}", telemetry, settings),
        pytest.raises(counters.UnavailableError, match="other"),
    ):
        counters.roll_up(clock.now())


def test_connections_that_died_are_replaced(telemetry: ConnectionPool, product_env: dict[str, str]) -> None:
    with ExitStack() as held:
        connections = [held.enter_context(telemetry.connection()) for _ in range(telemetry.max_size)]
        pids = [connection.info.backend_pid for connection in connections]
    with psycopg.connect(product_env["DATABASE_URL"], autocommit=True) as server:
        for number in pids:
            server.execute("SELECT pg_terminate_backend(%s)", [number])
        until(lambda: all(ended(server, number) for number in pids), "the sessions have ended")
    assert counters.write([(uuid4(), "1/1/1", clock.now() - timedelta(minutes=1), 60.0, {"octets_in": 1.0})])
    assert pid(telemetry) not in pids


def test_a_sixth_waits_for_one_of_five(telemetry: ConnectionPool) -> None:
    found: list[int] = []
    waiting = threading.Thread(target=lambda: found.append(pid(telemetry)))
    with ExitStack() as held:
        pids = [held.enter_context(telemetry.connection()).info.backend_pid for _ in range(5)]
        waiting.start()
        until(lambda: telemetry.get_stats()["requests_waiting"] == 1, "the sixth waits")
    waiting.join(30)
    assert set(found) <= set(pids) != set()
    assert found
