"""BER coding of SNMPv2c messages and of PDUs (RFC 3416, RFC 1901) by asn1tools; `usm` has SNMPv3.

The library reads messages by their ASN.1. Writing them that way costs eleven microseconds per varbind; the library's
primitives with cached parts cost one. An object identifier is the coding of its column followed by that of its row, and
each is coded once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

import asn1tools
from asn1tools.codecs.ber import encode_length_definite, encode_object_identifier, encode_signed_integer

Oid = tuple[int, ...]
V2C = 1
MAX_OCTETS = 9_216
"""The longest message, the largest `packet-size` of SR OS."""


class Tag(IntEnum):
    """The first octet of a value."""

    INTEGER = 0x02
    OCTETS = 0x04
    NULL = 0x05
    OID = 0x06
    SEQUENCE = 0x30
    IP_ADDRESS = 0x40
    COUNTER32 = 0x41
    GAUGE32 = 0x42
    TIMETICKS = 0x43
    OPAQUE = 0x44
    COUNTER64 = 0x46
    NO_SUCH_OBJECT = 0x80
    NO_SUCH_INSTANCE = 0x81
    END_OF_MIB_VIEW = 0x82


class Pdu(IntEnum):
    """The first octet of a PDU."""

    GET = 0xA0
    GET_NEXT = 0xA1
    RESPONSE = 0xA2
    SET = 0xA3
    GET_BULK = 0xA5
    INFORM = 0xA6
    TRAP = 0xA7
    REPORT = 0xA8


Value = int | bytes | str | Oid
"""A value by its tag: numbers are int, octets are bytes or ASCII text, identifiers are tuples."""
_NUMBERS = frozenset((Tag.INTEGER, Tag.COUNTER32, Tag.GAUGE32, Tag.TIMETICKS, Tag.COUNTER64))
NOTHING = {tag: bytes((tag, 0)) for tag in (Tag.NULL, Tag.NO_SUCH_OBJECT, Tag.NO_SUCH_INSTANCE, Tag.END_OF_MIB_VIEW)}
_WRAP = {Tag.COUNTER32: 1 << 32, Tag.TIMETICKS: 1 << 32, Tag.COUNTER64: 1 << 64}


class Garbled(ValueError):
    """The octets are not an SNMP message."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A received varbind: name and value."""

    oid: Oid
    tag: Tag
    value: Value


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `first` and `second` are error-status and error-index, or non-repeaters and max-repetitions."""

    community: bytes
    """The community, or the name of the SNMPv3 user."""
    pdu: Pdu
    request_id: int
    first: int
    second: int
    bindings: list[Binding]
    room: int = MAX_OCTETS
    """The octets of the longest answer that its sender accepts."""


@lru_cache(maxsize=16_384)
def _head(tag: int, length: int) -> bytes:
    return bytes((tag,)) + bytes(encode_length_definite(length))


def tlv(tag: int, content: bytes) -> bytes:
    return _head(tag, len(content)) + content


@lru_cache(maxsize=65_536)
def oid_octets(oid: Oid) -> bytes:
    """Return the content octets of an identifier, or of its first part with at least two arcs."""
    return bytes(encode_object_identifier(".".join(map(str, oid))))


@lru_cache(maxsize=131_072)
def row_octets(index: Oid) -> bytes:
    """Return the content octets of the arcs after a column's."""
    return bytes(encode_object_identifier(".".join(map(str, (1, 3, *index)))))[1:]


@lru_cache(maxsize=65_536)
def _coded(tag: Tag, value: Value) -> bytes:
    if isinstance(value, int):
        return tlv(tag, encode_signed_integer(value))
    if isinstance(value, tuple):
        return tlv(tag, oid_octets(value))
    return tlv(tag, value.encode() if isinstance(value, str) else value)


def encode_value(tag: Tag, value: Value) -> bytes:
    """Encode a value with its tag; counters wrap as on a router."""
    wrap = _WRAP.get(tag)
    if wrap is not None and isinstance(value, int):
        return tlv(tag, encode_signed_integer(value % wrap))
    return _coded(tag, value)


def encode_binding(name: bytes, value: bytes) -> bytes:
    """Encode a varbind from the content octets of its name and its coded value."""
    return tlv(Tag.SEQUENCE, tlv(Tag.OID, name) + value)


def encode_message(
    community: bytes, pdu: int, request_id: int, first: int, second: int, *, bindings: list[bytes]
) -> bytes:
    """Encode an SNMPv2c message."""
    return in_community(community, encode_pdu(pdu, request_id, first, second, bindings=bindings))


