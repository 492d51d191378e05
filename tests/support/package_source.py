"""A server that packages are fetched from, over HTTP in a thread; what it does at a path is the test's to say."""

import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support.http_standin import HttpStandIn, QuietHandler


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]


class Exchange:
    """One request, and the means to answer it."""

    def __init__(self, source: "PackageSource", handler: BaseHTTPRequestHandler) -> None:
        self.source, self.handler = source, handler

    def begin(self, status: int, **headers: str) -> None:
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def write(self, data: bytes) -> None:
        self.handler.wfile.write(data)
        self.handler.wfile.flush()


Behaviour = Callable[[Exchange], None]


def serving(data: bytes) -> Behaviour:
    def answer(exchange: Exchange) -> None:
        exchange.begin(200, Content_Length=str(len(data)))
        exchange.write(data)

    return answer


def status(code: int, **headers: str) -> Behaviour:
    return lambda exchange: exchange.begin(code, Content_Length="0", **headers)


def redirecting(location: str) -> Behaviour:
    return status(302, Location=location)


def announcing(length: int, data: bytes) -> Behaviour:
    """Says that it sends `length` bytes, and sends `data`."""

    def answer(exchange: Exchange) -> None:
        exchange.begin(200, Content_Length=str(length))
        exchange.write(data)

    return answer


def endless(exchange: Exchange) -> None:
    """A body without a length and without an end."""
    exchange.begin(200)
    while not exchange.source.closing.is_set():
        exchange.write(b"\0" * 65536)


def dripping(exchange: Exchange) -> None:
    """A byte now and then: never long enough without one for a timeout of reads."""
    exchange.begin(200, Content_Length="1000000")
    while not exchange.source.closing.wait(0.05):
        exchange.write(b"\0")


def dripping_headers(exchange: Exchange) -> None:
    """The same before the body begins."""
    exchange.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not exchange.source.closing.wait(0.05):
        exchange.write(b"x")


def hanging(exchange: Exchange) -> None:
    """Takes the request and says nothing."""
    exchange.source.closing.wait()


class PackageSource(HttpStandIn):
    """404 at every path without a behaviour."""

    def __init__(self, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(self._handler(), host, tls)
        self.requests: list[Request] = []
        self.requested = threading.Event()
        self._at: dict[str, Behaviour] = {}

    def at(self, path: str, behaviour: Behaviour) -> str:
        """Behave so at `path`; its URL."""
        self._at[path] = behaviour
        return f"{self.base}{path}"

    def _handler(self) -> type[QuietHandler]:
        source = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:  # noqa: N802 - http.server calls it so
                source.requests.append(Request(self.path, dict(self.headers.items())))
                source.requested.set()
                source._at.get(self.path.partition("?")[0], status(404))(Exchange(source, self))

        return Handler


class Trap:
    """A socket that listens and must get no connection."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._socket = socket.create_server((host, 0))
        self._socket.setblocking(False)
        self.address = f"{host}:{self._socket.getsockname()[1]}"

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def untouched(self) -> bool:
        try:
            self._socket.accept()
        except BlockingIOError:
            return True
        return False

    def close(self) -> None:
        self._socket.close()


class Names:
    """Names with addresses of the test's, one list for each time they are asked for; others are resolved as ever."""

    def __init__(self, addresses: Mapping[str, list[list[str]]]) -> None:
        self.asked: list[str] = []
        self._addresses = {name: list(answers) for name, answers in addresses.items()}
        self._resolve = socket.getaddrinfo

    def getaddrinfo(self, host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        """In the place of `socket.getaddrinfo`."""
        if host not in self._addresses:
            return self._resolve(host, port, *args, **kwargs)
        self.asked.append(host)
        answers = self._addresses[host]
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]
