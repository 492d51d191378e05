"""Templates that Heat accepts, though a careful author would not write them."""

import pytest

from tests.factories.templates import HOT, findings, template_set
from vnfm.catalog.domain.hot.external_files import stored_path

ANY = "resources: {r: {type: OS::Heat::RandomString}}\n"
BROKEN = {
    "no YAML": "a: [\n",
    "no HOT": "hello: world\n",
    "an unknown type": HOT + "resources: {r: {type: OS::Nova::Serwer}}\n",
    "a missing parameter": HOT + "resources: {r: {type: OS::Heat::RandomString, properties: {salt: {get_param: x}}}}\n",
    "a missing file": HOT + "resources: {r: {type: gone.yaml}}\n",
    "no text": b"\xff\xfe",
}
"""Templates that a registry may list as long as nothing uses them."""


def errors(found):
    return [(finding.code, finding.message) for finding in found if finding.severity == "error"]


def codes(found, severity):
    return {finding.code for finding in found if finding.severity == severity}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_fault_in_a_template_that_nothing_uses_is_a_warning(text):
    files = {"base.yaml": HOT + ANY, "base.env": "resource_registry: {My::Own: own.yaml}", "own.yaml": text}
    found = findings(files)
    assert errors(found) == []
    assert any(finding.severity == "warning" for finding in found)


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_the_same_fault_in_one_that_is_used_is_an_error(text):
    files = {
        "base.yaml": HOT + "resources: {r: {type: My::Own}}",
        "base.env": "resource_registry: {My::Alias: own.yaml, My::Own: My::Alias}",
        "own.yaml": text,
    }
    assert errors(findings(files))


def test_a_registry_may_list_files_that_are_missing():
    env = "resource_registry: {My::Own: gone.yaml, My::Other: 'https://example.com/x.yaml'}"
    found = findings({"base.yaml": HOT + ANY, "base.env": env})
    assert (errors(found), codes(found, "warning")) == ([], {"FILE_MISSING", "FILE_OUTSIDE"})


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("{base_url: 'https://h.example/t', My::Own: own.yaml}", "https://h.example/t/own.yaml"),
        ("{base_url: 'https://h.example/t/', My::Own: /own.yaml}", "https://h.example/own.yaml"),
        ("{base_url: 'https://h.example/', resources: {r: {My::Own: own.yaml}}}", "https://h.example/own.yaml"),
        (
            "{base_url: 'https://h.example/', resources: {r: {base_url: 'https://i.example', My::Own: own.yaml}}}",
            "https://i.example/own.yaml",
        ),
    ],
)
def test_names_of_a_registry_start_at_its_base_url(written, asked):
    files = {"base.yaml": HOT + "resources: {r: {type: My::Own}}\n", "base.env": f"resource_registry: {written}\n"}
    assert {f.url for f in findings(files) if f.code == "FILE_OUTSIDE"} == {asked}
    stored = {**files, stored_path(asked): HOT + "resources: {x: {type: OS::Nova::Serwer}}\n"}
    assert codes(findings(stored), "error") == {"TYPE_UNKNOWN"}


@pytest.mark.parametrize(
    ("registry", "found"),
    [
        ("{'OS::Nova::Serwer*': 'OS::Nova::Server*'}", "OS::Nova::Server"),
        ("{'OS::Nova::Serwer': 'My::Any', 'My::*': 'OS::Heat::RandomString'}", "OS::Heat::RandomString"),
        ("{'OS::*': 'OS::Heat::None'}", "OS::Heat::None"),
        ("{'OS::Nova::*': 'OS::Heat::None', 'OS::Nova::Serwer': 'OS::Nova::Server'}", "OS::Heat::None"),
        ("{'OS::Nova::*': 'My::*', 'OS::Nova::Serwer': 'OS::Nova::Server'}", "OS::Nova::Server"),
        ("{resources: {r: {'OS::Nova::Serwer': 'OS::Nova::Server'}}}", "OS::Nova::Server"),
        ("{resources: {q: {'OS::Nova::Serwer': 'OS::Nova::Server'}}}", "OS::Nova::Serwer"),
    ],
)
def test_wildcards_and_aliases_lead_to_the_type_that_heat_finds(registry, found):
    hot = HOT + "resources: {r: {type: OS::Nova::Serwer}}\n"
    templates, _ = template_set({"base.yaml": hot, "base.env": f"resource_registry: {registry}\n"})
    (use,) = templates.root.resources_defined
    assert templates.resolved_type(use.type, use.name) == found


