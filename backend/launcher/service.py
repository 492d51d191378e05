"""A service of the supervisor: a command and its readiness check."""

import http.client
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from launcher.ports import LOOPBACK
from launcher.tls import client_context

BESIDE, AFTER, KEPT = "beside", "after", "kept"
"""The old process ends after the new one is ready; or before it starts, as both use one address; or it continues to
run, unless its program or flags have changed."""


@dataclass(frozen=True)
class Running:
    """One run of a service, for its readiness check: its pid, and the position in the log where this run begins."""

    pid: int
    log: Path
    log_start: int

    def has_logged(self, text: str) -> bool:
        try:
            with self.log.open("rb") as file:
                file.seek(self.log_start)
                return text.encode() in file.read()
        except OSError:
            return False


def at_once(_: Running) -> bool:
    """The readiness check of a service that is ready as soon as it runs."""
    return True


def answers_http(port: int, path: str) -> Callable[[Running], bool]:
    """Return a readiness check: GET `path` on the loopback address answers 200."""
    return answers_at(f"http://{LOOPBACK}:{port}", path)


def connect(url: str, seconds: float, cert: Path | None = None) -> http.client.HTTPConnection:
    """Return a connection to one of our servers; with TLS, the server must have the certificate `cert`."""
    address = urlsplit(url)
    if address.scheme == "https":
        assert cert is not None, "https is served with a certificate"
        return http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=seconds, context=client_context(cert)
        )
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=seconds)


def answers_at(url: str, path: str, cert: Path | None = None) -> Callable[[Running], bool]:
    """Return a readiness check: GET `path` at `url` answers 200; `cert` as in `connect`."""

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
    """A command to run, with the signals that end it.

    `stop_signal` requests an orderly end within `grace` seconds; the kernel sends `orphan_signal`, SIGKILL by default,
    when the supervisor itself is killed.
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
    """The folder of its heartbeats; None if it writes none, so that only its death is detected."""
    fds: tuple[int, ...] = ()
    """The open files that it inherits."""
    forked: bool = False
    """Whether the fork server may run it; its command is then a Python with arguments."""
    replaced: str = BESIDE
    """The way in which it replaces the process of another release: BESIDE, AFTER or KEPT."""
