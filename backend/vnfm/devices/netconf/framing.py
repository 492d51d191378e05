"""NETCONF framing (RFC 6242): end-of-message marker in base 1.0 and for every hello, chunks in base 1.1."""

from vnfm.kit.xml import LONGEST

END = b"]]>]]>"
_MAX_HEADER = 13
"""Octets of the longest chunk header: two newlines, the sign and ten digits."""


class FrameError(ValueError):
    """The frame is invalid; the message says why."""


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
            while (end := self._buffer.find(b"\n", at + 1, at + _MAX_HEADER)) >= 0:
                size = _size_in(bytes(self._buffer[at:end]))
                if size is None:
                    at = end + 1
                    return self._complete()
                self._bound(len(self._message) + size)
                if len(self._buffer) < end + 1 + size:
                    return None
                self._message += self._buffer[end + 1 : end + 1 + size]
                at = end + 1 + size
            start = bytes(self._buffer[at : at + _MAX_HEADER])
            if len(start) == _MAX_HEADER or not _may_be_header(start):
                raise FrameError(f"no chunk begins with {start!r}")
            return None
        finally:
            del self._buffer[:at]

    def _complete(self) -> bytes:
        if not self._message:
            raise FrameError("a message without a chunk")
        message, self._message = bytes(self._message), bytearray()
        return message

    def _bound(self, size: int) -> None:
        if size > self._max_size:
            raise FrameError(f"a message of more than {self._max_size} octets")


def _size_in(header: bytes) -> int | None:
    """The octets of the chunk that a header announces, without its last newline; None for the end of the message."""
    if header == b"\n##":
        return None
    if len(header) <= len(b"\n#") or header.endswith(b"#") or not _may_be_header(header):
        raise FrameError(f"no chunk begins with {header!r}")
    return int(header[2:])


def _may_be_header(start: bytes) -> bool:
    """True if this begins a chunk header, or is one."""
    if b"\n##".startswith(start):
        return True
    return start.startswith(b"\n#") and start[2:].isdigit() and not start.startswith(b"\n#0")
