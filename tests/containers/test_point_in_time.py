"""The runbook's way to a point in time: Debian's PostgreSQL and pgbackrest, a lost disk, and what is lost with it.

Needs root, postgresql-15 and pgbackrest. PostgreSQL runs as Debian's user `postgres`, on a port of its own.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from cryptography.fernet import Fernet

from launcher.ports import free_port
from tests.support.installation import until

BACKEND = Path(__file__).parents[2] / "backend"
PROGRAMS = Path("/usr/lib/postgresql/15/bin")
STANZA = "--stanza=vnfm"
ARCHIVE_SECONDS = 60
"""`archive_timeout` of the runbook: what is lost with a disk is younger."""

pytestmark = [
    pytest.mark.containers,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        shutil.which("pgbackrest") is None or not PROGRAMS.exists() or os.geteuid() != 0,
        reason="needs postgresql-15, pgbackrest and root",
    ),
]


class Cluster:
    """A PostgreSQL as the runbook configures it."""

    def __init__(self, root: Path) -> None:
        self.root, self.data, self.port = root, root / "main", free_port()
        self.config = root / "pgbackrest.conf"
        self.config.write_text(
            f"[global]\nrepo1-path={root}/repository\nrepo1-retention-full=2\nlog-path={root}/log\n"
            f"lock-path={root}/lock\nspool-path={root}/spool\n"
            f"[vnfm]\npg1-path={self.data}\npg1-port={self.port}\npg1-socket-path={root}\n"
        )
        self.run(PROGRAMS / "initdb", "--pgdata", self.data, "--auth", "trust", "--encoding", "UTF8")
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(
                f"port = {self.port}\nunix_socket_directories = '{root}'\nlisten_addresses = '127.0.0.1'\n"
                f"archive_mode = on\narchive_timeout = {ARCHIVE_SECONDS}\n"
                f"archive_command = 'pgbackrest --config={self.config} {STANZA} archive-push %p'\n"
            )

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/vnfm"

    def run(self, *command: object) -> None:
        words = ["runuser", "-u", "postgres", "--", *map(str, command)]
        done = subprocess.run(words, cwd="/", capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"

    def backrest(self, *words: str) -> None:
        self.run("pgbackrest", f"--config={self.config}", STANZA, *words)

    def control(self, action: str, *flags: str) -> None:
        self.run(PROGRAMS / "pg_ctl", "--pgdata", self.data, "--log", self.root / "server.log", "-w", action, *flags)

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def lose_the_disk(self) -> None:
        self.control("stop", "-m", "immediate")
        shutil.rmtree(self.data)
        self.data.mkdir(mode=0o700)
        shutil.chown(self.data, "postgres", "postgres")


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    root = Path(tempfile.mkdtemp(prefix="vnfm-point-in-time-", dir="/var/tmp"))
    shutil.chown(root, "postgres", "postgres")
    cluster = Cluster(root)
    try:
        cluster.control("start")
        cluster.run("createdb", "--host", root, "--port", cluster.port, "vnfm")
        yield cluster
    finally:
        if (cluster.data / "postmaster.pid").exists():
            cluster.control("stop", "-m", "immediate")
        shutil.rmtree(root)


@pytest.fixture
def manage(cluster: Cluster, tmp_path: Path) -> Callable[..., None]:
    """Run `manage.py` on this database."""
    for name, text in (
        ("secret", "only for this test, and long enough for it"),
        ("keys", Fernet.generate_key().decode()),
    ):
        (tmp_path / name).write_text(text + "\n")
    env = os.environ | {
        "DATABASE_URL": cluster.url,
        "VNFM_SECRET_KEY_FILE": str(tmp_path / "secret"),
        "VNFM_SEAL_KEYS_FILE": str(tmp_path / "keys"),
        "VNFM_ARTIFACTS_DIR": str(tmp_path / "artifacts"),
    }

    def run(*words: str) -> None:
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=BACKEND, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return run


def archived(cluster: Cluster, segment: str) -> bool:
    [(last,)] = cluster.execute("SELECT last_archived_wal FROM pg_stat_archiver")
    return last is not None and str(last) >= segment


def test_a_lost_disk_costs_a_minute_at_most_and_any_point_before_can_be_gone_back_to(
    cluster: Cluster, manage: Callable[..., None]
) -> None:
    manage("upgrade_schema")
    cluster.backrest("stanza-create")
    cluster.backrest("check")
    cluster.backrest("--type=full", "--start-fast", "backup")
    cluster.execute("CREATE TABLE note (word text)")
    cluster.execute("INSERT INTO note VALUES ('before')")
    [(target,)] = cluster.execute("SELECT clock_timestamp()")
    cluster.execute("INSERT INTO note VALUES ('after')")
    [(segment,)] = cluster.execute("SELECT pg_walfile_name(pg_current_wal_lsn())")
    until(lambda: archived(cluster, str(segment)) or None, 1.5 * ARCHIVE_SECONDS, "the last change is in the archive")
    cluster.lose_the_disk()
    cluster.backrest("restore")
    cluster.control("start")
    until(lambda: not cluster.execute("SELECT pg_is_in_recovery()")[0][0] or None, 60, "the archive is read to its end")
    assert cluster.execute("SELECT word FROM note") == [("before",), ("after",)]
    cluster.control("stop")
    when = f"{target:%Y-%m-%d %H:%M:%S.%f+00}"
    cluster.backrest("--delta", "--type=time", f"--target={when}", "--target-action=promote", "restore")
    cluster.control("start")
    until(lambda: not cluster.execute("SELECT pg_is_in_recovery()")[0][0] or None, 60, "the point in time is reached")
    assert cluster.execute("SELECT word FROM note") == [("before",)]
    manage("upgrade_schema")
    manage("restored", "--at", f"{target.isoformat()}")
    [(held,)] = cluster.execute("SELECT count(*) FROM installation_restoration WHERE released_at IS NULL")
    assert held == 1, "the product holds still, as after any restore"
