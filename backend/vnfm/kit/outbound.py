"""Calling where a user says, for workers: never in a web request.

A host's name is resolved once, its addresses are judged, and the connection goes to one of these very addresses: a name
server that answers differently the second time (DNS rebinding) is not asked a second time. The name stays what the
certificate is checked against. No redirect is followed: it is a new address, to be judged like the first. `http.client`
is used and nothing above it, because libraries resolve by themselves, and because the time that the whole takes has to
be bounded: to a server that sends a byte now and then no single read ever takes too long.

Trusted are the system's certificates; OpenSSL's SSL_CERT_FILE and SSL_CERT_DIR name others.
"""

import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from types import TracebackType
from typing import Self

from vnfm.kit.addresses import Errand, Place, Policy

STALL_SECONDS = 30.0
"""For a connection, and from one byte to the next."""
MOST_ADDRESSES = 4
"""Of one host that are tried, one after the other."""

Address = tuple[socket.AddressFamily, tuple[str | int, ...] | tuple[str, int] | tuple[int, bytes]]
"""As `socket.getaddrinfo` gives it and `socket.connect` takes it."""


class Deadline:
    """Ends the connection that is in use when the time is over, so that whoever reads from it comes back."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends_at = time.monotonic() + seconds
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

    @property
    def left(self) -> float:
        """Seconds that remain."""
        return max(0.0, self._ends_at - time.monotonic())

    @property
    def over(self) -> bool:
        return self.left == 0

    def watch(self, used: socket.socket) -> None:
        self._used = used
        if self.over:
            self._end()

    def _end(self) -> None:
        if self._used is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._used, socket.SHUT_RDWR)  # not TLS's own, which would wait for its peer


@contextmanager
def answered(
    place: Place,
    policy: Policy,
    deadline: Deadline,
    *,
    method: str = "GET",
    headers: Mapping[str, str],
    body: bytes | None = None,
) -> Iterator[HTTPResponse]:
    """The answer to one request, whatever its status; read its body within `told`.

    Raises ProblemError, by the policy's errand: …_REFUSED, …_UNREACHABLE, …_UNTRUSTED or …_TOO_SLOW.
    """
    line = _Line(place, _addresses(place, policy, deadline), deadline)
    common = {"Accept-Encoding": "identity", "Connection": "close"}
    with closing(line):
        with told(place, policy.errand, deadline):
            line.request(method, place.target, body=body, headers=common | dict(headers))
            answer = line.getresponse()
        with closing(answer):
            yield answer


@contextmanager
def told(place: Place, errand: Errand, deadline: Deadline) -> Iterator[None]:
    """What goes wrong on the line, as a problem; of the other side's words none are shown."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise errand.problem(
            "UNTRUSTED",
            f"The certificate of {place.host} is not accepted: {error.verify_message}.",
            "Check the address. Own certificate authorities are named in SSL_CERT_FILE, where the worker runs.",
        ) from error
    except (OSError, HTTPException) as error:
        if not deadline.over:
            words = f"{place.host} cannot be read from: {type(error).__name__}."
            raise errand.problem("UNREACHABLE", words) from error
    if deadline.over:
        raise errand.problem("TOO_SLOW", f"{place.host} {errand.slow} within {deadline.seconds:.0f} s.")


def basic(user_name: str, password: str) -> str:
    """The value of an Authorization header (RFC 7617)."""
    return f"Basic {b64encode(f'{user_name}:{password}'.encode()).decode()}"


class _Line(HTTPConnection):
    """A connection to one of the addresses that were judged, in the name of the host."""

    def __init__(self, place: Place, addresses: list[Address], deadline: Deadline) -> None:
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

    def _reached(self) -> socket.socket:
        failure = OSError("The time is over.")
        for family, address in self._addresses:
            left = self._deadline.left
            if not left:
                break
            tried = socket.socket(family, socket.SOCK_STREAM)
            tried.settimeout(min(STALL_SECONDS, left))
            try:
                tried.connect(address)
            except OSError as error:
                tried.close()
                failure = error
            else:
                return tried
        raise failure


def _addresses(place: Place, policy: Policy, deadline: Deadline) -> list[Address]:
    resolver = ThreadPoolExecutor(1, "resolver")  # the system's knows no time limit, and cannot be ended
    try:
        asked = resolver.submit(socket.getaddrinfo, place.host, place.port, type=socket.SOCK_STREAM)
        found = asked.result(deadline.left)
    except TimeoutError as error:
        words = f"The name {place.host} was not resolved within {deadline.seconds:.0f} s."
        raise policy.errand.problem("TOO_SLOW", words, "Check the address, and the name servers here.") from error
    except (OSError, UnicodeError) as error:
        words = f"The name {place.host} is not to be resolved."
        raise policy.errand.problem("UNREACHABLE", words, "Check the address.") from error
    finally:
        resolver.shutdown(wait=False)
    policy.check(place, [str(address[0]) for *_, address in found])
    return [(family, address) for family, *_, address in found[:MOST_ADDRESSES]]
