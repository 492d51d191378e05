"""Octets of an element as text for people: pages, files, logs and terminals. Pure.

Descriptions are in the encoding of the terminal that they were typed at, and may have any octet.
"""

MAX_TEXT = 1024
"""Characters of a text that are kept; a DisplayString has 255."""

_SYMBOLS_AND_COMMON = range(0xA1, 0xD8)
"""First octets of GB 2312's symbols and of its 3,755 common characters. Latin-1 has capitals there, few in a row."""
_DOUBLE = 0xA1
"""Both octets of a character of GB 2312 are at least this."""
_C1 = range(0x80, 0xA0)
"""Control characters in Latin-1."""


def decode(octets: bytes) -> str:
    """UTF-8; else GBK where it fits, else Latin-1; hexadecimal where none does. Without control characters."""
    return printable(_decoded(octets))


def printable(value: str) -> str:
    """Remove padding and control characters: white space becomes a space, and others the escapes of Python's texts."""
    value = value.replace("\0", "")[: MAX_TEXT + 1]
    if not value.isprintable():
        value = "".join(_visible(char) for char in value)
    value = value.strip()
    return value if len(value) <= MAX_TEXT else f"{value[: MAX_TEXT - 1]}…"


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else char.encode("unicode_escape").decode()


def _decoded(octets: bytes) -> str:
    octets = octets.rstrip(b"\0")[: 2 * MAX_TEXT + 2]
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        if error.start > 0 and error.reason == "unexpected end of data":
            return octets[: error.start].decode()  # the last character was cut by a limit of length
    if _is_gbk(octets):
        return octets.decode("gbk", errors="replace")
    return f"0x{octets.hex()}" if any(octet in _C1 for octet in octets) else octets.decode("latin-1")


def _is_gbk(octets: bytes) -> bool:
    """True if the characters of two octets are valid in GBK, and most are common Chinese ones."""
    common = total = position = 0
    while position < len(octets):
        first = octets[position]
        if first < _C1.start:
            position += 1
            continue
        pair = octets[position : position + 2]
        if len(pair) == 1:
            break  # a character cut in two by the element's limit of length
        try:
            pair.decode("gbk")
        except UnicodeDecodeError:
            return False
        common += first in _SYMBOLS_AND_COMMON and pair[1] >= _DOUBLE
        total += 1
        position += 2
    return total > 0 and 2 * common > total
