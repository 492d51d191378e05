import asyncio

import pytest

from cloudsim.heat.errors import HeatError, InvalidSchemaError, UnknownUserParameter
from cloudsim.heat.hot.parameters import Parameter, Parameters


class Cloud:
    """Knows one flavor."""

    async def problem(self, kind, value):
        return None if (kind, value) == ("nova.flavor", "m1.tiny") else f"The Flavor ({value}) could not be found."


def parameters(schema, given=None, defaults=None):
    parsed = {name: Parameter.parse(name, raw) for name, raw in schema.items()}
    return Parameters(parsed, given or {}, defaults or {}, {"OS::stack_name": "demo"})


def refusal(schema, given=None):
    with pytest.raises(HeatError) as refused:
        asyncio.run(parameters(schema, given).validate(Cloud()))
    return str(refused.value)


@pytest.mark.parametrize(
    ("kind", "raw", "value", "text"),
    [
        ("string", 5, "5", "5"),
        ("number", "5", 5, "5"),
        ("number", "0.5", 0.5, "0.5"),
        ("boolean", "Yes", True, "True"),
        ("comma_delimited_list", "a, b", ["a", " b"], "a, b"),
        ("comma_delimited_list", ["a", 1], ["a", "1"], "a,1"),
        ("comma_delimited_list", "", [], ""),
        ("json", '{"a": [1]}', {"a": [1]}, '{"a": [1]}'),
        ("json", {"a": 1}, {"a": 1}, '{"a": 1}'),
    ],
)
def test_values_take_their_type(kind, raw, value, text):
    subject = parameters({"p": {"type": kind}}, {"p": raw})
    assert subject.value("p") == value
    assert subject.texts()["p"] == text


def test_a_parameter_overrides_the_environments_default_and_the_templates():
    schema = {name: {"type": "string", "default": "template"} for name in "abc"}
    subject = parameters(schema, {"a": "given"}, {"a": "environment", "b": "environment"})
    assert [subject.value(name) for name in "abc"] == ["given", "environment", "template"]


def test_hidden_values_are_masked():
    subject = parameters({"p": {"type": "string", "hidden": True}}, {"p": "secret"})
    assert subject.texts() == {"OS::stack_name": "demo", "p": "******"}


@pytest.mark.parametrize(
    ("schema", "given", "words"),
    [
        ({"type": "number", "constraints": [{"range": {"min": 1, "max": 5}}]}, 9, "9 is out of range (min: 1, max: 5)"),
        ({"type": "number", "constraints": [{"range": {"min": 1}, "description": "one or more"}]}, 0, "one or more"),
        ({"type": "number"}, "abc", "could not convert string to float: 'abc'"),
        (
            {"type": "string", "constraints": [{"length": {"max": 2}}]},
            "abc",
            "length (3) is out of range (min: None, max: 2)",
        ),
        (
            {"type": "string", "constraints": [{"allowed_values": ["a", "b"]}]},
            "c",
            '"c" is not an allowed value ["a", "b"]',
        ),
        (
            {"type": "string", "constraints": [{"allowed_pattern": "[a-z]*"}]},
            "ABC",
            '"ABC" does not match pattern "[a-z]*"',
        ),
        (
            {"type": "string", "constraints": [{"allowed_pattern": "a(?!b)|abc"}]},
            "abcd",
            '"abcd" does not match pattern "a(?!b)|abc"',
        ),
        (
            {"type": "string", "constraints": [{"custom_constraint": "nova.flavor"}]},
            "nope",
            "Error validating value 'nope': The Flavor (nope) could not be found.",
        ),
    ],
)
def test_a_broken_constraint(schema, given, words):
    assert refusal({"p": schema}, {"p": given}) == f"Parameter 'p' is invalid: {words}"


def test_missing_and_unknown():
    assert refusal({"p": {"type": "string"}}) == "The Parameter (p) was not provided."
    with pytest.raises(UnknownUserParameter, match=r"The Parameter \(zz\) was not defined in template."):
        asyncio.run(parameters({}, {"zz": 1}).validate(Cloud()))


def test_no_value_is_looked_at_without_being_strict():
    schema = {"p": {"type": "string", "default": "test", "constraints": [{"custom_constraint": "nova.flavor"}]}}
    asyncio.run(parameters(schema, {"p": "nope"}).validate(Cloud(), strict=False))
    asyncio.run(parameters(schema).validate(Cloud(), strict=False))
    asyncio.run(parameters(schema, {"p": "m1.tiny"}).validate(Cloud()))
    assert "The Flavor (test) could not be found." in refusal(schema)


def test_a_default_must_obey_its_own_constraints():
    schema = {"p": {"type": "string", "default": "x", "constraints": [{"length": {"min": 3}}]}}
    assert refusal(schema, {"p": "long enough"}) == (
        "Parameter 'p' is invalid: Invalid default x (length (1) is out of range (min: 3, max: None))"
    )


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"type": "strin"}, "Invalid type (strin)"),
        ({"type": "string", "foo": 1}, "Invalid key 'foo' for parameter (p)"),
        ({"default": 1}, "Missing parameter type for parameter: p"),
        (
            {"type": "string", "constraints": [{"range": {"min": 1}}]},
            "Parameter 'p' is invalid: Range constraint invalid for string",
        ),
        ({"type": "number", "constraints": [{"modulo": {}}]}, "Invalid key 'modulo' for parameter constraints"),
        ({"type": "string", "constraints": [{"description": "x"}]}, "No constraint expressed"),
    ],
)
def test_a_bad_schema(raw, words):
    with pytest.raises(InvalidSchemaError) as refused:
        Parameter.parse("p", raw)
    assert str(refused.value) == words


def test_the_view_of_validate_has_cloudformations_names():
    parameter = Parameter.parse(
        "p", {"type": "number", "default": 2, "constraints": [{"range": {"min": 1, "max": 5}, "description": "few"}]}
    )
    assert parameter.view(None, default=2) == {
        "Type": "Number",
        "Description": "",
        "NoEcho": "false",
        "Label": "p",
        "Default": 2,
        "MinValue": 1,
        "MaxValue": 5,
        "ConstraintDescription": "few",
    }
