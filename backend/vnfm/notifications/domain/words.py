"""What a subscriber's server says of a refusal, made fit to be shown."""

import json
from collections.abc import Iterable

MOST_WORDS = 300
MASK = "***"


def in_its_words(status: int, content_type: str, content: bytes, secrets: Iterable[str]) -> str:
    """One sentence: the status, and what a problem document (RFC 7807) says; of any other answer only its type.

    Whatever `secrets` it repeats is masked.
    """
    kind = content_type.partition(";")[0].strip().lower()
    said = _problem(content) if kind.endswith("/problem+json") else ""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        said = said.replace(secret, MASK)
    said = " ".join(said.split())[:MOST_WORDS]  # last: what is left of a secret that was cut would not be found
    if said:
        return f"The endpoint answers {status}: {said}"
    return f"The endpoint answers {status}{f' with {kind[:60]}' if kind.isprintable() and kind else ''}."


def _problem(content: bytes) -> str:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(document, dict):
        return ""
    said = document.get("detail") or document.get("title") or ""
    return said if isinstance(said, str) else ""
