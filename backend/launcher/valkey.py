"""An embedded Valkey (Redis protocol): broker of the task queue, with a password and an append-only file.

with EmbeddedValkey(directory) as server:
    connect(server.url)
"""

import signal
import socket
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from launcher.binaries import find_valkey
from launcher.errors import LaunchError, last_lines
from launcher.keys import read_or_create, token, write_private
from launcher.layout import private
from launcher.ports import LOOPBACK, remembered_port
from launcher.processes import Identity, spawn, wait_until

if TYPE_CHECKING:
    import subprocess

START_SECONDS = 20.0
STOP_SECONDS = 10.0


class ValkeyStore:
    """The data directory and the way to run a server on it; the process that spawns the server owns it."""

    def __init__(
        self, root: Path, *, program: Path | None = None, port: Callable[[Path], int] = remembered_port
    ) -> None:
        self.root = root.absolute()
        self._program = program
        self._port_in = port

    @cached_property
    def password(self) -> str:
        return read_or_create(self.root / "password", token)

    @cached_property
    def port(self) -> int:
        return self._port_in(self.root / "port")

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    @cached_property
    def command(self) -> list[str]:
        return [str(self._program or find_valkey()), str(self._settings_file)]

    @property
    def _settings_file(self) -> Path:
        return self.root / "valkey.conf"

    def prepare(self) -> None:
        """Write the settings; in a file, because a command line shows the password to every user of the machine."""
        data = self.root / "data"
        for folder in (self.root, data):
            private(folder)
        settings = (
            f"bind {LOOPBACK}",
            f"port {self.port}",
            f"requirepass {self.password}",
            f'dir "{data}"',
            "appendonly yes",
            'save ""',
            "daemonize no",
            "maxmemory-policy noeviction",
        )
        write_private(self._settings_file, "\n".join(settings) + "\n")

    def ready(self) -> bool:
        """Whether the server answers PING, with our password (it says LOADING until the data are back)."""
        try:
            with socket.create_connection((LOOPBACK, self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                answer = b""
                while answer.count(b"\r\n") < 2:  # noqa: PLR2004 - one line for each command
                    chunk = connection.recv(256)
                    if not chunk:
                        return False
                    answer += chunk
        except OSError:
            return False
        return answer == b"+OK\r\n+PONG\r\n"


class EmbeddedValkey:
    """A running server for a `with` block; what was written is there again at the next start."""

    def __init__(self, data_dir: Path | str, *, program: Path | None = None) -> None:
        self.store = ValkeyStore(Path(data_dir), program=program)
        self.log = self.store.root / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return self.store.url

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server is not running"
        return self._process.pid

    def start(self) -> Self:
        self.store.prepare()
        process = spawn(self.store.command, log=self.log, orphan_signal=signal.SIGTERM)
        self._process = process
        wait_until(lambda: self.store.ready() or process.poll() is not None, START_SECONDS)
        if process.poll() is not None or not self.store.ready():
            self.stop()
            raise LaunchError(f"Valkey did not start:\n{last_lines(self.log)}")
        return self

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None and (identity := Identity.of(process.pid)):
            identity.end(signal.SIGTERM, STOP_SECONDS)
        process.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


__all__ = ["EmbeddedValkey", "ValkeyStore"]
