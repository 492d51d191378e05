"""NETCONF framing (RFC 6242): end-of-message marker in base 1.0 and for every hello, chunks in base 1.1."""

import re

from vnfm.kit.xml import LONGEST

END = b"]]>]]>"
_CHUNK = re.compile(rb"\n#(?:([1-9]\d{0,9})|#)\n")
_MAX_HEADER = 13
"""Octets of the longest chunk header: two newlines, the sign and ten digits."""


class FrameError(ValueError):
    """Not a valid frame; the message says why."""


def framed(message: bytes, *, chunked: bool) -> bytes:
    """A message with its framing."""
    return b"\n#%d\n%b\n##\n" % (len(message), message) if chunked else message + END


class Frames:
    """Extracts messages from a stream. `chunked` is set after the hellos, where both sides support base 1.1."""

    def __init__(self, max_size: int = LONGEST) -> None:
        self.chunked = False
        self._max_size = max_size
        self._buffer = bytearray()
        self._searched = 0
        self._message = bytearray()

    def feed(self, octets: bytes) -> None:
        self._buffer += octets

    def take(self) -> bytes | None:
        """The next complete message; None until it has arrived. Raises FrameError."""
        return self._chunks() if self.chunked else self._marked()

    def _marked(self) -> bytes | None:
        at = self._buffer.find(END, self._searched)
        if at < 0:
            self._searched = max(0, len(self._buffer) - len(END))
            self._bound(len(self._buffer))
            return None
        message = bytes(self._buffer[:at])
        del self._buffer[: at + len(END)]
        self._searched = 0
        return message

    def _chunks(self) -> bytes | None:
        at = 0
        try:
            while (found := _CHUNK.match(self._buffer, at)) is not None:
                if found[1] is None:
                    at = found.end()
                    return self._complete()
                size = int(found[1])
                self._bound(len(self._message) + size)
                if len(self._buffer) < found.end() + size:
                    return None
                self._message += self._buffer[found.end() : found.end() + size]
                at = found.end() + size
            self._check_header(bytes(self._buffer[at : at + _MAX_HEADER]))
            return None
        finally:
            del self._buffer[:at]

    def _complete(self) -> bytes:
        if not self._message:
            raise FrameError("a message without a chunk")
        message, self._message = bytes(self._message), bytearray()
        return message

    def _check_header(self, start: bytes) -> None:
        """Raises FrameError unless this may become a chunk header."""
        if re.fullmatch(rb"(?:\n(?:#(?:#|[1-9]\d{0,9})?)?)?", start) is None:
            raise FrameError(f"no chunk begins with {start!r}")

    def _bound(self, size: int) -> None:
        if size > self._max_size:
            raise FrameError(f"a message of more than {self._max_size} octets")
