"""Things that templates need and a chosen cloud lacks are found with file and line, and nothing on a mere guess."""

from dataclasses import replace

import pytest

from hot.language import CURRENT, LIBERTY
from tests.factories.templates import HOT, template_set
from vnfm.catalog.domain.hot.templates import HeatTarget
from vnfm.catalog.domain.hot.validate import cloud_findings, unsupported

FUNCTIONS = {"2015-10-15": ("get_param", "get_resource", "str_split"), "2013-05-23": ("get_param", "Fn::Select")}
CLOUD = HeatTarget(
    "cloud north",
    LIBERTY,
    chosen=True,
    functions=FUNCTIONS,
    types=frozenset({"OS::Heat::ResourceGroup", "OS::Heat::RandomString", "OS::Neutron::Port", "OS::Neutron::Router"}),
    extensions=frozenset({"router", "security-group"}),
)
UNKNOWN = HeatTarget("cloud north", CURRENT, chosen=True)

RANDOM = "  r: {type: OS::Heat::RandomString%s}\n"


def resources(text: str, version: str = "2015-10-15") -> str:
    return f"heat_template_version: {version}\nresources:\n{text}"


def found(text: str, target: HeatTarget = CLOUD, **files: str) -> list[tuple[str, str, int]]:
    templates, _ = template_set({"base.yaml": text, **{f"{name}.yaml": other for name, other in files.items()}})
    return [(f.code, f.file, f.line) for f in unsupported(replace(templates, target=target))]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (resources(RANDOM % ""), None),
        (resources(RANDOM % "", "2018-08-31"), "HOT_VERSION_NEWER"),
        (resources(RANDOM % "", "rocky"), "HOT_VERSION_NEWER"),
        (resources("  r: {type: OS::Neutron::Trunk, properties: {port: p}}\n"), "TYPE_NEWER"),
        (resources("  r: {type: OS::Cinder::Volume, properties: {size: 1}}\n"), "TYPE_LACKING"),
        (resources("  r: {type: OS::Ceilometer::Alarm, properties: {meter_name: a, threshold: 1}}\n"), "TYPE_LACKING"),
        (resources("  r: {type: Vendor::Product::Instance}\n"), "TYPE_LACKING"),
        (resources("  r: {type: OS::Neutron::RouterGateway, properties: {router_id: a, network: b}}\n"), None),
        (resources("  r: {type: OS::Quantum::Port}\n"), None),
        (resources("  r: {type: OS::Neutron::Router, properties: {name: {digest: [md5, a]}}}\n"), "FUNCTION_LACKING"),
        (resources("  r: {type: OS::Neutron::Router, properties: {name: {str_split: [a, b, 0]}}}\n"), None),
        (resources("  r: {type: OS::Neutron::Port, properties: {network: n, tags: [a]}}\n"), "PROPERTY_NEWER"),
        (
            resources("  r: {type: OS::Neutron::Port, properties: {network: n, port_security_enabled: false}}\n"),
            "EXTENSION_LACKING",
        ),
        (resources("  r: {type: OS::Neutron::Port, properties: {network: n, allowed_address_pairs: []}}\n"), None),
    ],
)
def test_a_template_with_types_that_the_cloud_lacks(text: str, code: str | None) -> None:
    assert found(text) == ([(code, "base.yaml", 1 if code == "HOT_VERSION_NEWER" else 3)] if code else [])


@pytest.mark.parametrize(
    ("properties", "forbidden"),
    [
        ("{shared: true}", True),
        ("{shared: 'True'}", True),
        ("{shared: false}", False),
        ("{value_specs: {'router:external': true}}", True),
        ("{value_specs: {'router:external': false}}", False),
        ("{value_specs: {mtu: 9000}}", False),
        ("{shared: {get_param: shared}}", False),
        ("{}", False),
    ],
)
def test_networks_that_the_user_may_not_create(properties: str, forbidden: bool) -> None:
    text = resources(f"  n: {{type: OS::Neutron::Net, properties: {properties}}}\n")
    member = replace(CLOUD, may_share=False, types=frozenset())
    assert found(text, member) == ([("NETWORK_FORBIDDEN", "base.yaml", 3)] if forbidden else [])
    assert found(text, replace(member, may_share=True)) == []
    assert found(text, replace(member, may_share=None)) == []


