"""The shipped schemas of Heat's resource types against another reading of the same source: cloudsim's."""

import pytest

from cloudsim.heat.plugins.registry import Registry
from hot.language import FORMS, FUNCTIONS, LIBERTY, LIBERTY_VERSIONS, release_name
from hot.schemas import resource_type, type_names

SIMULATED = {name: plugin for name, plugin in Registry().builtin.items() if name.startswith("OS::")}
DEPLOYMENT_GROUPS = [
    f"OS::Heat::{kind}Deployment{group}" for kind in ("Software", "Structured") for group in ("Group", "s")
]
REQUIRED_LATER = {name: {"servers"} for name in DEPLOYMENT_GROUPS}
"""Liberty did not insist on these."""
KINDS = {"string", "integer", "number", "boolean", "map", "list", "any"}


@pytest.mark.parametrize("name", sorted(SIMULATED))
def test_types_of_the_simulated_liberty_are_known(name):
    kind = resource_type(name)
    assert kind is not None
    assert kind.since <= LIBERTY
    if kind.any_property:
        return
    ours = {key for key, prop in kind.properties.items() if prop.since <= LIBERTY}
    assert set(SIMULATED[name].schema) <= ours
    needed = {key for key, prop in kind.properties.items() if prop.required} - REQUIRED_LATER.get(name, set())
    assert needed <= {key for key, prop in SIMULATED[name].schema.items() if prop.required}


@pytest.mark.parametrize(
    ("name", "since"),
    [
        ("OS::Nova::Server", 0),
        ("OS::Neutron::QoSPolicy", 6),
        ("OS::Heat::Value", 7),
        ("OS::Neutron::Trunk", 9),
        ("OS::Aodh::Alarm", 6),
    ],
)
def test_when_a_type_came(name, since):
    assert resource_type(name).since == since


@pytest.mark.parametrize(
    ("name", "prop", "since"),
    [
        ("OS::Neutron::Port", "binding:vnic_type", 0),
        ("OS::Neutron::Port", "dns_name", 7),
        ("OS::Nova::Server", "tags", 8),
        ("OS::Nova::Server", "deployment_swift_data", 9),
    ],
)
def test_when_a_property_came(name, prop, since):
    assert resource_type(name).properties[prop].since == since


def test_nested_properties_have_a_schema():
    networks = resource_type("OS::Nova::Server").properties["networks"]
    assert networks.kind == "list"
    assert {"port", "network", "fixed_ip"} <= set(networks.element.members)


def test_old_names_lead_to_new_ones():
    assert resource_type("OS::Neutron::Port").properties["network_id"].replaced_by == "network"


def test_unknown_and_removed_types():
    assert resource_type("OS::Nova::Serwer") is None
    assert resource_type("OS::Ceilometer::Alarm").gone


def test_the_data_are_whole():
    assert len(type_names()) > 100
    for name in type_names():
        assert {prop.kind for prop in resource_type(name).properties.values()} <= KINDS


def test_releases_have_names():
    assert [release_name(release) for release in (5, 6, 9, 19, 20, 23, 24)] == [
        "Liberty",
        "Mitaka",
        "Pike",
        "Zed",
        "2023.1",
        "2024.2",
        "2025.1",
    ]


def test_each_function_has_a_form():
    assert set(FORMS) == set(FUNCTIONS)
    assert LIBERTY_VERSIONS == ("2013-05-23", "2014-10-16", "2015-04-30", "2015-10-15")
