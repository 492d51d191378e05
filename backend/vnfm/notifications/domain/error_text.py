"""A subscriber's error answer as a sentence for users."""

import json
from collections.abc import Iterable

MAX_LENGTH = 300
MASK = "***"


def error_text(status: int, content_type: str, content: bytes, secrets: Iterable[str]) -> str:
    """The status, and the detail of a problem document (RFC 7807); of other answers only the media type.

    Any of `secrets` in it is masked.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    detail = _problem_detail(content) if media_type.endswith("/problem+json") else ""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        detail = detail.replace(secret, MASK)
    detail = " ".join(detail.split())[:MAX_LENGTH]  # last: a secret that was cut would not be found
    if detail:
        return f"The endpoint answers {status}: {detail}"
    suffix = f" with {media_type[:60]}" if media_type.isprintable() and media_type else ""
    return f"The endpoint answers {status}{suffix}."


def _problem_detail(content: bytes) -> str:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(document, dict):
        return ""
    detail = document.get("detail") or document.get("title") or ""
    return detail if isinstance(detail, str) else ""
