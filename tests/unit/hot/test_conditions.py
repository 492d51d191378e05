"""HOT's conditions, evaluated as Heat does; what the parameters do not decide stays open."""

from typing import Any

import pytest

from hot.conditions import LARGEST, UNKNOWN, evaluate, parameters_of, spelled_out

VALUES = {"kind": "ha", "db": True, "n": 3, "sites": ["a", "b"], "map": {"x": {"y": "z"}, "list": [1, 2]}, "none": None}
P = "get_param"
OPEN = {UNKNOWN: "yaql"}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (True, True),
        (False, False),
        ({P: "db"}, True),
        ({"not": {P: "db"}}, False),
        ({"equals": [{P: "kind"}, "ha"]}, True),
        ({"equals": [{P: "kind"}, "HA"]}, False),
        ({"equals": [{P: "n"}, 3]}, True),
        ({"equals": [{P: "n"}, "3"]}, False),
        ({"equals": [{P: ["map", "x", "y"]}, "z"]}, True),
        ({"equals": [{P: ["map", "list", 1]}, 2]}, True),
        ({"equals": [{P: "sites"}, ["a", "b"]]}, True),
        ({"contains": ["a", {P: "sites"}]}, True),
        ({"contains": ["c", {P: "sites"}]}, False),
        ({"and": [{P: "db"}, {"equals": [{P: "n"}, 4]}]}, False),
        ({"or": [{"equals": [{P: "n"}, 4]}, {P: "db"}]}, True),
        ({"if": [{P: "db"}, {"equals": [{P: "n"}, 3]}, False]}, True),
        ({"not": {"or": [{"not": {P: "db"}}, {"and": [True, False]}]}}, True),
        ({P: "kind"}, None),
        ({P: "none"}, None),
        ({P: "OS::stack_name"}, None),
        (OPEN, None),
        ({"yaql": {"expression": "$.data", "data": {P: "db"}}}, None),
        ({"not": OPEN}, None),
        ({"and": [OPEN, False]}, False),
        ({"and": [OPEN, True]}, None),
        ({"or": [OPEN, True]}, True),
        ({"or": [OPEN, False]}, None),
        ({"equals": [{P: "kind"}, OPEN]}, None),
        ({"equals": [{P: "kind"}]}, None),
        ({"if": [OPEN, True, True]}, None),
        ("a name", None),
        ({"equals": "no list"}, None),
    ],
)
def test_evaluation(condition: Any, holds: bool | None) -> None:
    assert evaluate(condition, VALUES) is holds


def test_names_of_other_conditions_are_written_out() -> None:
    named = {"big": {"equals": [{P: "n"}, 3]}, "both": {"and": ["big", {P: "db"}]}, "none": {"not": "both"}}
    found = spelled_out("none", named, lambda name: {P: name})
    assert found == {"not": {"and": [{"equals": [{P: "n"}, 3]}, {P: "db"}]}}
    assert evaluate(found, VALUES) is False
    assert parameters_of(found) == {"n", "db"}


def test_names_that_multiply_at_each_level_are_bounded() -> None:
    named: dict[str, Any] = {f"c{n}": {"and": [f"c{n + 1}"] * 100} for n in range(15)} | {"c15": {P: "x"}}
    found = spelled_out("c0", named, lambda name: {P: name})
    assert len(repr(found)) < 100 * LARGEST
    assert evaluate(found, VALUES) is None
    assert evaluate(spelled_out("a", {"a": {"and": ["a"] * 100}}, lambda name: {P: name}), VALUES) is None


def test_a_circle_of_names_and_an_unknown_name_stay_open() -> None:
    circle = spelled_out("a", {"a": {"not": "b"}, "b": {"not": "a"}}, lambda name: {P: name})
    assert evaluate(circle, VALUES) is None
    assert evaluate(spelled_out("c", {}, lambda name: {P: name}), VALUES) is None
