"""An embedded PostgreSQL: one cluster in one directory, on the loopback address, with a password.

with EmbeddedPostgres(directory) as server:
    connect(server.url)
"""

import shutil
import signal
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from launcher.binaries import find_postgres_bin, postgres_major
from launcher.embedded import EmbeddedServer, Lifetime
from launcher.errors import LaunchError, explain_output
from launcher.keys import read_or_create, token
from launcher.ports import LOOPBACK, remembered_port
from launcher.unprivileged import Unprivileged, choose

USER = DATABASE = "vnfm"
_LIFETIME = Lifetime("PostgreSQL", signal.SIGINT, start_seconds=60.0, stop_seconds=30.0)
"""SIGINT is PostgreSQL's fast shutdown. The start may take long, since recovery after a crash replays the log."""
_BUILTIN_LOCALE_SINCE = 17
_CONNECTIONS = "max_connections=200"  # every process of the product has its own pool
_UNSAFE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class PostgresCluster:
    """The data directory and the way to run a server on it; the process that spawns the server owns it.

    `root` holds cluster/ (the data), password and port. `fsync=False` is for tests only: a power cut may lose the data.
    """

    def __init__(
        self,
        root: Path,
        *,
        runner: Unprivileged | None = None,
        fsync: bool = True,
        port: Callable[[Path], int] = remembered_port,
    ) -> None:
        self.root = root.absolute()
        self.fsync = fsync
        self._port_in = port
        self._runner = runner or choose(self.root, find_postgres_bin())

    @property
    def user(self) -> int | None:
        """The uid that the server must run as; None for the caller's own."""
        return self._runner.user

    @property
    def data(self) -> Path:
        return self._runner.home / "cluster"

    @cached_property
    def password(self) -> str:
        return read_or_create(self.root / "password", token)

    @cached_property
    def port(self) -> int:
        return self._port_in(self.root / "port")

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{self.password}@{LOOPBACK}:{self.port}/{DATABASE}"

    @property
    def command(self) -> list[str]:
        settings = (_CONNECTIONS, *(() if self.fsync else _UNSAFE))
        flags = [word for setting in settings for word in ("-c", setting)]
        server = self._runner.bin_dir / "postgres"
        return [
            *self._runner.prefix,
            str(server),
            "-D",
            str(self.data),
            "-h",
            LOOPBACK,
            "-p",
            str(self.port),
            "-k",
            "",
            *flags,
        ]

    def prepare(self) -> None:
        """Create the cluster and the database unless they exist. Raises LaunchError with the tool's output."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.data.exists():
            return
        draft = self._runner.home / "cluster.new"
        password_file = self._runner.home / "password.new"
        shutil.rmtree(draft, ignore_errors=True)  # left by an interrupted attempt
        password_file.write_text(self.password)
        self._runner.give(password_file)
        try:
            self._initdb(draft, password_file)
            self._create_database(draft)
        finally:
            password_file.unlink()
        draft.rename(self.data)
        if self._runner.home != self.root:
            (self.root / "cluster").symlink_to(self.data)  # so that the data are found

    def _initdb(self, draft: Path, password_file: Path) -> None:
        modern = postgres_major(self._runner.bin_dir) >= _BUILTIN_LOCALE_SINCE
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if modern else ["--locale=C.UTF-8"]
        options = ["-A", "scram-sha-256", "-U", USER, f"--pwfile={password_file}", "-E", "UTF8", *locale]
        self._run("initdb", "-D", str(draft), *options, *([] if self.fsync else ["--no-sync"]))

    def _create_database(self, draft: Path) -> None:
        """Create the database in single-user mode, which needs neither a port nor a client program."""
        flags = [] if self.fsync else ["-F"]
        self._run("postgres", "--single", *flags, "-D", str(draft), "postgres", stdin=f"CREATE DATABASE {DATABASE};\n")

    def _run(self, program: str, *arguments: str, stdin: str = "") -> None:
        answer = self._runner.run(program, *arguments, stdin=stdin)
        if answer.returncode:
            output = (answer.stdout + answer.stderr).strip()
            raise LaunchError(explain_output(output, self.root) or f"PostgreSQL's {program} failed: {output}")

    def ready(self, pid: int) -> bool:
        """Return whether the server with this pid accepts connections (line 8 of postmaster.pid, as in pg_ctl)."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            return lines[0] == str(pid) and lines[7].strip() == "ready"
        except (OSError, IndexError):
            return False


class EmbeddedPostgres(EmbeddedServer[PostgresCluster]):
    """An embedded PostgreSQL, which initialises a new directory."""

    def __init__(self, data_dir: Path | str, *, runner: Unprivileged | None = None, fsync: bool = True) -> None:
        super().__init__(PostgresCluster(Path(data_dir), runner=runner, fsync=fsync), _LIFETIME)


__all__ = ["EmbeddedPostgres", "PostgresCluster"]
