import hashlib

import pytest

from hot.language import is_function, is_removed
from tests.unit.hot.scope import resolved

SLOTS = {"0": "1", "1": "2", "list": ["a", "b"]}


@pytest.mark.parametrize(
    ("snippet", "value"),
    [
        ({"get_param": "slots"}, SLOTS),
        ({"get_param": ["slots", "1"]}, "2"),
        ({"get_param": ["slots", {"get_param": "index"}]}, "2"),
        ({"get_param": ["slots", "list", 1]}, "b"),
        ({"get_param": ["slots", "list", "1"]}, "b"),
        ({"get_param": ["slots", "nowhere", "deep"]}, ""),
        ({"get_param": ["slots", 0]}, ""),  # a number is not the text key "0": Heat answers "" too
        ({"get_param": "OS::stack_name"}, "demo"),
        ({"get_resource": "port"}, "id-of-port"),
        ({"get_attr": ["vm", "networks", "net", 0]}, "10.0.0.4"),
        ({"get_attr": ["vm"]}, {"networks": {"net": ["10.0.0.4"]}, "name": "demo-vm"}),
        ({"get_file": "day0.cfg"}, "hostname $NAME"),
        ({"list_join": ["-", ["a", {"get_param": "index"}], None, ["c"]]}, "a-1-c"),
        ({"list_join": [",", [{"b": 1, "a": 2}, [1]]]}, '{"a": 2, "b": 1},[1]'),
        ({"str_split": [",", "a,b"]}, ["a", "b"]),
        ({"str_split": [",", "a,b", "1"]}, "b"),
        ({"resource_facade": "metadata"}, {"role": "cpm"}),
        ({"digest": ["sha256", "x"]}, hashlib.sha256(b"x").hexdigest()),
        ({"not_a_function": 1, "get_param": "slots"}, {"not_a_function": 1, "get_param": "slots"}),
    ],
)
def test_value(snippet, value):
    assert resolved(snippet, slots=SLOTS, index="1") == value


def test_str_replace_prefers_longer_placeholders_and_does_not_replace_twice():
    snippet = {"str_replace": {"template": "$A $AB", "params": {"$A": "$AB", "$AB": "x"}}}
    assert resolved(snippet) == "$AB x"


def test_str_replace_takes_maps_only_from_2015_10_15():
    snippet = {"str_replace": {"template": "j=$J", "params": {"$J": {"get_param": "slots"}}}}
    assert resolved(snippet, slots={"a": [1]}) == 'j={"a": [1]}'
    with pytest.raises(TypeError, match="params must be strings or numbers"):
        resolved(snippet, "2015-04-30", slots={"a": [1]})


def test_repeat_makes_the_product_of_its_lists_in_keys_too():
    snippet = {"repeat": {"template": {"%p%": "%q%"}, "for_each": {"%p%": ["80", "443"], "%q%": ["tcp"]}}}
    assert resolved(snippet) == [{"80": "tcp"}, {"443": "tcp"}]


@pytest.mark.parametrize(
    ("snippet", "error", "words"),
    [
        ({"get_param": "nope"}, LookupError, "nope"),
        ({"get_file": "nope"}, ValueError, 'No content found in the "files" section for get_file path: nope'),
        ({"list_join": [",", "text"]}, TypeError, '"list_join" must operate on a list'),
        ({"str_split": [",", "a,b", 5]}, ValueError, "should be between 0 and 1"),
        ({"digest": ["nohash", "x"]}, ValueError, "Algorithm must be one of"),
        ({"resource_facade": "color"}, ValueError, "should be one of"),
        ({"Ref": "x"}, ValueError, "The function Ref is not supported in this version of HOT"),
        ({"repeat": {"template": "", "for_each": {"%a%": "text"}}}, TypeError, "must be lists"),
    ],
)
def test_misuse_has_heats_messages(snippet, error, words):
    with pytest.raises(error, match=words):
        resolved(snippet)


def test_each_version_has_its_own_functions():
    assert resolved({"Fn::Join": ["-", ["a", "b"]]}, "2013-05-23") == "a-b"
    assert resolved({"Fn::Select": [1, ["a", "b"]]}, "2015-04-30") == "b"
    assert resolved({"repeat": {"template": "x", "for_each": {}}}, "2014-10-16") == {
        "repeat": {"template": "x", "for_each": {}}
    }
    assert resolved({"map_merge": [{}]}) == {"map_merge": [{}]}  # of 2016: not a function here
    assert is_removed("Fn::Select", "2015-10-15")
    assert not is_function("str_split", "2015-04-30")
