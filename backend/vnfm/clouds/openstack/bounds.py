"""Bounds of what a cloud answers: size on the wire and decoded, time of a whole answer, and text of an error.

They are in the transport, below every client library, as some of these read an error page before we see it.
"""

import codecs
import io
from collections.abc import Iterator
from errno import EMSGSIZE
from http.client import HTTPResponse
from socket import SocketIO, socket
from time import monotonic
from typing import Any, cast

import requests
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ReadTimeoutError

from vnfm.clouds.openstack.markup import plain_text

MAX_ANSWER = 16 * 1024**2
"""Bytes of an answer, decoded: 35,000 ports in one list. Parsed, hostile JSON takes 20 times as much."""

MAX_ERROR = 64 * 1024
"""Bytes of an error's body that are read; OpenStack's own are a hundredth of it."""

ANSWER_SECONDS = 60.0
"""A whole answer may take this time after its request; twice the longest silence where a request allows that."""

_PIECE = 64 * 1024
_ERRORS = 400


class AnswerTooLargeError(requests.exceptions.RequestException):
    """The answer is not read to its end."""


class _BoundedReader(io.RawIOBase):
    """The bytes of one answer, until they are too many or take too long; each read ends with what has arrived."""

    def __init__(self, wire: SocketIO, seconds: float) -> None:
        super().__init__()
        self._wire = wire
        self._until = monotonic() + seconds
        self._left = 2 * MAX_ANSWER
        """More than the decoded body may have, for headers and the framing of chunks."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # a writable buffer
        if monotonic() > self._until:
            raise TimeoutError("timed out")
        if self._left <= 0:
            raise OSError(EMSGSIZE, "The answer is too large")
        read = self._wire.readinto(buffer)
        self._left -= read or 0
        return read

    def close(self) -> None:
        self._wire.close()
        super().close()


class _BoundedResponse(HTTPResponse):
    def __init__(self, sock: socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        silence = sock.gettimeout() or 0.0
        wire = cast("SocketIO", self.fp.detach())
        self.fp = io.BufferedReader(_BoundedReader(wire, max(ANSWER_SECONDS, 2 * silence)))


class _Connection(HTTPConnection):
    response_class = _BoundedResponse


class _TlsConnection(HTTPSConnection):
    response_class = _BoundedResponse


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


POOLS = {"http": _Pool, "https": _TlsPool}
"""Scheme → pool, for a PoolManager of urllib3."""


def _pieces(answer: requests.Response) -> Iterator[bytes]:
    """The body; a time-out in it is one of reading, as before the first byte."""
    try:
        yield from answer.iter_content(_PIECE)
    except requests.exceptions.ConnectionError as error:
        if error.args and isinstance(error.args[0], ReadTimeoutError):
            raise requests.exceptions.ReadTimeout(str(error), request=answer.request) from error
        raise


def _is_known(encoding: str | None) -> bool:
    try:
        return encoding is not None and bool(codecs.lookup(encoding))
    except LookupError:
        return False


def read_bounded(answer: requests.Response) -> None:
    """Read the body into `answer`; of an error the first bytes alone, and no markup.

    Raises AnswerTooLargeError, or what requests raises for a connection that breaks off or takes too long.
    """
    failed = answer.status_code >= _ERRORS
    limit, body = MAX_ERROR if failed else MAX_ANSWER, bytearray()
    for piece in _pieces(answer):
        body += piece
        if len(body) > limit:
            answer.close()
            if not failed:
                raise AnswerTooLargeError(f"The answer has more than {MAX_ANSWER // 1024**2} MiB.")
            break
    if not _is_known(answer.encoding):
        answer.encoding = "utf-8"  # as OpenStack answers; to guess it from the content takes seconds
    encoding, content = answer.encoding or "utf-8", bytes(body[:limit])
    kind = answer.headers.get("content-type", "")
    if failed and ("json" not in kind or "html" in kind):
        content = plain_text(content.decode(encoding, "replace")).encode(encoding, "replace")
    answer._content = content  # noqa: SLF001  (what `content` gives, here as in requests' own tests)
    answer._content_consumed = True  # noqa: SLF001
