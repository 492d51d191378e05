"""Connections by a URL of several hosts, and what the server knows of lost clients."""

from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection
from pytest_django import Settings

from launcher.ports import free_port
from recovery.database import Database
from vnfm.history.database import connection_parameters
from vnfm.kit.durable.database import direct_connection
from vnfm.kit.durable.database_url import connection_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def second_of_two(product_env: dict[str, str]) -> str:
    """The URL of our server behind one that does not answer."""
    parts = urlsplit(product_env["DATABASE_URL"])
    login, _, address = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{login}@127.0.0.1:{free_port()},{address}").geturl()


def test_the_server_that_answers_is_used(second_of_two: str, settings: Settings) -> None:
    with psycopg.connect(**connection_to(second_of_two)) as own:
        assert own.execute("SELECT 1").fetchone() == (1,)
    with Database(second_of_two).connect() as own:
        assert own.execute("SELECT 1").fetchone() == (1,)
    settings.TELEMETRY_DATABASE_URL = second_of_two
    with psycopg.connect(**connection_parameters()) as own:
        assert own.execute("SELECT count(*) >= 0 FROM telemetry.counter_sample").fetchone() == (True,)


def test_a_server_that_takes_no_writes_is_as_one_that_does_not_answer(product_env: dict[str, str]) -> None:
    """A standby behind a load balancer: its error at the first write would be one of ours, and a request's 500."""
    url = product_env["DATABASE_URL"]
    read_only = f"{url}{'&' if '?' in url else '?'}options=-c%20default_transaction_read_only%3Don"
    with pytest.raises(psycopg.OperationalError, match="read-only"):
        psycopg.connect(**connection_to(read_only))


def test_sessions_of_a_host_that_is_gone_are_ended_by_the_server() -> None:
    """Such a session may hold locks."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW tcp_keepalives_idle")
        assert cursor.fetchone() == ("5",)
    with direct_connection() as own:
        assert own.execute("SHOW tcp_keepalives_count").fetchone() == ("3",)
