"""The base of servers that stand in for others: HTTP or HTTPS on a free loopback port, in a thread."""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class QuietHandler(BaseHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Keep the test's output clean."""


class HttpStandIn:
    """Serves with `handler` from `with` on; `closing` is set when it ends, so that slow answers end, too.

    `port` is that of one that ended, to be back in its place.
    """

    def __init__(
        self, handler: type[QuietHandler], host: str = "127.0.0.1", tls: ssl.SSLContext | None = None, port: int = 0
    ) -> None:
        self.closing = threading.Event()
        self._server = _Server((host, port), handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = int(self._server.server_address[1])
        self.base = f"{'http' if tls is None else 'https'}://{host}:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave in the middle are what is tested."""
