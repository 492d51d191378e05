"""Reads and writes the BER of SNMP (RFC 3417, 8); strict and bounded, as any host can send datagrams.

Our own because of the figures in ADR-0025.
"""

from functools import lru_cache

from vnfm.devices.errors import Garbled

INTEGER, OCTETS, NULL, OID, SEQUENCE = 0x02, 0x04, 0x05, 0x06, 0x30
IP_ADDRESS, COUNTER32, GAUGE32, TIMETICKS, OPAQUE, COUNTER64 = 0x40, 0x41, 0x42, 0x43, 0x44, 0x46
GET, RESPONSE, V1_TRAP, INFORM, TRAP, REPORT = 0xA0, 0xA2, 0xA4, 0xA6, 0xA7, 0xA8

_MAX_LENGTH_OCTETS = 4
_MAX_NUMBER_OCTETS = 9
"""Octets of a Counter64 whose first bit is set."""
_MAX_OID_OCTETS = 320
_MAX_ARCS = 128
"""SMIv2 (RFC 2578, 3.5)."""
_MAX_ARC = 2**32 - 1


class Reader:
    """Reads values one after another. All methods raise Garbled for invalid encodings."""

    __slots__ = ("at", "data", "end")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    def more(self) -> bool:
        return self.at < self.end

    def tlv(self) -> tuple[int, int, int]:
        """Tag of the next value, and begin and end of its content."""
        data, at, end = self.data, self.at, self.end
        if at + 2 > end:
            raise Garbled("It ends too early.")
        tag, length = data[at], data[at + 1]
        at += 2
        if length & 0x80:
            size = length & 0x7F
            if not 0 < size <= _MAX_LENGTH_OCTETS or at + size > end:
                raise Garbled("A length is not definite, or too long.")
            length = int.from_bytes(data[at : at + size])
            at += size
        if at + length > end:
            raise Garbled("A value is longer than its container.")
        self.at = at + length
        return tag, at, at + length

    def content(self, expected: int) -> tuple[int, int]:
        """Begin and end of the next value, which must have that tag."""
        tag, begin, end = self.tlv()
        if tag != expected:
            raise Garbled(f"There is a value with tag {tag:#04x} where {expected:#04x} belongs.")
        return begin, end

    def inside(self, expected: int) -> "Reader":
        return Reader(self.data, *self.content(expected))

    def octets(self) -> bytes:
        begin, end = self.content(OCTETS)
        return self.data[begin:end]

    def integer(self) -> int:
        return number(self.data, *self.content(INTEGER))

    def oid(self) -> str:
        begin, end = self.content(OID)
        return oid(self.data[begin:end])


def number(data: bytes, begin: int, end: int) -> int:
    if not 0 < end - begin <= _MAX_NUMBER_OCTETS:
        raise Garbled("A number has no octets, or too many.")
    return int.from_bytes(data[begin:end], signed=True)


@lru_cache(maxsize=8192)
def oid(content: bytes) -> str:
    """Numeric, without a leading dot; cached, as the same few recur."""
    if not 0 < len(content) <= _MAX_OID_OCTETS or content[-1] & 0x80:
        raise Garbled("An object identifier is empty, too long or cut off.")
    arcs: list[int] = []
    value, at_start = 0, True
    for octet in content:
        if at_start and octet == 0x80:  # noqa: PLR2004 - a leading zero
            raise Garbled("An object identifier has an arc with leading zeros.")
        value = value << 7 | octet & 0x7F
        at_start = not octet & 0x80
        if at_start:
            arcs.append(value)
            value = 0
    first = min(arcs[0] // 40, 2)
    arcs[:1] = [first, arcs[0] - 40 * first]
    if len(arcs) > _MAX_ARCS or max(arcs) > _MAX_ARC:
        raise Garbled("An object identifier has too many arcs, or too large a one.")
    return ".".join(map(str, arcs))


def tlv(tag: int, *contents: bytes) -> bytes:
    content = b"".join(contents)
    size = len(content)
    if size < 0x80:  # noqa: PLR2004 - the short form
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8)
    return bytes((tag, 0x80 | len(length))) + length + content


def encoded_number(value: int, tag: int = INTEGER) -> bytes:
    return tlv(tag, value.to_bytes(value.bit_length() // 8 + 1, signed=True))


def encoded_oid(text: str) -> bytes:
    first, second, *rest = map(int, text.split("."))
    content = bytearray()
    for arc in (40 * first + second, *rest):
        octets = [arc & 0x7F]
        while arc := arc >> 7:
            octets.append(arc & 0x7F | 0x80)
        content += bytes(reversed(octets))
    return tlv(OID, bytes(content))
