"""What is shown of a subscriber's refusal."""

import json

from vnfm.notifications.domain.words import MASK, MOST_WORDS, in_its_words

PROBLEM = "application/problem+json"


def said(detail: str, *secrets: str) -> str:
    return in_its_words(500, PROBLEM, json.dumps({"detail": detail}).encode(), secrets)


def test_a_secret_that_is_cut_is_masked_all_the_same() -> None:
    filler = "x" * (MOST_WORDS - 4)
    assert said(f"{filler} s3cret", "s3cret") == f"The endpoint answers 500: {filler} {MASK}"


def test_a_secret_with_spaces_is_masked_as_it_was_given() -> None:
    assert said("no  good:  two  words", "two  words") == f"The endpoint answers 500: no good: {MASK}"
