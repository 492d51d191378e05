"""Functions and constraints of HOT: `backend/hot` reads them as a real Heat does."""

import json

import pytest

from tests.contract.conftest import Yard
from vnfm.clouds.errors import Rejected
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import StackInput

VERSION = "2015-10-15"


def hot(**sections: object) -> str:
    return json.dumps({"heat_template_version": VERSION, **sections})


@pytest.mark.parametrize(
    ("kind", "default", "rule", "words"),
    [
        ("string", "ab", {"allowed_pattern": "a|ab"}, '"ab" does not match pattern "a|ab"'),
        ("string", "ab", {"allowed_pattern": "a(?!b)|abc"}, "does not match pattern"),
        ("string", "c", {"allowed_values": ["a", "b"]}, '"c" is not an allowed value ["a", "b"]'),
        ("number", 9, {"range": {"max": "5"}}, "9 is out of range (min: None, max: 5)"),
        ("string", "abc", {"length": {"max": 2}}, "length (3) is out of range (min: None, max: 2)"),
        ("comma_delimited_list", "a,b", {"length": {"min": 3}}, "length (2) is out of range (min: 3, max: None)"),
        ("string", "x", {"range": {"min": 1}}, "Range constraint invalid for string"),
        ("number", 1, {"range": {}}, "A range constraint must have a min value and/or a max value specified."),
        ("number", 1, {"range": {"least": 1}}, "Invalid key 'least' for range constraint"),
        ("string", "x", {"allowed_values": "x"}, "AllowedValues must be a list"),
        ("string", "x", {"description": "none"}, "No constraint expressed"),
    ],
)
def test_what_breaks_a_constraint_is_refused_in_heats_words(
    cloud: Cloud, kind: str, default: object, rule: dict[str, object], words: str
) -> None:
    template = hot(parameters={"p": {"type": kind, "default": default, "constraints": [rule]}})
    with pytest.raises(Rejected) as caught:
        cloud.stacks.validate(StackInput(template, {}, {}, {}))
    assert words in caught.value.message


CALLS: dict[str, tuple[object, object]] = {
    "part": ({"get_param": ["slots", "b", 1]}, "y"),
    "no part": ({"get_param": ["slots", "c", "d"]}, ""),
    "number": ({"get_param": "number"}, 3),
    "truth": ({"get_param": "truth"}, True),
    "list": ({"get_param": "list"}, ["a", " b"]),
    "joined": ({"list_join": ["-", ["a", {"get_param": "text"}], ["c"]]}, "a-5-c"),
    "joined maps": ({"list_join": [",", [{"b": 1}, [1]]]}, '{"b": 1},[1]'),
    "replaced": ({"str_replace": {"template": "$A $AB", "params": {"$A": "$AB", "$AB": "x"}}}, "$AB x"),
    "split": ({"str_split": [",", "a,b", 1]}, "b"),
    "repeated": (
        {"repeat": {"template": {"%p%": "%q%"}, "for_each": {"%p%": ["80", "443"], "%q%": ["tcp"]}}},
        [{"80": "tcp"}, {"443": "tcp"}],
    ),
    "digest": ({"digest": ["md5", "x"]}, "9dd4e461268c8034f5c8564e155c67a6"),
    "data": ({"map_merge": [{}], "no": 1}, {"map_merge": [{}], "no": 1}),
}


def test_functions_have_the_values_that_heat_gives_them(cloud: Cloud, yard: Yard, prefix: str) -> None:
    defaults = {
        "slots": ("json", '{"b": ["x", "y"]}'),
        "number": ("number", "3"),
        "truth": ("boolean", "yes"),
        "list": ("comma_delimited_list", "a, b"),
        "text": ("string", 5),
    }
    template = hot(
        parameters={name: {"type": kind, "default": default} for name, (kind, default) in defaults.items()},
        resources={"none": {"type": "OS::Heat::RandomString"}},
        outputs={name: {"value": call} for name, (call, _) in CALLS.items()},
    )
    stack = yard.create("functions", StackInput(template, {}, {}, {}, tags=(prefix,)))
    yard.settled(stack, "CREATE_COMPLETE")
    outputs = cloud.stacks.show(stack).outputs
    assert {name: outputs.get(name) for name in CALLS} == {name: value for name, (_, value) in CALLS.items()}
