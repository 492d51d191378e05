"""`upgrade_schema`: an empty database gets everything, twice and at once; an older one is backed up and migrated.

One that does not fit is refused in a sentence.
"""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from launcher.binaries import find_postgres_bin
from launcher.postgres import DATABASE
from recovery.archive import Archive
from tests.support.product import Process
from vnfm.history.names import PARTITIONED

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


@pytest.fixture
def database(empty_database: dict[str, str]) -> dict[str, str]:
    """The environment of a product whose database has the schema of this release."""
    with psycopg.connect(empty_database["DATABASE_URL"].rpartition("/")[0] + "/postgres", autocommit=True) as server:
        server.execute("DROP DATABASE upgrade_me")
        server.execute(f"CREATE DATABASE upgrade_me TEMPLATE {DATABASE}")
    return empty_database | {"VNFM_PG_BIN": str(find_postgres_bin())}


def execute(env: dict[str, str], statement: str) -> None:
    with psycopg.connect(env["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(statement)


def upgraded(env: dict[str, str], *flags: str) -> tuple[int, str]:
    process = Process(("manage.py", "upgrade_schema", *flags), env)
    code = process.popen.wait(PATIENCE)
    process.reader.join()
    return code, "".join(process.output)


def refusal(env: dict[str, str]) -> str:
    """The one sentence; the tables are as before."""
    before = tables(env)
    code, output = upgraded(env)
    assert (code, tables(env)) == (1, before)
    [line] = output.splitlines()
    return line.removeprefix("CommandError: ")


def test_an_older_database_is_backed_up_and_migrated(database: dict[str, str], tmp_path: Path) -> None:
    execute(database, "ALTER TABLE accounts_apitoken DROP COLUMN scope")
    for column in ("is_client", "secret_digest", "certificate_digest"):
        execute(database, f"ALTER TABLE accounts_user DROP COLUMN {column}")
    execute(database, "DROP INDEX audit_by_job")
    execute(database, "DELETE FROM django_migrations WHERE app = 'accounts' AND name > '0003'")
    execute(database, "DELETE FROM installation_appliedmigration WHERE name > 'accounts.0003' AND name < 'accounts.1'")
    code, output = upgraded(database, "--keep", str(tmp_path))
    assert code == 0, output
    [kept] = tmp_path.glob("before-*.backup")
    with Archive(kept) as archive:
        archive.verify()
        assert "accounts.0001_initial" in archive.manifest.migrations
        assert "accounts.0003_api_clients" not in archive.manifest.migrations
    with psycopg.connect(database["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT scope FROM accounts_apitoken").fetchall() == []
    assert upgraded(database, "--keep", str(tmp_path))[0] == 0
    assert len(list(tmp_path.iterdir())) == 1, "nothing is kept where nothing changes"


def test_a_database_of_a_newer_release_is_refused(database: dict[str, str]) -> None:
    execute(database, "INSERT INTO django_migrations (app, name, applied) VALUES ('lcm', '0099_future', now())")
    execute(database, "INSERT INTO installation_appliedmigration VALUES ('lcm.0099_future', 'x', '7.1.0', now())")
    assert "newer than this checkout" in (words := refusal(database))
    assert "release 7.1.0" in words
    assert "lcm.0099_future" in words


def test_a_database_of_another_history_is_refused(database: dict[str, str]) -> None:
    """The schema is as a development version leaves it whose first migration was changed afterwards."""
    execute(database, "UPDATE installation_appliedmigration SET sha256 = 'other' WHERE name = 'lcm.0001_initial'")
    assert "migration lcm.0001_initial differs" in (words := refusal(database))
    assert "keep its data by ./vnfm backup of this checkout" in words, "that release may have had no such command"
    execute(database, "DROP TABLE installation_appliedmigration, installation_restoration")
    execute(database, "DELETE FROM django_migrations WHERE app = 'installation'")
    execute(database, "ALTER TABLE accounts_user DROP COLUMN version")
    assert "accounts_user lacks the column version" in refusal(database)


def test_a_database_of_before_digests_were_recorded_goes_on(database: dict[str, str]) -> None:
    execute(database, "DROP TABLE installation_appliedmigration, installation_restoration")
    execute(database, "DELETE FROM django_migrations WHERE app = 'installation'")
    code, output = upgraded(database)
    assert code == 0, output
    assert "public.installation_appliedmigration" in tables(database)
