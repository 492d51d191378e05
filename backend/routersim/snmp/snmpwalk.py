"""Reads `snmpwalk -On` (Net-SNMP): `.1.3.6.1.2.1.1.5.0 = STRING: "r1"`; texts and octets may take several lines."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator

from routersim.snmp.ber import Tag, Value
from routersim.snmp.typed_values import BadRow, Row, bounded, checked_oid, octets_of_hex, typed

_ROW = re.compile(r"((?:\.?[0-9]+|iso)(?:\.[0-9]+)+) = ?(.*)", re.DOTALL)
_NAMED = re.compile(r"[A-Za-z][A-Za-z0-9-]*::\S+ = ")
_SKIPPED = re.compile(r"No Such (?:Instance|Object)|No more variables left")
"""The texts that replace a value that the agent does not have."""
_NOISE = re.compile(
    r"(?:Timeout: No Response|No more variables|Error:|Error in packet|Reason:|Failed object|snmp\w+:|#)"
)
"""Messages of the program itself."""
_WRONG = re.compile(r"Wrong Type \(should be [^)]*\): ")
_NUMBER = re.compile(r"(?:[^\s(]*\()?(-?[0-9]+)\)?(?:\s.*)?", re.DOTALL)
"""A number such as 1, up(1) or 5 octets; the label of an enumeration and the unit are from the MIB."""
_TICKS = re.compile(r"\(([0-9]+)\).*|([0-9]+)", re.DOTALL)
_MAC = re.compile(r"[0-9a-fA-F]{1,2}(?::[0-9a-fA-F]{1,2}){5,}")
_BITS = re.compile(r"((?:[0-9A-F]{2}(?:\s+|$))*)")
_NUMBERS = {
    "INTEGER": Tag.INTEGER, "Integer32": Tag.INTEGER, "Counter32": Tag.COUNTER32, "Counter64": Tag.COUNTER64,
    "Gauge32": Tag.GAUGE32, "Unsigned32": Tag.GAUGE32, "UInteger32": Tag.GAUGE32,
}  # fmt: skip


def walk_rows(text: str) -> Iterator[Row]:
    """Yield the rows of a walk. Raises BadRow with the number of the line."""
    for number, name, value in _entries(text):
        try:
            if not _SKIPPED.match(value):
                tag, decoded = _value(_WRONG.sub("", value, count=1))
                yield checked_oid(name), tag, decoded
        except BadRow as error:
            raise BadRow(f"line {number}: {error}") from error


def _entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield number of the first line, name and value; a line that begins no row continues the value before."""
    started, name, lines = 0, "", list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        found = _ROW.fullmatch(line)
        if found is None:
            if _NAMED.match(line):
                raise BadRow(f"line {number}: the name is symbolic: walk with -On")
            if name and not (_NOISE.match(line) and not _open(lines)):
                lines.append(line)
            continue
        if name:
            yield started, name, "\n".join(lines)
        started, name, lines = number, found[1], [found[2]]
    if name:
        yield started, name, "\n".join(lines)


def _open(lines: list[str]) -> bool:
    """Return whether a quoted text has not ended yet."""
    first = lines[0].partition(": ")[2] or lines[0]
    return first.startswith('"') and not (lines[-1].rstrip().endswith('"') and (len(lines) > 1 or len(first) > 1))


def _value(text: str) -> tuple[Tag, Value]:
    kind, colon, rest = text.partition(":")
    rest = rest.removeprefix(" ")
    if not colon or (text.startswith('"')):
        return _untyped(text.strip())
    if kind not in _READERS:
        raise BadRow(f"the type {kind[:30]!r} is unknown to Net-SNMP")
    tag, read = _READERS[kind]
    return tag, read(rest)


def _untyped(text: str) -> tuple[Tag, Value]:
    """Read a value without a type, as Net-SNMP writes an empty text, NULL, and with -Ot ticks."""
    if text in ('""', ""):
        return Tag.OCTETS, b""
    if text == "NULL":
        return Tag.NULL, b""
    if text.startswith('"'):
        return Tag.OCTETS, _string(text)
    if text.isdecimal():
        return Tag.TIMETICKS, typed(Tag.TIMETICKS, text)
    raise BadRow(f"{text[:40]!r} is not a value of a known type")


def _string(text: str) -> bytes:
    """Read a text, which is quoted unless a display hint formatted it; a MAC address by its hint becomes octets."""
    text = text.rstrip("\r\n")
    if text.startswith('"'):
        body = text.rstrip()[1:]
        body = body.removesuffix('"')
        text = re.sub(r'\\(["\\])', r"\1", body)
    elif _MAC.fullmatch(text):
        return bounded(bytes(int(octet, 16) for octet in text.split(":")))
    return bounded(text.encode(errors="surrogateescape"))


def _opaque(text: str) -> bytes:
    kind, colon, rest = text.strip().partition(": ")
    if not colon:
        octets = octets_of_hex(Tag.OPAQUE, text.strip())
        assert isinstance(octets, bytes)
        return octets
    try:
        return {"Float": b"\x9f\x78\x04", "Double": b"\x9f\x79\x08"}[kind] + struct.pack(
            ">f" if kind == "Float" else ">d", float(rest)
        )
    except (KeyError, ValueError, OverflowError, struct.error) as error:
        raise BadRow(f"{text[:40]!r} is not an opaque value") from error


def _matched(pattern: re.Pattern[str], text: str, tag: Tag) -> str:
    """Match a text and return the first group that took part. Raises BadRow."""
    text = text.strip()
    found = pattern.fullmatch(text)
    if found is None:
        raise BadRow(f"{text[:40]!r} is not of type {tag.name}")
    return next(group for group in found.groups() if group is not None)


def _hexadecimal(text: str) -> Value:
    return octets_of_hex(Tag.OCTETS, text.replace(":", " "))


def _bits(text: str) -> Value:
    """Return the octets, without the names of the set bits."""
    found = _BITS.match(text)
    return octets_of_hex(Tag.OCTETS, found[1] if found is not None else "")


def _ticks(text: str) -> Value:
    return typed(Tag.TIMETICKS, _matched(_TICKS, text, Tag.TIMETICKS))


def _number_of(tag: Tag) -> Callable[[str], Value]:
    return lambda text: typed(tag, _matched(_NUMBER, text, tag))


_READERS: dict[str, tuple[Tag, Callable[[str], Value]]] = {
    **{kind: (tag, _number_of(tag)) for kind, tag in _NUMBERS.items()},
    "STRING": (Tag.OCTETS, _string),
    "Hex-STRING": (Tag.OCTETS, _hexadecimal),
    "Network Address": (Tag.OCTETS, _hexadecimal),
    "BITS": (Tag.OCTETS, _bits),
    "Timeticks": (Tag.TIMETICKS, _ticks),
    "OID": (Tag.OID, lambda text: checked_oid(text.strip())),
    "IpAddress": (Tag.IP_ADDRESS, lambda text: typed(Tag.IP_ADDRESS, text)),
    "Opaque": (Tag.OPAQUE, _opaque),
}
"""The reader of a value by the name that Net-SNMP writes before it."""
