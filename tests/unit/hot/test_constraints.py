import pytest

from hot.constraints import SchemaError, holds, parse_constraint, violation
from hot.language import LIBERTY
from hot.parameters import TYPES

LIMITS = {"min": "1", "max": 3}


@pytest.mark.parametrize(
    ("kind", "raw", "good", "bad", "words"),
    [
        ("number", {"range": LIMITS}, [1, 3], 4, "4 is out of range (min: 1, max: 3)"),
        ("string", {"length": LIMITS}, ["a", "abc"], "", "length (0) is out of range (min: 1, max: 3)"),
        ("number", {"modulo": {"step": 2, "offset": 1}}, [1, 3], 2, "2 is not a multiple of 2 with an offset of 1"),
        ("boolean", {"allowed_values": ["yes"]}, [True], False, "false is not an allowed value [true]"),
        ("comma_delimited_list", {"allowed_values": ["a"]}, [[], ["a"]], ["b"], '["b"] is not an allowed value ["a"]'),
        ("string", {"allowed_pattern": "a|ab"}, ["a"], "ab", '"ab" does not match pattern "a|ab"'),
        ("number", {"range": LIMITS, "description": "one to three"}, [2], 0, "one to three"),
    ],
)
def test_values_obey_or_break_a_rule_in_heats_words(kind, raw, good, bad, words):
    rule = parse_constraint("p", kind, raw)
    assert all(holds(rule, value) for value in good)
    assert not holds(rule, bad)
    assert violation(rule, bad) == words


@pytest.mark.parametrize("kind", TYPES)
def test_only_a_cloud_decides_a_custom_constraint(kind):
    raw = {"custom_constraint": "nova.flavor"}
    if kind == "json":
        with pytest.raises(SchemaError, match="CustomConstraint constraint invalid for json"):
            parse_constraint("p", kind, raw)
    else:
        assert holds(parse_constraint("p", kind, raw), "whatever")


@pytest.mark.parametrize(
    ("kind", "raw", "words"),
    [
        ("number", {"range": {}}, "A range constraint must have a min value and/or a max value specified."),
        ("number", {"range": {"min": "x"}}, "min/max must be numeric"),
        ("number", {"range": {"least": 1}}, "Invalid key 'least' for range constraint"),
        ("number", {"range": 1}, "Invalid range constraint, expected a mapping"),
        (
            "number",
            {"modulo": {"step": 2}},
            "A modulo constraint must have a step value and an offset value ",
        ),
        ("number", {"modulo": {"step": 0, "offset": 0}}, "step cannot be 0."),
        ("string", {"allowed_values": "a"}, "AllowedValues must be a list"),
        ("string", {"allowed_pattern": 1}, "AllowedPattern must be a string"),
        ("string", "length", "Invalid parameter constraints, expected a mapping"),
    ],
)
def test_heat_refuses_a_declaration(kind, raw, words):
    with pytest.raises(SchemaError) as refused:
        parse_constraint("p", kind, raw)
    assert words in str(refused.value)


def test_liberty_has_no_modulo():
    with pytest.raises(SchemaError, match="Invalid key 'modulo' for parameter constraints"):
        parse_constraint("p", "number", {"modulo": {"step": 2, "offset": 0}}, LIBERTY)
