"""JSON from outside: what JSON can say passes unchanged, what no part of us can hold is refused by its place."""

import json
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vnfm.kit.web.strict_json import MAX_DEPTH, InvalidJsonError, loads

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)))
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    LEAVES | TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=20
)


@given(VALUES)
def test_valid_json_passes_unchanged(value) -> None:
    assert loads(json.dumps(value)) == value
    assert loads(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary() | st.text())
@example(b"\xff")
@example("[" * 100_000)
@example('{"a":' * 100_000)
@example("1" * 5000)
@example('"\\ud800"')
def test_anything_else_is_one_error(text: str | bytes) -> None:
    with suppress(InvalidJsonError):
        json.dumps(loads(text), allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, None),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "/0" * MAX_DEPTH),
        ("[" * 5000 + "]" * 5000, ""),
        ('{"a": ["x", "b\\u0000c"]}', "/a/1"),
        ('{"a/b~": "\\ud83d"}', "/a~1b~0"),
        ('{"k\\u0000": 1}', "/k\ufffd"),
        ('{"a": 1e400}', "/a"),
        ('{"a": [-1e400]}', "/a/0"),
        ('{"a": NaN}', ""),
        ('{"a": 18446744073709551616}', "/a"),
        ('{"a": 18446744073709551615}', None),
        ('{"a": "\\ud83d\\ude00"}', None),
        ("", ""),
        ("{", ""),
    ],
    ids=lambda value: str(value)[:24],
)
def test_the_place_is_named(text: str, pointer: str | None) -> None:
    if pointer is None:
        assert loads(text) is not None
        return
    with pytest.raises(InvalidJsonError) as refused:
        loads(text)
    assert refused.value.pointer == pointer
