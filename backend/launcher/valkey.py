"""An embedded Valkey (Redis protocol): broker of the task queue, with a password and an append-only file.

with EmbeddedValkey(directory) as server:
    connect(server.url)
"""

import signal
import socket
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from launcher.binaries import find_valkey
from launcher.embedded import EmbeddedServer, Lifetime
from launcher.keys import read_or_create, token, write_private
from launcher.layout import private
from launcher.ports import LOOPBACK, remembered_port

_LIFETIME = Lifetime("Valkey", signal.SIGTERM, start_seconds=20.0, stop_seconds=10.0)


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
    def user(self) -> None:
        """None, as the server runs as the caller."""

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
        """Write the settings to a file, because a command line would show the password to every user."""
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

    def ready(self, pid: int = 0) -> bool:
        """Return whether the server answers PING with our password (it answers LOADING until its data are read)."""
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


class EmbeddedValkey(EmbeddedServer[ValkeyStore]):
    def __init__(self, data_dir: Path | str, *, program: Path | None = None) -> None:
        super().__init__(ValkeyStore(Path(data_dir), program=program), _LIFETIME)


__all__ = ["EmbeddedValkey", "ValkeyStore"]