def test_nothing_is_refused_where_nothing_is_known() -> None:
    text = resources("  r: {type: OS::Neutron::Trunk, properties: {port: p}}\n  s: {type: V::P::I}\n", "2018-08-31")
    assert found(text, UNKNOWN) == []


def test_a_newer_cloud_takes_newer_templates() -> None:
    newer = replace(
        CLOUD, release=CURRENT, functions={"2018-08-31": ("if",)}, types=frozenset({"OS::Neutron::Trunk"}),
        extensions=frozenset({"trunk"}),
    )  # fmt: skip
    assert found(resources("  r: {type: OS::Neutron::Trunk, properties: {port: p}}\n", "rocky"), newer) == []


def test_a_listed_type_is_offered_whatever_the_release() -> None:
    backported = replace(CLOUD, types=CLOUD.types | {"OS::Neutron::Trunk"}, extensions=frozenset())
    assert found(resources("  r: {type: OS::Neutron::Trunk, properties: {port: p}}\n"), backported) == []


def test_a_type_that_became_a_placeholder_may_be_unlisted() -> None:
    text = resources("  r: {type: OS::Ceilometer::Alarm, properties: {meter_name: a, threshold: 1}}\n")
    assert found(text, replace(CLOUD, release=CURRENT)) == []


def test_the_place_is_in_the_nested_template() -> None:
    group = (
        "  g:\n    type: OS::Heat::ResourceGroup\n"
        "    properties: {count: 2, resource_def: {type: member.yaml}}\n"
    )  # fmt: skip
    nested = HOT + "resources:\n  v:\n    type: OS::Cinder::Volume\n    properties: {size: 1}\n"
    assert found(resources(group), member=nested) == [("TYPE_LACKING", "member.yaml", 4)]


def test_only_the_chosen_alternative_counts() -> None:
    files = {
        "base.yaml": resources("  l: {type: My::Link}\n"),
        "base.env": "resource_registry: {My::Link: old.yaml}\n",
        "old.yaml": resources(RANDOM % ""),
        "new.yaml": resources("  t: {type: OS::Neutron::Trunk, properties: {port: p}}\n"),
    }
    templates, _ = template_set(files)
    other, _ = template_set(files, root="new.yaml")
    both = replace(
        templates,
        target=CLOUD,
        templates={**templates.templates, **other.templates},
        files={**templates.files, "new.yaml": "new.yaml"},
        implementations={"My::Link": ("old.yaml", "new.yaml")},
    )
    assert [f.file for f in unsupported(both, [{"My::Link": "old.yaml"}])] == []
    assert [f.file for f in unsupported(both, [{"My::Link": "new.yaml"}])] == ["new.yaml"]
    assert [f.file for f in unsupported(both, [{"My::Link": "old.yaml"}, {"My::Link": "new.yaml"}])] == ["new.yaml"]


def test_a_resource_under_a_condition_does_not_count() -> None:
    text = (
        "heat_template_version: 2016-10-14\nconditions: {big: false}\nresources:\n"
        "  t: {type: OS::Neutron::Trunk, condition: big, properties: {port: p}}\n"
        "  n: {type: nested.yaml, condition: big}\n"
    )
    newer = replace(CLOUD, functions={"2016-10-14": ("if",), "2015-10-15": ("get_param",)}, release=7)
    nested = resources("  t: {type: OS::Neutron::Trunk, properties: {port: p}}\n")
    assert found(text, newer, nested=nested) == []
    templates, _ = template_set({"base.yaml": text, "nested.yaml": nested})
    warnings = [(f.severity, f.code, f.file) for f in cloud_findings(replace(templates, target=newer))]
    assert warnings == [("warning", "TYPE_NEWER", "base.yaml"), ("warning", "TYPE_NEWER", "nested.yaml")]


def test_an_unsupported_type_is_one_error() -> None:
    templates, _ = template_set({"base.yaml": resources("  t: {type: OS::Neutron::Trunk, properties: {port: p}}\n")})
    findings = cloud_findings(replace(templates, target=CLOUD))
    assert [(f.severity, f.code) for f in findings] == [("error", "TYPE_NEWER")]
