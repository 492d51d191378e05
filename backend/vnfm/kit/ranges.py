"""Parts of a file: Range and If-Range (RFC 9110 clauses 13 and 14), one range of bytes at a time, as SOL005 has it."""

import re
from collections.abc import Mapping

_RANGE = re.compile(r"bytes\s*=\s*(?:(\d{1,18})-(\d{0,18})|-(\d{1,18}))\s*", re.IGNORECASE)


def asked_part(headers: Mapping[str, str], size: int, etag: str) -> range | None:
    """The offsets that are asked for; None for the whole file, and an empty range where the file has none of them.

    What is no single range of bytes is ignored (14.2), and so is one of another file than the one with `etag` (13.1.5).
    """
    asked = _RANGE.fullmatch(headers.get("Range", ""))
    if asked is None or headers.get("If-Range", etag) != etag:
        return None
    first, last, suffix = asked.groups()
    if suffix is not None:
        return range(max(size - int(suffix), 0), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)
