"""HTTP connections of the web process, bounded in number and in the time for a request's headers; what cannot be read.

uvicorn has no option for either: its `--limit-concurrency` answers 503 only to complete headers, and its keep-alive
timer ends with the first byte. Named by `--http vnfm.config.connections:BoundedProtocol`.
"""

import asyncio
import json
import resource
import sys
from functools import cache
from http import HTTPStatus
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from vnfm.kit.problem import Problem

HEADER_SECONDS = 10.0
"""Headers may take this time from the first byte of a request, or from the connection."""
FIRST_REQUEST_SECONDS = 1.0
"""A connection that was just made has this time for its first request at the end of the process."""
MOST_CONNECTIONS = 4096
_OTHER_FILES = 256
"""The database, uploads and pages need some."""
_MOST_FILES = 65536


@cache
def connection_limit() -> int:
    """Return the limit of connections; raises the soft limit of open files first, as far as it is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, soft - _OTHER_FILES)


def _unreadable(error: h11.RemoteProtocolError) -> Problem:
    status = error.error_status_hint
    if status == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE:
        detail = "The request line and the headers have more than 64 KiB."
        return Problem(status, "HEADERS_TOO_LARGE", "Headers too large", detail, "Ask for less in the query.")
    detail, step = f"This is no HTTP request: {error}.", "Check the client, and the proxies on its way."
    return Problem(status, "INVALID_HTTP", HTTPStatus(status).phrase, detail, step)


class BoundedProtocol(H11Protocol):
    """Closes a connection whose headers take too long, and with too many connections the one that waits longest."""

    _waiting: ClassVar[dict["BoundedProtocol", asyncio.TimerHandle]] = {}
    """Connections without a complete request, oldest first."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._limit = connection_limit()
        self._ends = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self._limit:
            next(iter(self._waiting)).transport.abort()

    def shutdown(self) -> None:
        """A client that has just connected does not know that this process ends: its first request is answered."""
        if self._ends or self._answers:
            self._end()
        else:
            self._ends = True
            self.loop.call_later(FIRST_REQUEST_SECONDS, self._end)

    @property
    def _answers(self) -> bool:
        """True once there was a request."""
        return getattr(self, "cycle", None) is not None  # uvicorn's type has no None

    def _end(self) -> None:
        if not self.transport.is_closing():
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._ends and self._answers:
            self.cycle.keep_alive = False
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._wait_no_more()

    def send_400_response(self, msg: str) -> None:
        """Answer what h11 cannot read, with the status of its error, which uvicorn is handling."""
        error = sys.exception()
        assert isinstance(error, h11.RemoteProtocolError), msg
        problem = _unreadable(error)
        body = json.dumps(problem.as_json()).encode()
        length = ("content-length", str(len(body)))
        headers = [("content-type", "application/problem+json"), ("connection", "close"), length]
        reason = HTTPStatus(problem.status).phrase.encode()
        head = h11.Response(status_code=problem.status, headers=headers, reason=reason)
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self not in self._waiting and not self.transport.is_closing():
            self._waiting[self] = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _wait_no_more(self) -> None:
        timer = self._waiting.pop(self, None)
        if timer is not None:
            timer.cancel()
