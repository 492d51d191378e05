"""Range and If-Range (RFC 9110 clauses 13 and 14): a single range of bytes, as in SOL005."""

import re
from collections.abc import Mapping

_RANGE = re.compile(r"bytes\s*=\s*(?:(\d{1,18})-(\d{0,18})|-(\d{1,18}))\s*", re.IGNORECASE)


def requested_range(headers: Mapping[str, str], size: int, etag: str) -> range | None:
    """The requested offsets; None for the whole file, an empty range where the file has none of them.

    Anything but a single range of bytes is ignored (14.2), and so is a range of a file with another `etag` (13.1.5).
    """
    requested = _RANGE.fullmatch(headers.get("Range", ""))
    if requested is None or headers.get("If-Range", etag) != etag:
        return None
    first, last, suffix = requested.groups()
    if suffix is not None:
        return range(max(size - int(suffix), 0), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)
