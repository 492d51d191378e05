"""`upgrade_schema` on an empty database: everything is there afterwards, twice and at once change nothing."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.product import Process
from vnfm.telemetry.tables import PARTITIONED

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 120


@pytest.fixture
def empty_database(product_env: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment of a product whose database has nothing in it."""
    name = "upgrade_me"
    with psycopg.connect(product_env["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
        yield product_env | {"DATABASE_URL": product_env["DATABASE_URL"].rpartition("/")[0] + f"/{name}"}
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def tables(env: dict[str, str]) -> set[str]:
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        query = "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('public', 'telemetry')"
        return {name for (name,) in connection.execute(query)}


def test_three_at_once_and_one_more_all_succeed(empty_database: dict[str, str]) -> None:
    crowd = [Process(("manage.py", "upgrade_schema"), empty_database) for _ in range(3)]
    for process in crowd:
        assert process.popen.wait(PATIENCE) == 0, "".join(process.output)
    made = tables(empty_database)
    # The exit code alone proves nothing: without its commit, Alembic succeeds and makes no table (ADR-0003).
    assert {"public.kit_outboxevent", "telemetry.quarantine", "telemetry.alembic_version"} <= made
    for table in PARTITIONED:
        assert sum(name.startswith(f"telemetry.{table}_2") for name in made) == 4, "this month and three ahead"

    again = Process(("manage.py", "upgrade_schema"), empty_database)
    assert again.popen.wait(PATIENCE) == 0, "".join(again.output)
    assert tables(empty_database) == made
