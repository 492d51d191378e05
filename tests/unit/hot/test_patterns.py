import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hot.patterns import MAX_LENGTH, UncheckedError, matches, pattern_fault, unchecked_reason

PATTERNS = [
    "(a+)+$",
    "^a*?b?$",
    "(a|ab)(c|bcd)?",
    "[^ab]+",
    r"\w+(-\d+)*\s?",
    r"[\w-]{2,3}\D",
    "(a{2}){1,2}",
    "(a*)*b",
    "(a?){3}",
    "a|^$",
    r"a\Z|\Ab",
    "a{,2}b{,}",
    "a{1,4096}",
    r"[[a-]+",
    r"[]\[a]*\{,2}",
    r"\bab\b.*",
    "[^ ]+",
    "mda/[1-4]=[a-z0-9-]+( mda/[1-4]=[a-z0-9-]+)*",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text("ab-c1 [],{2}\n_", max_size=8))
def test_a_pattern_matches_as_in_heat(pattern, text):
    found = re.match(pattern, text)
    assert pattern_fault(pattern) == ""
    assert matches(pattern, text) == (found is not None and found.end() == len(text))


def test_the_first_alternative_counts():
    assert matches("a|ab", "a")
    assert not matches("a|ab", "ab")
    assert not matches("a+?", "aa")


def test_digits_words_and_spaces_are_ascii():
    assert not matches(r"\w", "é")
    assert not matches(r"\d", "\u0664")
    assert matches(".", "é")
    assert matches("[^a]", "\u0664")


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "(a|aa)+$",
        "a*a*a*a*a*$",
        "(.*a){20}$",
        "((a+)+)+$",
        "(.?){1000}b",
        "(.*){1000}b",
        "(.{0,30}a){0,30}b",
        "(a{0,1000})*b",
    ],
)
def test_matching_time_is_bounded(pattern):
    """Python's own matcher takes years for some of them."""
    begin = process_time()
    assert not matches(pattern, "a" * (MAX_LENGTH - 1) + "!")
    assert process_time() - begin < 1


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a" * (MAX_LENGTH + 1), "The pattern is longer than 1000 characters."),
        (r"(a)\1", "The pattern cannot be checked in bounded time (invalid escape sequence: \\1)."),
        ("(?<=a)b", "The pattern cannot be checked in bounded time (invalid perl operator: (?<=)."),
        ("(?=a)a", "The pattern cannot be checked in bounded time (invalid perl operator: (?=)."),
        ("(a{100}){100}", "The pattern cannot be checked in bounded time (invalid repetition size: {100})."),
        ("(?i)a", "The pattern sets flags such as (?i)"),
        ("(?i:a)", "The pattern sets flags such as (?i)"),
        ("abc(?i)", "The pattern sets flags such as (?i)"),
    ],
)
def test_only_heat_can_check_this_pattern(pattern, message):
    assert pattern_fault(pattern) == ""
    assert unchecked_reason(pattern).startswith(message)
    with pytest.raises(UncheckedError):
        matches(pattern, "a")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "This is not a regular expression: missing )"),
        ("((?i)", "This is not a regular expression: missing )"),
        (r"\pL", r"This is not a regular expression: bad escape \p"),
    ],
)
def test_a_package_must_not_have_this_pattern(pattern, message):
    assert pattern_fault(pattern).startswith(message)


def test_a_value_that_is_too_long_is_not_checked():
    with pytest.raises(UncheckedError, match="Only 1000 characters"):
        matches("a*", "a" * (MAX_LENGTH + 1))
