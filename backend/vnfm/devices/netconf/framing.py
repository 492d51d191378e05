"""Messages in a stream of octets (RFC 6242): ended by a mark in base 1.0 and in every hello, in chunks in base 1.1."""

import re

from vnfm.kit.xml import LONGEST

END = b"]]>]]>"
_CHUNK = re.compile(rb"\n#(?:([1-9]\d{0,9})|#)\n")
_LONGEST_HEADER = 13
"""Octets of the longest chunk header: two newlines, the sign and ten digits."""


class FrameError(ValueError):
    """What came is no frame; the message says why."""


def framed(message: bytes, *, chunked: bool) -> bytes:
    """A message as it is sent."""
    return b"\n#%d\n%b\n##\n" % (len(message), message) if chunked else message + END


class Frames:
    """Messages out of octets. `chunked` is set after the hellos, where both sides speak base 1.1."""

    def __init__(self, longest: int = LONGEST) -> None:
        self.chunked = False
        self._longest = longest
        self._came = bytearray()
        self._looked = 0
        self._message = bytearray()

    def feed(self, octets: bytes) -> None:
        self._came += octets

    def take(self) -> bytes | None:
        """The next whole message; None while it has not come. Raises FrameError."""
        return self._chunks() if self.chunked else self._marked()

    def _marked(self) -> bytes | None:
        at = self._came.find(END, self._looked)
        if at < 0:
            self._looked = max(0, len(self._came) - len(END))
            self._bound(len(self._came))
            return None
        message = bytes(self._came[:at])
        del self._came[: at + len(END)]
        self._looked = 0
        return message

    def _chunks(self) -> bytes | None:
        at = 0
        try:
            while (found := _CHUNK.match(self._came, at)) is not None:
                if found[1] is None:
                    at = found.end()
                    return self._whole()
                size = int(found[1])
                self._bound(len(self._message) + size)
                if len(self._came) < found.end() + size:
                    return None
                self._message += self._came[found.end() : found.end() + size]
                at = found.end() + size
            self._check_header(bytes(self._came[at : at + _LONGEST_HEADER]))
            return None
        finally:
            del self._came[:at]

    def _whole(self) -> bytes:
        if not self._message:
            raise FrameError("a message without a chunk")
        message, self._message = bytes(self._message), bytearray()
        return message

    def _check_header(self, begun: bytes) -> None:
        """Whether this may become a chunk header."""
        if re.fullmatch(rb"(?:\n(?:#(?:#|[1-9]\d{0,9})?)?)?", begun) is None:
            raise FrameError(f"no chunk begins with {begun!r}")

    def _bound(self, size: int) -> None:
        if size > self._longest:
            raise FrameError(f"a message of more than {self._longest} octets")
