"""Alembic with Django: each of the traps of ADR-0003, on a real server."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import psycopg
import pytest
from alembic import command
from alembic.util import CommandError
from django.db import connection as django_connection

from tests.support.product import BACKEND
from vnfm.history import partitions, schema
from vnfm.history.database import pool
from vnfm.history.days import DAILY
from vnfm.history.names import PARTITIONED
from vnfm.history.tables import metadata

pytestmark = pytest.mark.django_db(transaction=True)
JUNE = datetime(2031, 6, 15, tzinfo=UTC)


@pytest.fixture
def database(product_env: dict[str, str], settings) -> Iterator[str]:
    """An empty database that `history.database` is pointed at."""
    name = "alembic_me"
    with psycopg.connect(product_env["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name}")
        url = product_env["DATABASE_URL"].rpartition("/")[0] + f"/{name}"
        use(url, settings)
        yield url
        use("", settings)
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def use(url: str, settings) -> None:
    """Point `history.database` at another database, "" for that of Django."""
    settings.TELEMETRY_DATABASE_URL = url
    pool.drain()


def there() -> set[str]:
    with pool.connection() as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'telemetry'")
        return {name for (name,) in names}


def test_an_upgrade_makes_the_tables_and_does_not_just_say_so(database: str) -> None:
    schema.upgrade()
    assert {table.name for table in metadata.sorted_tables} <= there()


def test_twice_changes_nothing(database: str) -> None:
    schema.upgrade()
    before = there()
    schema.upgrade()
    assert there() == before


def test_up_down_up(database: str) -> None:
    schema.upgrade()
    before = there()
    command.downgrade(schema.alembic_config(), "base")
    assert there() == {"alembic_version"}
    schema.upgrade()
    assert there() == before


def test_the_check_is_clean_with_partitions_created_at_run_time(database: str) -> None:
    schema.upgrade()
    partitions.maintain(JUNE)
    command.check(schema.alembic_config())


def test_the_check_finds_missing_parts(database: str) -> None:
    schema.upgrade()
    with pool.connection() as connection:
        connection.execute("DROP INDEX telemetry.vim_probe_vim_id")
    with pytest.raises(CommandError, match="vim_probe_vim_id"):
        command.check(schema.alembic_config())


def test_no_table_has_a_default_partition_or_points_out_of_the_schema(database: str) -> None:
    schema.upgrade()
    with pool.connection() as connection:
        assert connection.execute("SELECT FROM pg_partitioned_table WHERE partdefid <> 0").fetchall() == []
        assert connection.execute("SELECT FROM pg_constraint WHERE contype = 'f'").fetchall() == []


def test_the_reader_reads_the_views_and_nothing_else(database: str) -> None:
    schema.upgrade()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET ROLE vnfm_reader")
        for view in ("v_operations", "v_alarms", "v_alarm_archive", "v_vim_reachability", "v_counters"):
            connection.execute(f"SELECT * FROM telemetry.{view}")
        for statement in (
            "SELECT * FROM telemetry.alarm_event",
            "DELETE FROM telemetry.quarantine",
            "CREATE TABLE telemetry.mine ()",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_without_the_right_to_make_roles_the_upgrade_goes_on(database: str, settings) -> None:
    with psycopg.connect(database, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS plain")
        server.execute("CREATE ROLE plain LOGIN PASSWORD 'plain' NOSUPERUSER NOCREATEROLE")
        server.execute("GRANT CREATE ON DATABASE alembic_me TO plain")
        as_superuser, host = database, database.rpartition("@")[2]
        use(f"postgresql://plain:plain@{host}", settings)
        schema.upgrade()
        assert "alarm_event" in there()
        use(as_superuser, settings)
        server.execute("DROP OWNED BY plain")
        server.execute("DROP ROLE plain")


def test_the_command_line_works_from_the_root(product_env: dict[str, str], database: str) -> None:
    """The folder `alembic/` must not shadow the library of that name: it has no __init__.py."""
    run = subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", "head"],
        cwd=BACKEND.parent,
        env=product_env | {"VNFM_TELEMETRY_DATABASE_URL": database},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "alarm_event" in there()


def test_djangos_connection_is_left_alone() -> None:
    """Both reach the same database, but through connections of their own."""
    with pool.connection() as connection, django_connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid(), current_database()")
        pid, name = cursor.fetchone()
        assert connection.info.dbname == name
        assert connection.info.backend_pid != pid


def test_every_partitioned_table_has_a_policy(telemetry) -> None:
    with telemetry.connection() as connection:
        names = connection.execute("SELECT table_name FROM telemetry.retention_policy")
        assert {name for (name,) in names} == set(PARTITIONED)


def test_every_table_that_the_description_partitions_is_maintained() -> None:
    described = {table.name: table.dialect_options["postgresql"] for table in metadata.sorted_tables}
    assert {name for name, options in described.items() if options["partition_by"]} == {*PARTITIONED, *DAILY}