def test_a_template_behind_a_wildcard_is_read():
    files = {
        "base.yaml": HOT + "resources: {r: {type: My::Old::Card}}\n",
        "base.env": "resource_registry: {'My::Old::*': 'My::New::*', 'My::New::Card': card.yaml}\n",
        "card.yaml": BROKEN["an unknown type"],
    }
    assert codes(findings(files), "error") == {"TYPE_UNKNOWN"}


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ("{r: {hooks: pre-create}}", "HOOK_WAITS"),
        ("{'r*': {hooks: [pre-update, post-create]}}", "HOOK_WAITS"),
        ("{r: {x: {hooks: pre-delete}}}", "HOOK_WAITS"),
        ("{r: {hooks: before}}", "HOOK_UNKNOWN"),
        ("{r: {restricted_actions: replace}}", ""),
    ],
)
def test_hooks_of_a_registry(entries, code):
    env = f"resource_registry: {{resources: {entries}}}\n"
    found = {f.code for f in findings({"base.yaml": HOT + ANY, "base.env": env}) if f.code.startswith("HOOK_")}
    assert code in found if code else not found


def test_a_base_url_of_a_folder_and_one_whose_file_is_in_the_package():
    files = {"base.yaml": HOT + "resources: {r: {type: My::Own}}\n", "in/own.yaml": HOT + ANY}
    for base, name in (("in", "own.yaml"), ("https://h.example/", "in/own.yaml")):
        files["base.env"] = f"resource_registry: {{base_url: '{base}', My::Own: {name}, Other: OS::Heat::None}}\n"
        assert errors(findings(files)) == []


def test_a_template_used_for_one_resource_only():
    env = "resource_registry: {resources: {r: {OS::Heat::RandomString: own.yaml}}}"
    files = {"base.yaml": HOT + ANY, "base.env": env, "own.yaml": BROKEN["an unknown type"]}
    assert codes(findings(files), "error") == {"TYPE_UNKNOWN"}


def test_a_key_written_twice_is_a_warning():
    files = {
        "base.yaml": HOT + "parameters: {a: {type: string, default: x, default: y}}\n" + ANY,
        "base.env": "parameters: {a: p}\nparameters: {a: q}\n",
    }
    found = findings(files)
    assert errors(found) == []
    assert [(f.file, f.line) for f in found if f.code == "KEY_TWICE"] == [("base.env", 2), ("base.yaml", 2)]


GROUP = """
resources:
  g:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      index_var: %s
      resource_def: {type: own.yaml, properties: {index: %s, length: "%s"}}
"""
OWN = """
parameters: {index: {type: number}, length: {type: number, constraints: [{range: {min: 0, max: 9}}]}}
resources: {r: {type: OS::Heat::RandomString, properties: {length: {get_param: length}, salt: {get_param: index}}}}
"""


@pytest.mark.parametrize(
    ("variable", "index", "length", "expected"),
    [
        ("__index__", "__index__", "__index__", set()),
        ("'%index%'", "'%index%'", "1", set()),
        ("__index__", "__idx__", "1", {"NESTED_VALUE"}),
        ("__index__", "'%index%'", "1", {"NESTED_VALUE"}),
    ],
)
def test_a_groups_index_stands_for_a_number(variable, index, length, expected):
    files = {"base.yaml": HOT + GROUP % (variable, index, length), "own.yaml": HOT + OWN}
    assert codes(findings(files), "error") == expected


@pytest.mark.parametrize(
    "resource",
    [
        "{type: OS::Heat::None, properties: {vnf_name: x}}",
        "{type: AWS::CloudFormation::WaitConditionHandle}",
        "{type: Vendor::Product::Instance, properties: {size: 3}}",
        "{type: OS::Neutron::RouterInterface, properties: {router_id: r, subnet_id: s}}",
        "{type: OS::Neutron::VPNService, properties: {router_id: r, subnet_id: s}}",
        "{type: OS::Neutron::FloatingIP, properties: {floating_network_id: n}}",
        "{type: OS::Nova::Server, properties: {flavor: f, image: null, networks: [{uuid: n}]}}",
        "{type: OS::Neutron::PoolMember, properties: {anything: 1}}",
        "{type: OS::Neutron::Net, properties: {shared: 'True', value_specs: {a: 1}}}",
    ],
)
def test_heat_takes_the_resource(resource):
    assert errors(findings(f"resources: {{r: {resource}}}")) == []


def test_a_resource_that_exists_already_needs_no_properties():
    text = "resources: {s: {type: OS::Nova::Server, external_id: 4d5a, properties: {}}}"
    assert errors(findings({"base.yaml": f"heat_template_version: 2017-09-01\n{text}"})) == []


def test_a_blank_default_is_left_to_the_operator():
    files = {
        "base.yaml": HOT + "resources: {c: {type: own.yaml}}",
        "base.env": "parameter_defaults: {size: }",
        "own.yaml": HOT + "parameters: {size: {type: string}}\n" + ANY,
    }
    assert errors(findings(files)) == []


def test_any_output_of_a_software_deployment():
    text = """
resources:
  d: {type: OS::Heat::SoftwareDeployment, properties: {server: s, config: c}}
outputs:
  o: {value: {get_attr: [d, result]}}
"""
    assert errors(findings(text)) == []