def in_community(community: bytes, pdu: bytes) -> bytes:
    """Return the SNMPv2c message with this PDU."""
    return tlv(Tag.SEQUENCE, _version(community) + pdu)


def encode_pdu(pdu: int, request_id: int, first: int, second: int, *, bindings: list[bytes]) -> bytes:
    head = b"".join(map(encode_integer, (request_id, first, second)))
    return tlv(pdu, head + tlv(Tag.SEQUENCE, b"".join(bindings)))


def encode_integer(number: int) -> bytes:
    return tlv(Tag.INTEGER, encode_signed_integer(number))


@lru_cache(maxsize=64)
def _version(community: bytes) -> bytes:
    return tlv(Tag.INTEGER, bytes((V2C,))) + tlv(Tag.OCTETS, community)


_SYNTAX = """
SNMP DEFINITIONS IMPLICIT TAGS ::= BEGIN
Message ::= SEQUENCE { version INTEGER, community OCTET STRING, data PDUs }
V3Message ::= SEQUENCE { version INTEGER, header Header, security OCTET STRING, data ScopedPduData }
Header ::= SEQUENCE { id INTEGER, max-size INTEGER, flags OCTET STRING, model INTEGER }
UsmParameters ::= SEQUENCE {
  engine OCTET STRING, boots INTEGER, time INTEGER, user OCTET STRING, auth OCTET STRING, salt OCTET STRING
}
ScopedPduData ::= CHOICE { plain ScopedPdu, encrypted OCTET STRING }
ScopedPdu ::= SEQUENCE { engine OCTET STRING, context OCTET STRING, data PDUs }
PDUs ::= CHOICE {
  get [0] PDU, get-next [1] PDU, response [2] PDU, set [3] PDU, get-bulk [5] PDU, inform [6] PDU, trap [7] PDU,
  report [8] PDU
}
PDU ::= SEQUENCE { id INTEGER, first INTEGER, second INTEGER, bindings SEQUENCE OF VarBind }
VarBind ::= SEQUENCE { name OBJECT IDENTIFIER, value Value }
Value ::= CHOICE {
  integer INTEGER, octets OCTET STRING, null NULL, oid OBJECT IDENTIFIER, ip-address [APPLICATION 0] OCTET STRING,
  counter32 [APPLICATION 1] INTEGER, gauge32 [APPLICATION 2] INTEGER, timeticks [APPLICATION 3] INTEGER,
  opaque [APPLICATION 4] OCTET STRING, counter64 [APPLICATION 6] INTEGER,
  no-such-object [0] NULL, no-such-instance [1] NULL, end-of-mib-view [2] NULL
}
END
"""
"""The ASN.1 of RFC 1901, 3412, 3414 and 3416 without ranges; error-status and non-repeaters are both `first`."""
_CODEC = asn1tools.compile_string(_SYNTAX, "ber")


@lru_cache(maxsize=65_536)
def arcs(text: str) -> Oid:
    """Return the identifier of a text such as `1.3.6.1`."""
    return tuple(map(int, text.split(".")))


def decode(kind: str, octets: bytes) -> dict[str, Any]:
    """Decode a value of a type of `_SYNTAX`; octets after it are ignored. Raises Garbled."""
    try:
        found: dict[str, Any] = _CODEC.decode(kind, octets)
    except (asn1tools.DecodeError, IndexError, ValueError) as error:
        raise Garbled(f"not an SNMP message: {error}") from error
    return found


def decode_message(octets: bytes) -> Message:
    """Decode an SNMPv2c message. Raises Garbled."""
    found = decode("Message", octets)
    if found["version"] != V2C:
        raise Garbled(f"version {found['version']}: this agent supports only SNMPv2c and SNMPv3")
    return message_of(found["community"], found["data"])


def message_of(principal: bytes, data: tuple[str, dict[str, Any]], room: int = MAX_OCTETS) -> Message:
    """Return a decoded `PDUs` as the message of this community or user."""
    kind, pdu = data
    bindings = [_binding(one["name"], *one["value"]) for one in pdu["bindings"]]
    return Message(principal, Pdu[_word(kind)], pdu["id"], pdu["first"], pdu["second"], bindings, room)


def _binding(name: str, kind: str, value: int | bytes | str | None) -> Binding:
    tag = Tag[_word(kind)]
    if tag is Tag.OID:
        return Binding(arcs(name), tag, arcs(str(value)))
    return Binding(arcs(name), tag, b"" if value is None else value)


@lru_cache(maxsize=64)
def _word(kind: str) -> str:
    return kind.upper().replace("-", "_")


def is_number(tag: int) -> bool:
    return tag in _NUMBERS
