import pytest

from cloudsim.heat.errors import CircularDependencyException, InvalidTemplateVersion, StackValidationFailed
from cloudsim.heat.hot.environment import Environment
from cloudsim.heat.hot.graph import check_acyclic
from cloudsim.heat.hot.template import Template, parse_text

HEAD = {"heat_template_version": "2015-10-15"}


def test_dates_without_quotes_are_versions():
    template = parse_text("heat_template_version: 2015-10-15\nresources:\n  r: {type: OS::Heat::None}\n")
    assert template.version == "2015-10-15"
    assert template.description == "No description"


@pytest.mark.parametrize("version", ["2016-04-08", "newton", "2099-01-01"])
def test_later_versions_are_refused_with_the_list_of_liberty(version):
    with pytest.raises(InvalidTemplateVersion) as refused:
        Template({"heat_template_version": version})
    assert str(refused.value) == (
        f'The template version is invalid: "heat_template_version: {version}". '
        '"heat_template_version" should be one of: 2013-05-23, 2014-10-16, 2015-04-30, 2015-10-15'
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"resourcez": {}}, "The template section is invalid: resourcez"),
        ({"conditions": {}}, "The template section is invalid: conditions"),
        ({"resources": {"a": {}}}, "Each resource must contain a type key."),
        ({"resources": {"a": {"properties": {"x": 1}}}}, "Each resource must contain a type key."),
        (
            {"resources": {"a": {"type": "T", "condition": "c"}}},
            '"condition" is not a valid keyword inside a resource definition',
        ),
        (
            {"resources": {"a": "text"}},
            "\"resources\" must contain a map of resource maps. Found a [<class 'str'>] instead",
        ),
        ({"outputs": {"o": {"description": "x"}}}, "Each output must contain a value key."),
    ],
)
def test_a_malformed_section_is_refused(body, words):
    with pytest.raises(StackValidationFailed) as refused:
        Template({**HEAD, **body})
    assert str(refused.value) == words


def test_needs_come_from_functions_anywhere_and_from_depends_on():
    template = Template(
        {
            **HEAD,
            "resources": {
                "net": {"type": "N"},
                "sub": {"type": "S", "properties": {"network": {"get_resource": "net"}}},
                "vm": {
                    "type": "V",
                    "depends_on": "sub",
                    "properties": {
                        "d": {"str_replace": {"template": "x", "params": {"x": {"get_attr": ["net", "a"]}}}}
                    },
                },
            },
        }
    )
    assert {name: template.requires(name) for name in template.resources} == {
        "net": set(),
        "sub": {"net"},
        "vm": {"sub", "net"},
    }


def test_a_cycle_has_heats_message():
    with pytest.raises(CircularDependencyException) as refused:
        check_acyclic({"q": {"r"}, "r": {"q"}, "free": set()}, {"q": "OS::Heat::RandomString", "r": "OS::Nova::Server"})
    assert str(refused.value) == (
        'Circular Dependency Found: {RandomString "q": {Server "r"}, Server "r": {RandomString "q"}}'
    )


def test_unparsable_text_shows_the_place():
    with pytest.raises(ValueError, match=r"(?s)^Error parsing template nested.yaml while parsing.*a: \[\}"):
        parse_text("a: [}", "nested.yaml")


class TestEnvironment:
    def test_registry_prefers_the_named_resource_then_the_type_then_a_glob(self):
        environment = Environment.parse(
            {
                "resource_registry": {
                    "My::Net": "existing.yaml",
                    "Old::*": "New::*",
                    "resources": {"fabric": {"My::Net": "create.yaml"}},
                }
            }
        )
        assert list(environment.implementations("My::Net", "fabric")) == ["create.yaml", "existing.yaml"]
        assert list(environment.implementations("My::Net", "mgmt")) == ["existing.yaml"]
        assert list(environment.implementations("Old::Thing", "x")) == ["New::Thing"]

    def test_a_nested_stack_has_its_own_branch_and_no_parameters_of_the_root(self):
        environment = Environment.parse(
            {
                "parameters": {"a": 1},
                "parameter_defaults": {"d": 1},
                "resource_registry": {"T": "t.yaml", "resources": {"group": {"M": "m.yaml"}}},
            }
        )
        nested = environment.for_nested({"b": 2}, "group")
        assert nested == Environment({"b": 2}, {"d": 1}, {"T": "t.yaml", "M": "m.yaml"})

    @pytest.mark.parametrize(
        ("raw", "words"),
        [
            ({"foo": {}}, 'environment has wrong section "foo"'),
            ({"event_sinks": []}, 'environment has wrong section "event_sinks"'),
            ({"parameters": None}, 'environment has empty section "parameters"'),
            ([], "The environment is not a valid YAML mapping data type."),
        ],
    )
    def test_invalid_environments(self, raw, words):
        with pytest.raises(ValueError, match=words):
            Environment.parse(raw)


@pytest.mark.parametrize(
    ("registry", "expected"),
    [
        ({"A::B": "exact", "A::*": "wild"}, ["wild", "exact"]),
        ({"A::B*": "near", "A*": "far", "A::*": "C::*"}, ["far", "C::B", "near"]),
        ({"A::B": "exact", "A::*": "wild", "resources": {"r": {"A::B": "own"}}}, ["own", "wild", "exact"]),
        ({"A::B*": "A::B", "A::B": "exact"}, ["exact"]),
        ({"A::B": None, "X::*": "other"}, []),
    ],
)
def test_the_order_of_a_types_mappings_in_a_registry(registry, expected):
    assert [*Environment(registry=registry).implementations("A::B", "r")] == expected
