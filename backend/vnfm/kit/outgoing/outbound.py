"""HTTP calls to addresses that users gave; made by workers, never in a web request.

A host's name is resolved once, its addresses are checked, and the connection goes to one of these very addresses: a
name server that answers differently the second time (DNS rebinding) is not queried a second time. The certificate is
still checked against the name. No redirect is followed: it is a new address, to be checked like the first.
`http.client` is used and nothing above it, because libraries resolve names themselves, and because the total time has
to be bounded: no single read of a server that sends a byte now and then ever takes too long.

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

from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundPurpose, OutboundUrl

STALL_SECONDS = 30.0
"""A connection may take this time, and so may each next byte."""
MOST_ADDRESSES = 4
"""Addresses of one host that are tried, one after the other."""

Address = tuple[socket.AddressFamily, tuple[str | int, ...] | tuple[str, int] | tuple[int, bytes]]
"""`socket.getaddrinfo` gives it and `socket.connect` takes it."""

Certificate = tuple[str, str]
"""Files with a client certificate and its key."""


class Deadline:
    """Shuts the connection in use down when the time is over, so that a blocked read returns."""

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
def send(
    url: OutboundUrl,
    policy: OutboundPolicy,
    deadline: Deadline,
    *,
    method: str = "GET",
    headers: Mapping[str, str],
    body: bytes | None = None,
    certificate: Certificate | None = None,
) -> Iterator[HTTPResponse]:
    """The answer to one request, whatever its status; read its body within `translate_errors`.

    `certificate` is shown to a server that asks for one.

    Raises ProblemError, with the policy's purpose in its code: …_REFUSED, …_UNREACHABLE, …_UNTRUSTED or …_TOO_SLOW.
    """
    line = _CheckedConnection(url, resolve(url, policy, deadline), deadline, certificate)
    common = {"Accept-Encoding": "identity", "Connection": "close"}
    with closing(line):
        with translate_errors(url, policy.purpose, deadline):
            line.request(method, url.target, body=body, headers=common | dict(headers))
            answer = line.getresponse()
        with closing(answer):
            yield answer


@contextmanager
def translate_errors(url: OutboundUrl, purpose: OutboundPurpose, deadline: Deadline) -> Iterator[None]:
    """Failures of the connection become problems; no text from the other side is shown."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise purpose.problem(
            "UNTRUSTED",
            f"The certificate of {url.host} is not accepted: {error.verify_message}.",
            "Check the address. Own certificate authorities are named in SSL_CERT_FILE, where the worker runs.",
        ) from error
    except (OSError, HTTPException) as error:
        if not deadline.over:
            reason = getattr(error, "strerror", None) or type(error).__name__
            words = f"{url.host} cannot be read from: {reason}."
            raise purpose.problem("UNREACHABLE", words) from error
    if deadline.over:
        raise purpose.problem("TOO_SLOW", f"{url.host} {purpose.slow} within {deadline.seconds:.0f} s.")


def basic(user_name: str, password: str) -> str:
    """The value of an Authorization header (RFC 7617)."""
    return f"Basic {b64encode(f'{user_name}:{password}'.encode()).decode()}"


class _CheckedConnection(HTTPConnection):
    """A connection to one of the checked addresses; the certificate is checked against the host's name."""

    def __init__(
        self, url: OutboundUrl, addresses: list[Address], deadline: Deadline, certificate: Certificate | None
    ) -> None:
        super().__init__(url.host, url.port, timeout=STALL_SECONDS)
        self.default_port = 443 if url.scheme == "https" else 80
        self._url, self._addresses, self._deadline, self._certificate = url, addresses, deadline, certificate

    def connect(self) -> None:
        secure = self._url.scheme == "https"
        self.sock = open_socket(self._url, self._addresses, self._deadline, tls=secure, certificate=self._certificate)


def open_socket(
    url: OutboundUrl, addresses: list[Address], deadline: Deadline, *, tls: bool, certificate: Certificate | None = None
) -> socket.socket:
    """A TCP connection to the first of the checked `addresses` that answers; `tls` checks the certificate by name.

    Raises OSError; use it within `translate_errors`.
    """
    plain = _connected(addresses, deadline)
    deadline.watch(plain)
    if not tls:
        return plain
    context = ssl.create_default_context()
    if certificate is not None:
        context.load_cert_chain(*certificate)
    secured = context.wrap_socket(plain, server_hostname=url.host, do_handshake_on_connect=False)
    deadline.watch(secured)
    try:
        secured.do_handshake()
    except OSError:
        secured.close()
        raise
    return secured


def _connected(addresses: list[Address], deadline: Deadline) -> socket.socket:
    failure = OSError("The time is over.")
    for family, address in addresses:
        left = deadline.left
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


def resolve(url: OutboundUrl, policy: OutboundPolicy, deadline: Deadline) -> list[Address]:
    """The addresses of the URL's host, all of which `policy` allows. Raises ProblemError."""
    resolver = ThreadPoolExecutor(1, "resolver")  # the system's knows no time limit, and cannot be ended
    try:
        lookup = resolver.submit(socket.getaddrinfo, url.host, url.port, type=socket.SOCK_STREAM)
        found = lookup.result(deadline.left)
    except TimeoutError as error:
        words = f"The name {url.host} was not resolved within {deadline.seconds:.0f} s."
        raise policy.purpose.problem("TOO_SLOW", words, "Check the address, and the name servers here.") from error
    except (OSError, UnicodeError) as error:
        words = f"The name {url.host} cannot be resolved."
        raise policy.purpose.problem("UNREACHABLE", words, "Check the address.") from error
    finally:
        resolver.shutdown(wait=False)
    policy.check(url, [str(address[0]) for *_, address in found])
    return [(family, address) for family, *_, address in found[:MOST_ADDRESSES]]
