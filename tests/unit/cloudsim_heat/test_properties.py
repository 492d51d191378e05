import asyncio

import pytest

from cloudsim.heat.errors import StackValidationFailed
from cloudsim.heat.hot.parameters import Parameter
from cloudsim.heat.hot.properties import Prop, between, check_constraints, from_parameter, values_of

SCHEMA = {
    "name": Prop("string", required=True),
    "count": Prop("integer", default=1, constraints=between(0, 9)),
    "on": Prop("boolean"),
    "ips": Prop("list", items=Prop("map", schema={"ip": Prop("string"), "n": Prop("integer", constraints=between(1))})),
}


def validate(given):
    asyncio.run(check_constraints(SCHEMA, values_of(SCHEMA, given), None))


def failure(given):
    with pytest.raises(StackValidationFailed) as refused:
        validate(given)
    return str(refused.value.below("resources", "vm", "properties", error="Property error"))


def test_values_are_converted_and_defaulted():
    given = {"name": 5, "on": "True", "ips": [{"n": "3"}]}
    assert values_of(SCHEMA, given) == {"name": "5", "count": 1, "on": True, "ips": [{"ip": None, "n": 3}]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Property error: : resources.vm.properties: : Property name not assigned"),
        ({"name": "a", "x": 1}, "Property error: : resources.vm.properties: : Unknown Property x"),
        (
            {"name": "a", "count": "y"},
            "Property error: : resources.vm.properties.count: : Value 'y' is not an integer",
        ),
        (
            {"name": "a", "count": 10},
            "Property error: : resources.vm.properties.count: : 10 is out of range (min: 0, max: 9)",
        ),
        (
            {"name": "a", "on": "perhaps"},
            'Property error: : resources.vm.properties.on: : "perhaps" is not a valid boolean',
        ),
        ({"name": "a", "ips": [{"z": 1}]}, "Property error: : resources.vm.properties.ips[0]: : Unknown Property z"),
        (
            {"name": "a", "ips": [{"n": 1}, {"n": 0}]},
            "Property error: : resources.vm.properties.ips[1].n: : 0 is out of range (min: 1, max: None)",
        ),
        ({"name": ["a"]}, "Property error: : resources.vm.properties.name: : Value must be a string; got ['a']"),
    ],
)
def test_errors_say_where_in_heats_words(given, words):
    assert failure(given) == words


def test_a_provider_resources_properties_are_its_templates_parameters():
    prop = from_parameter(Parameter.parse("slots", {"type": "json"}))
    assert (prop.type, prop.required, prop.update) == ("map", True, True)
    assert prop.convert([{"a": 1}]) == '[{"a": 1}]'
    assert not from_parameter(Parameter.parse("a", {"type": "string"}), defaulted=True).required