@pytest.mark.parametrize(
    ("kind", "default"),
    [
        ("comma_delimited_list", "[4, 5, null]"),
        ("comma_delimited_list", "'4,5'"),
        ("comma_delimited_list", "''"),
        ("json", "[a, 1]"),
        ("json", "5"),
        ("json", "''"),
        ("string", "[a]"),
        ("number", "'3'"),
        ("number", "true"),
        ("boolean", "1"),
        ("boolean", "'Yes'"),
    ],
)
def test_heat_takes_the_default(kind, default):
    assert errors(findings(f"parameters: {{a: {{type: {kind}, default: {default}}}}}\n{ANY}")) == []


@pytest.mark.parametrize(
    ("kind", "default"),
    [
        ("comma_delimited_list", "4"),
        ("json", "abc"),
        ("number", "abc"),
        ("number", "''"),
        ("boolean", "maybe"),
        ("boolean", "''"),
    ],
)
def test_heat_refuses_the_default(kind, default):
    assert errors(findings(f"parameters: {{a: {{type: {kind}, default: {default}}}}}\n{ANY}"))


@pytest.mark.parametrize(
    ("kind", "constraint", "taken"),
    [
        ("number", "range: {min: '1', max: 3}", True),
        ("number", "modulo: {step: 2, offset: 0}", True),
        ("string", "allowed_values: [2, 3]", True),
        ("string", "allowed_pattern: '(?i)A|2'", True),
        ("string", "range: {min: 1}", False),
        ("number", "length: {min: 1}", False),
        ("number", "allowed_pattern: a", False),
        ("json", "allowed_values: [2]", False),
        ("string", "description: x", False),
        ("string", "length: {min: 1}, description: one, two", False),
    ],
)
def test_constraints_are_those_of_heat(kind, constraint, taken):
    text = f"parameters: {{a: {{type: {kind}, default: 2, constraints: [{{{constraint}}}]}}}}\n{ANY}"
    assert (errors(findings(text)) == []) == taken


PASSED = {
    "string": ("string", "number", "boolean", "list", "json"),
    "number": ("string", "number"),
    "boolean": ("string", "number", "boolean"),
    "comma_delimited_list": ("list", "json"),
    "json": ("string", "number", "boolean", "list", "json"),
}
"""Type of a parameter to those of nested templates that it may be passed on to; json and text if their values fit."""


@pytest.mark.parametrize("taken", ["string", "number", "boolean", "comma_delimited_list", "json"])
@pytest.mark.parametrize("given", PASSED)
def test_parameters_are_converted_as_in_heat(given, taken):
    uses = "resources: {c: {type: own.yaml, properties: {q: {get_param: p}}}}"
    base = f"parameters: {{p: {{type: {given}}}}}\n{uses}"
    own = f"parameters: {{q: {{type: {taken}}}}}\n{ANY}"
    found = codes(findings({"base.yaml": HOT + base, "own.yaml": HOT + own}), "error")
    assert (found == set()) == (taken.replace("comma_delimited_", "") in PASSED[given])


def test_an_unreadable_file_comes_before_its_consequences():
    found = findings({"base.yaml": HOT + "resources: {r: {type: own.yaml, properties: {a: 1}}}", "own.yaml": "\ta: 1"})
    assert found[0].code == "YAML_INVALID"


@pytest.mark.parametrize(
    "text",
    [
        "PUT THE VM FLAVOR NAME HERE (m1.medium suggested)",
        "ASSIGN A PRIVATE ADDRESS OF THE NETWORK ABOVE, e.g. 10.0.0.2",
        "normal or direct",
        "<image>",
        "CHANGE_ME",
        "TODO: the id of the network",
        "Enter your key here",
    ],
)
def test_placeholders_are_no_values(text):
    files = {
        "base.yaml": HOT + "parameters: {a: {type: string}}\n" + ANY,
        "base.env": f"parameters:\n  a: '{text}'\n",
    }
    assert "PLACEHOLDER" in codes(findings(files), "warning")


@pytest.mark.parametrize("text", ["m1.medium", "putty", "10.0.0.1 ", "floor", "direct", "a or b or c", "<a><b/></a>"])
def test_values_are_no_placeholders(text):
    files = {
        "base.yaml": HOT + "parameters: {a: {type: string}}\n" + ANY,
        "base.env": f"parameters:\n  a: '{text}'\n",
    }
    assert "PLACEHOLDER" not in codes(findings(files), "warning")


def test_a_name_means_the_file_whose_letters_are_decomposed():
    files = {"base.yaml": HOT + "resources: {r: {type: café.yaml}}\n", "cafe\u0301.yaml": HOT + ANY}
    assert errors(findings(files)) == []
    assert codes(findings({**files, "base.yaml": HOT + "resources: {r: {type: cafe.yaml}}\n"}), "error") == {
        "FILE_MISSING"
    }
