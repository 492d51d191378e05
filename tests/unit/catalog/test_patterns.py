import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.catalog.domain.patterns import MAX_LENGTH, PatternError, matches, pattern_fault

PATTERNS = [
    "(a+)+$",
    "^a*?b?$",
    "(a|ab)(c|bcd)?",
    "[^ab]+",
    "(?!ab)[a-c]*",
    "(?=a)a.*",
    r"\w+(-\d+)*\s?",
    r"[\w-]{2,3}\D",
    "(a{2}){1,2}",
    "(a*)*b",
    "(a?){3}",
    "a|^$",
    r"a\Z|\Ab",
    "[^ ]+",
    "mda/[1-4]=[a-z0-9-]+( mda/[1-4]=[a-z0-9-]+)*",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text("ab-c1 \n_é", max_size=8))
def test_a_pattern_means_what_it_means_to_python(pattern, text):
    assert pattern_fault(pattern) == ""
    assert matches(pattern, text) == bool(re.fullmatch(pattern, text))


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "a*a*a*a*a*$", "(.*a){20}$", "((a+)+)+$"])
def test_what_takes_python_years_is_told_at_once(pattern):
    try:
        assert not matches(pattern, "a" * (MAX_LENGTH - 1) + "!")
    except PatternError as error:
        assert "too intricate" in str(error)  # noqa: PT017 - either is right; only the time counts


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "This is not a regular expression: missing )"),
        ("a" * (MAX_LENGTH + 1), "The pattern is longer than 1000 characters."),
        ("(" * 400 + ")" * 400, ""),
        ("(" * 40 + ")" * 40, "The pattern nests groups more than 30 deep."),
        (r"(a)\1", "The pattern uses groupref, which"),
        ("(?<=a)b", "The pattern uses assert, which"),
        (r"\bword", "The pattern uses at, which"),
        ("(?i)a", "The pattern must not set flags such as (?i)."),
        ("(?i:a)", "The pattern must not set flags such as (?i)."),
    ],
)
def test_a_package_must_not_have_it(pattern, message):
    assert pattern_fault(pattern)
    assert pattern_fault(pattern).startswith(message)


def test_a_value_that_is_too_long_is_not_tried():
    with pytest.raises(PatternError, match="Only 1000 characters"):
        matches("a*", "a" * (MAX_LENGTH + 1))
