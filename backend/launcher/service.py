"""A service as the supervisor sees it: a command, and the sign that it is ready."""

import http.client
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from launcher.ports import LOOPBACK
from launcher.tls import client_context

BESIDE, AFTER, KEPT = "beside", "after", "kept"
"""It ends once the new one is ready; before that starts, as both would have one address; or it goes on, unless its
program or flags have changed."""


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
    return answers_at(f"http://{LOOPBACK}:{port}", path)


def connect(url: str, seconds: float, cert: Path | None = None) -> http.client.HTTPConnection:
    """A connection to a server of ours; by TLS it must have the certificate `cert`."""
    address = urlsplit(url)
    if address.scheme == "https":
        assert cert is not None, "https is served with a certificate"
        return http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=seconds, context=client_context(cert)
        )
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=seconds)


def answers_at(url: str, path: str, cert: Path | None = None) -> Callable[[Running], bool]:
    """Ready when GET `path` there answers 200; `cert` as of `connect`."""

    def check(_: Running) -> bool:
        try:
            connection = connect(url, 2, cert)
        except OSError:  # the certificate is being renewed
            return False
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
    fds: tuple[int, ...] = ()
    """Open files that it inherits."""
    forked: bool = False
    """Its command is a Python that the fork server may be instead of."""
    replaced: str = BESIDE
    """How a process of another release gives way to this one's: BESIDE, AFTER or KEPT."""
