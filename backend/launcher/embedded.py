"""An embedded server (PostgreSQL, Valkey) that runs for the length of a `with` block."""

import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from launcher.errors import LaunchError, last_lines
from launcher.processes import Identity, spawn, wait_until


class ServerFiles(Protocol):
    """A data directory and the way to run a server on it."""

    root: Path

    @property
    def url(self) -> str: ...
    @property
    def command(self) -> list[str]: ...
    @property
    def user(self) -> int | None:
        """The uid that the server must run as; None for the caller's own."""

    def prepare(self) -> None: ...
    def ready(self, pid: int) -> bool:
        """Return whether the server with this pid answers."""


Files = TypeVar("Files", bound=ServerFiles)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Name and time limits of a server; the signal `end` shuts it down in order within `stop_seconds`."""

    name: str
    end: signal.Signals
    start_seconds: float
    stop_seconds: float


class EmbeddedServer(Generic[Files]):
    """Starts the server when the block begins and stops it at the end; its data persist.

    Raises LaunchError with the end of its log if it does not start.
    """

    def __init__(self, files: Files, lifetime: Lifetime) -> None:
        self.files = files
        self.log = files.root / "server.log"
        self._lifetime = lifetime
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return self.files.url

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server is not running"
        return self._process.pid

    def start(self) -> Self:
        self.files.prepare()
        process = spawn(self.files.command, log=self.log, orphan_signal=self._lifetime.end, user=self.files.user)
        self._process = process

        def ready() -> bool:
            return self.files.ready(process.pid)

        wait_until(lambda: ready() or process.poll() is not None, self._lifetime.start_seconds)
        if process.poll() is not None or not ready():
            self.stop()
            raise LaunchError(f"{self._lifetime.name} did not start:\n{last_lines(self.log)}")
        return self

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None and (identity := Identity.of(process.pid)):
            identity.end(self._lifetime.end, self._lifetime.stop_seconds)
        process.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
