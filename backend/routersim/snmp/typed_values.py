"""Reads the values of files by their type."""

from __future__ import annotations

import re
from ipaddress import IPv4Address

from routersim.snmp.ber import Oid, Tag, Value

MAX_VALUE_OCTETS = 8_192
"""The longest value; a longer one does not fit into a message of `snmp.ber.MAX_OCTETS`."""
_MAX_ARCS, _MAX_ARC = 128, 2**32 - 1
"""Limits of object identifiers (RFC 2578, 3.5)."""
_OID = re.compile(r"\.?[0-2](?:\.[0-9]{1,10}){1,127}")
_NUMBER = re.compile(r"-?[0-9]{1,20}")
_RANGES = {
    Tag.INTEGER: (-(2**31), 2**31 - 1),
    Tag.COUNTER32: (0, 2**32 - 1),
    Tag.GAUGE32: (0, 2**32 - 1),
    Tag.TIMETICKS: (0, 2**32 - 1),
    Tag.COUNTER64: (0, 2**64 - 1),
}

Row = tuple[Oid, Tag, Value]


class BadRow(ValueError):
    """A row that no agent could answer; the message has the reason without the line."""


def checked_oid(text: str) -> Oid:
    """Read a numeric identifier, with or without a leading dot. Raises BadRow."""
    text = f"1{text[3:]}" if text.startswith("iso.") else text
    if not _OID.fullmatch(text):
        hint = "; walk with -On" if "::" in text else ""
        raise BadRow(f"{text[:60]!r} is not a numeric object identifier of at most {_MAX_ARCS} arcs{hint}")
    oid = tuple(map(int, text.removeprefix(".").split(".")))
    if max(oid) > _MAX_ARC or (oid[0] < 2 and oid[1] >= 40):
        raise BadRow(f"{text[:60]!r} has an invalid arc")
    return oid


def typed(tag: Tag, text: str) -> Value:
    """Read a value as text. Raises BadRow."""
    if tag in _RANGES:
        low, high = _RANGES[tag]
        number = int(text) if _NUMBER.fullmatch(text.strip()) else None
        if tag is not Tag.INTEGER and tag is not Tag.COUNTER64 and number is not None and -(2**31) <= number < 0:
            number += 2**32  # some tools print unsigned numbers as signed ones
        if number is None or not low <= number <= high:
            raise BadRow(f"{text[:40]!r} is not of type {tag.name} from {low} to {high}")
        return number
    if tag is Tag.OID:
        return checked_oid(text.strip())
    if tag is Tag.IP_ADDRESS:
        try:
            return IPv4Address(text.strip()).packed
        except ValueError as error:
            raise BadRow(f"{text[:40]!r} is not an IPv4 address") from error
    if tag is Tag.NULL:
        return b""
    return bounded(text.encode(errors="surrogateescape"))


def octets_of_hex(tag: Tag, text: str) -> Value:
    """Read hexadecimal octets, which are the BER content of a number, an identifier or an address. Raises BadRow."""
    try:
        octets = bounded(bytes.fromhex(text.removeprefix("0x")))
    except ValueError as error:
        raise error if isinstance(error, BadRow) else BadRow(f"{text[:40]!r} is not hexadecimal") from error
    return int.from_bytes(octets, signed=tag is Tag.INTEGER) if tag in _RANGES else octets


def bounded(octets: bytes) -> bytes:
    if len(octets) > MAX_VALUE_OCTETS:
        raise BadRow(f"a value has more than {MAX_VALUE_OCTETS} octets")
    return octets
