"""A subscriber's error answer as a sentence."""

import json

from vnfm.notifications.domain.error_text import MASK, MAX_LENGTH, error_text

PROBLEM = "application/problem+json"


def text_of(detail: str, *secrets: str) -> str:
    return error_text(500, PROBLEM, json.dumps({"detail": detail}).encode(), secrets)


def test_a_secret_beyond_the_length_limit_is_masked() -> None:
    filler = "x" * (MAX_LENGTH - 4)
    assert text_of(f"{filler} s3cret", "s3cret") == f"The endpoint answers 500: {filler} {MASK}"


def test_a_secret_with_spaces_is_masked() -> None:
    assert text_of("no  good:  two  words", "two  words") == f"The endpoint answers 500: no good: {MASK}"
