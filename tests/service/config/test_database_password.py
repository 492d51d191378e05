"""A database whose volume has another password than the one that was made for it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command

from launcher.postgres import EmbeddedPostgres
from launcher.server_secrets import DATABASE, FORMER, PGPASS, REDIS_URL, make_server_secrets
from recovery.database import Database
from tests.support.product import BACKEND

CONNECT = """
from django.conf import settings
from django.db import connection
from vnfm.kit.durable.database import direct_connection
from vnfm.history.database import pool
with connection.cursor() as cursor:
    print(cursor.execute("SELECT 1").fetchone()[0])
with direct_connection() as direct:
    print(direct.execute("SELECT 1").fetchone()[0])
with pool.connection() as telemetry:
    print(telemetry.execute("SELECT 1").fetchone()[0])
print(settings.REDIS_URL)
"""
Renew = Callable[[], None]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(tmp_path_factory.mktemp("postgres"), fsync=False) as server:
        yield server


@pytest.fixture
def url(server: EmbeddedPostgres, tmp_path: Path) -> str:
    """As docker-compose.yml has it; the server has the password that it once had by default."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS compose")
        connection.execute("CREATE ROLE compose LOGIN PASSWORD 'vnfm'")
    return f"postgresql://compose@127.0.0.1:{urlsplit(server.url).port}/postgres?passfile={tmp_path / PGPASS}"


@pytest.fixture
def renew(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Renew:
    monkeypatch.setitem(os.environ, "DATABASE_URL", url)
    files = ("--password-file", str(tmp_path / DATABASE), "--former-file", str(tmp_path / FORMER))
    return lambda: call_command("renew_database_password", *files)


def test_the_default_password_is_replaced_and_a_chosen_one_replaces_it(url: str, tmp_path: Path, renew: Renew) -> None:
    make_server_secrets(tmp_path)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    renew()
    psycopg.connect(url).close()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, password="vnfm")
    make_server_secrets(tmp_path, "chosen by hand")
    renew()
    psycopg.connect(url, password="chosen by hand").close()
    renew()
    psycopg.connect(url).close()
    assert not (tmp_path / FORMER).exists()


def test_a_password_that_was_changed_twice_before_the_server_had_it_is_found(
    url: str, tmp_path: Path, renew: Renew
) -> None:
    make_server_secrets(tmp_path)
    renew()
    make_server_secrets(tmp_path, "first choice")
    make_server_secrets(tmp_path, "second choice")
    renew()
    psycopg.connect(url, password="second choice").close()
    assert not (tmp_path / FORMER).exists(), "what opens nothing is not kept"


def test_an_unknown_password_is_refused_with_what_to_do(url: str, tmp_path: Path, renew: Renew) -> None:
    make_server_secrets(tmp_path)
    with psycopg.connect(url, password="vnfm") as connection:
        connection.execute("ALTER ROLE CURRENT_USER PASSWORD 'of another installation'")
    with pytest.raises(CommandError, match="set that as POSTGRES_PASSWORD, once; it is kept"):
        renew()


def test_product_and_programs_of_backups_read_the_same_files(
    product_env: dict[str, str], url: str, tmp_path: Path, renew: Renew
) -> None:
    make_server_secrets(tmp_path)
    renew()
    env = product_env | {"DATABASE_URL": url, "REDIS_URL_FILE": str(tmp_path / REDIS_URL)}
    command = (sys.executable, "manage.py", "shell", "--no-imports", "--command", CONNECT)
    done = subprocess.run(command, cwd=BACKEND, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "1", "1", (tmp_path / REDIS_URL).read_text().strip()]
    assert Database(url).environment["PGPASSFILE"] == str(tmp_path / PGPASS)
    Database(url).connect().close()
