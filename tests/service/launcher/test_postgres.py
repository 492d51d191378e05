"""The embedded PostgreSQL, for real: starts, stops, survives a crash, dies with its parent."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from launcher.binaries import find_postgres_bin
from launcher.errors import LaunchError
from launcher.postgres import EmbeddedPostgres, PostgresCluster
from launcher.processes import Identity, wait_until
from launcher.unprivileged import choose, reachable


def test_data_url_and_password_survive_a_restart(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg", fsync=False) as first, psycopg.connect(first.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        url = first.url
    with EmbeddedPostgres(tmp_path / "pg", fsync=False) as second, psycopg.connect(second.url) as connection:
        assert second.url == url
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_committed_row_survives_kill_9(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg") as server:
        with psycopg.connect(server.url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        os.kill(server.pid, signal.SIGKILL)
    with EmbeddedPostgres(tmp_path / "pg") as again, psycopg.connect(again.url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_the_password_is_required(tmp_path: Path) -> None:
    refused = pytest.raises(psycopg.OperationalError, match="password authentication failed")
    with EmbeddedPostgres(tmp_path / "pg", fsync=False) as server, refused:
        psycopg.connect(server.url.replace(server.files.password, "guess"))
    assert (tmp_path / "pg" / "password").stat().st_mode & 0o777 == 0o600


def test_the_server_does_not_outlive_its_parent(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from launcher.postgres import EmbeddedPostgres\n"
        "server = EmbeddedPostgres(sys.argv[1], fsync=False).start()\n"
        "print(server.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3] / "backend")}
    answer = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "pg"], capture_output=True, text=True, check=False, env=env
    )
    identity = Identity.of(int(answer.stdout))
    assert identity is None or wait_until(lambda: not identity.alive, 20)


def test_an_interrupted_initialisation_starts_again(tmp_path: Path) -> None:
    half = tmp_path / "pg" / "cluster.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(tmp_path / "pg", fsync=False) as server:
        assert psycopg.connect(server.url).execute("SELECT current_database()").fetchone() == ("vnfm",)


def test_a_failed_start_raises_the_servers_own_words(tmp_path: Path) -> None:
    cluster = PostgresCluster(tmp_path / "pg", fsync=False)
    cluster.prepare()
    (cluster.data / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(LaunchError, match="no_such_setting"):
        EmbeddedPostgres(tmp_path / "pg", fsync=False).start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become another user")
def test_without_user_namespaces_root_drops_its_rights(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as elsewhere:
        Path(elsewhere).chmod(0o755)
        programs = behind_a_closed_door(find_postgres_bin(), private)
        runner = choose(private / "pg", programs, namespaces=False, elsewhere=Path(elsewhere) / "vnfm")
        assert runner.bin_dir.is_relative_to(elsewhere)
        with EmbeddedPostgres(private / "pg", runner=runner, fsync=False) as server:
            assert psycopg.connect(server.url).execute("SELECT 1").fetchone() == (1,)
            assert Path(f"/proc/{server.pid}").stat().st_uid == server.files.user == runner.user
            assert server.files.data.is_relative_to(elsewhere)
        assert not reachable(private), "the home directory was opened"


def behind_a_closed_door(bin_dir: Path, private: Path) -> Path:
    """The same programs, in a package below a directory that only we enter."""
    package = bin_dir.parent.parent
    for folder in (package, package.with_name(f"{package.name}.libs")):
        (private / folder.name).symlink_to(folder)
    return private / package.name / bin_dir.parent.name / bin_dir.name
