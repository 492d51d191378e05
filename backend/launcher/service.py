"""A service as the supervisor sees it: a command, and the sign that it is ready."""

import http.client
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from launcher.ports import LOOPBACK


@dataclass(frozen=True)
class Running:
    """One run of a service, for its readiness check: its pid, and where in the log file this run begins."""

    pid: int
    log: Path
    log_start: int

    def has_logged(self, words: str) -> bool:
        try:
            with self.log.open("rb") as file:
                file.seek(self.log_start)
                return words.encode() in file.read()
        except OSError:
            return False


def at_once(_: Running) -> bool:
    """For a service that is ready as soon as it runs."""
    return True


def answers_http(port: int, path: str) -> Callable[[Running], bool]:
    """Ready when GET `path` on the loopback address answers 200."""

    def check(_: Running) -> bool:
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=2)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    return check


@dataclass(frozen=True)
class Service:
    """What to run and how to end it.

    `stop_signal` asks for an orderly end within `grace` seconds; `orphan_signal` is what the kernel sends when the
    supervisor itself was killed: by default the one that cannot be ignored.
    """

    name: str
    command: tuple[str, ...]
    cwd: Path = Path("/")
    env: Mapping[str, str] | None = None
    ready: Callable[[Running], bool] = at_once
    ready_seconds: float = 120.0
    user: int | None = None
    stop_signal: int = signal.SIGTERM
    orphan_signal: int = signal.SIGKILL
    grace: float = 10.0
    heartbeats: Path | None = None
    """Folder of its heartbeats; None: it writes none, and only its death is noticed."""
