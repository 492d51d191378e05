"""Fetching a package from where somebody says it is, for the worker: never called in a web request.

A host's name is resolved once, its addresses are judged, and the connection goes to one of these very addresses: a name
server that answers differently the second time (DNS rebinding) is not asked a second time. The name stays what the
certificate is checked against. A redirect is a new address, judged like the first. `http.client` is used and nothing
above it, because libraries resolve by themselves, and because the time that a whole fetch takes has to be bounded: to a
server that sends a byte now and then no single read ever takes too long.

Trusted are the system's certificates; OpenSSL's SSL_CERT_FILE and SSL_CERT_DIR name others.
"""

import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from types import TracebackType
from typing import Self

from vnfm.catalog.domain.addresses import Place, Policy, Source, refused, source_problem
from vnfm.catalog.store import Readable

STALL_SECONDS = 30.0
"""For a connection, and from one byte to the next."""
MOST_REDIRECTS = 5
MOST_ADDRESSES = 4
"""Of one host that are tried, one after the other."""
CHUNK = 64 * 1024
_REDIRECTS = (301, 302, 303, 307, 308)
_DENIED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_LATER = "Try again later, or upload the package yourself."

Address = tuple[socket.AddressFamily, tuple[str | int, ...] | tuple[str, int] | tuple[int, bytes]]
"""As `socket.getaddrinfo` gives it and `socket.connect` takes it."""


@contextmanager
def opened(source: Source, policy: Policy, seconds: float, most: int) -> Iterator[Readable]:
    """The package's bytes, which raise ProblemError like this does: SOURCE_… or PACKAGE_TOO_LARGE.

    `seconds` bounds the fetch as a whole; `most` is the length, in bytes, beyond which nothing is begun.
    """
    first = place = policy.place(source.url)
    with _Deadline(seconds) as deadline:
        for _ in range(MOST_REDIRECTS + 1):
            line = _Line(place, _addresses(place, policy), deadline)
            with closing(line):
                with _told(place, deadline):
                    answer = line.ask(source if place.origin == first.origin else None)
                with closing(answer):
                    location = answer.headers.get("Location")
                    if answer.status not in _REDIRECTS or location is None:
                        yield _body(answer, place, deadline, most)
                        return
                place = policy.redirected(place, location)
    raise refused(f"There are more than {MOST_REDIRECTS} redirects.", "Give the address where they lead.")


class _Deadline:
    """Ends the connection that is in use when the time is over, so that whoever reads from it comes back."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.over = seconds, False
        self._used: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def watch(self, used: socket.socket) -> None:
        self._used = used
        if self.over:
            self._end()

    def _end(self) -> None:
        self.over = True
        if self._used is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._used, socket.SHUT_RDWR)  # not TLS's own, which would wait for its peer


class _Line(HTTPConnection):
    """A connection to one of the addresses that were judged, in the name of the host."""

    def __init__(self, place: Place, addresses: list[Address], deadline: _Deadline) -> None:
        super().__init__(place.host, place.port, timeout=STALL_SECONDS)
        self.default_port = 443 if place.scheme == "https" else 80
        self._place, self._addresses, self._deadline = place, addresses, deadline

    def connect(self) -> None:
        plain = self._reached()
        self._deadline.watch(plain)
        self.sock = plain
        if self._place.scheme == "https":
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(plain, server_hostname=self._place.host, do_handshake_on_connect=False)
            self._deadline.watch(self.sock)
            self.sock.do_handshake()

    def ask(self, login: Source | None) -> HTTPResponse:
        headers = {"Accept": "application/zip, */*", "Accept-Encoding": "identity", "Connection": "close"}
        if login is not None and login.user_name:
            basic = b64encode(f"{login.user_name}:{login.password}".encode()).decode()
            headers["Authorization"] = f"Basic {basic}"
        self.request("GET", self._place.target, headers=headers)
        return self.getresponse()

    def _reached(self) -> socket.socket:
        failure = OSError("The time is over.")
        for family, address in self._addresses:
            if self._deadline.over:
                break
            tried = socket.socket(family, socket.SOCK_STREAM)
            tried.settimeout(STALL_SECONDS)
            try:
                tried.connect(address)
            except OSError as error:
                tried.close()
                failure = error
            else:
                return tried
        raise failure


class _Body:
    """Reads an answer to its announced end, and says when it ends before."""

    def __init__(self, answer: HTTPResponse, place: Place, deadline: _Deadline) -> None:
        self._answer, self._place, self._deadline = answer, place, deadline

    def read(self, size: int, /) -> bytes:
        with _told(self._place, self._deadline):
            chunk = self._answer.read(min(size, CHUNK))
        if not chunk and self._answer.length:
            missing = f"{self._place.host} ended {self._answer.length} bytes before what it announced."
            raise source_problem("SOURCE_INCOMPLETE", missing, _LATER)
        return chunk


def _addresses(place: Place, policy: Policy) -> list[Address]:
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise source_problem(
            "SOURCE_UNREACHABLE", f"The name {place.host} is not to be resolved.", "Check the address."
        ) from error
    policy.check(place, [str(address[0]) for *_, address in found])
    return [(family, address) for family, *_, address in found[:MOST_ADDRESSES]]


def _body(answer: HTTPResponse, place: Place, deadline: _Deadline, most: int) -> Readable:
    if answer.status != HTTPStatus.OK:
        step = "Check userName and password." if answer.status in _DENIED else "Check the address."
        raise source_problem("SOURCE_ANSWERS", f"{place.host} answers {answer.status}.", step)
    if answer.length is not None and answer.length > most:
        raise source_problem(
            "PACKAGE_TOO_LARGE",
            f"{place.host} announces {answer.length} bytes; {most} are allowed.",
            "Leave images out and upload them to Glance.",
        )
    return _Body(answer, place, deadline)


@contextmanager
def _told(place: Place, deadline: _Deadline) -> Iterator[None]:
    """What goes wrong on the line, as a problem; of the other side's words none are shown."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise source_problem(
            "SOURCE_UNTRUSTED",
            f"The certificate of {place.host} is not accepted: {error.verify_message}.",
            "Check the address. Own certificate authorities are named in SSL_CERT_FILE, where the worker runs.",
        ) from error
    except (OSError, HTTPException) as error:
        if not deadline.over:
            words = f"{place.host} cannot be read from: {type(error).__name__}."
            raise source_problem("SOURCE_UNREACHABLE", words, _LATER) from error
    if deadline.over:
        words = f"{place.host} has not sent the whole package within {deadline.seconds:.0f} s."
        raise source_problem("SOURCE_TOO_SLOW", words, "Upload the package yourself.")
