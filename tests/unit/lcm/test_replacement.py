"""The settings for which Heat would replace resources, from the shipped router's HOT and from small ones."""

import pytest

from tests.factories.packages import vsr_files
from vnfm.lcm.domain.replacement import (
    NETWORK,
    PORT,
    SERVER,
    SUBNET,
    boot_properties,
    replaced_on_change,
    retained_types,
)

FRAGMENTS = {True: "fragments/vl_created.yaml", False: "fragments/vl_existing.yaml"}


def router(**created: bool) -> dict[str, str]:
    """Return the parts of a VSR; its stack creates the links that are not False in `created`."""
    files = {path: data.decode() for path, data in vsr_files().items() if path.endswith(".yaml")}
    links = ("Management", "Fabric", "Data1", "Data2")
    registry = {f"VSR::{link}Network": FRAGMENTS[created.get(link, True)] for link in links}
    registry |= {"VSR::ControlPlacement": "fragments/placement_any.yaml", "VSR::DataPathVm": "nested/data_path.yaml"}
    return replaced_on_change(files["base.yaml"], registry, files)


def test_boot_properties_would_replace_the_server() -> None:
    found = router()
    at_boot = {
        "management_ip_active", "management_ip_standby", "management_cidr", "management_gateway", "management_route",
        "license_file", "primary_config", "control_cpu_cores", "fabric_mtu", "data_path_mdas",
        "control_az_a", "control_az_b", "data_path_az", "VSR::ControlPlacement",
    }  # fmt: skip
    assert at_boot <= {name for name, replaced in found.items() if replaced == SERVER}
    assert {"fabric_cidr", "data1_cidr", "data2_cidr"} <= {
        name for name, replaced in found.items() if replaced == SUBNET
    }


HOT = "heat_template_version: 2015-10-15\nresources:\n"


def test_retained_types_are_those_of_resources_that_heat_leaves() -> None:
    nested = f"{HOT}  port: {{type: OS::Neutron::Port}}\n  vm: {{type: OS::Nova::Server, deletion_policy: Delete}}\n"
    root = (
        f"{HOT}  net: {{type: OS::Neutron::Net, deletion_policy: retain}}\n"
        "  subnet: {type: OS::Neutron::Subnet}\n"
        "  group: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: My::Member}}%s}\n"
    )
    registry, files = {"My::Member": "member.yaml"}, {"member.yaml": nested}
    assert retained_types(root % "", registry, files) == {NETWORK}
    assert retained_types(root % ", deletion_policy: Retain", registry, files) == {NETWORK, PORT, SERVER}


def test_properties_that_change_in_place_are_not_listed() -> None:
    in_place = {
        "image", "control_images", "data_path_images", "control_flavor", "data_path_flavor", "data_path_count",
        "management_network", "data1_network", "management_access", "open_port_attributes",
    }  # fmt: skip
    assert not in_place & router().keys()


def test_the_vnic_type_would_replace_the_port() -> None:
    assert {name for name, replaced in router().items() if replaced == PORT} == {"data_vnic_type"}


def test_the_subnet_of_an_existing_network_is_not_in_the_stack() -> None:
    assert not {"data1_cidr"} & router(Data1=False).keys()


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("{get_param: a}", {"a"}),
        ("{get_param: [a, {get_param: b}]}", {"a", "b"}),
        ("{str_replace: {template: x, params: {$x: {get_param: a}}}}", {"a"}),
        ("{get_attr: [other, x]}", {"b", "OS::Heat::RandomString"}),
        ("{get_resource: other}", {"b", "OS::Heat::RandomString"}),
        ("{get_resource: missing}", set()),
        ("plain", set()),
    ],
)
def test_the_sources_of_a_value(value: str, names: set[str]) -> None:
    template = f"""
resources:
  other: {{type: OS::Heat::RandomString, properties: {{salt: {{get_param: b}}}}}}
  server: {{type: OS::Nova::Server, properties: {{name: {{get_param: c}}, user_data: {value}}}}}
"""
    assert replaced_on_change(template, {}, {}).keys() == names


def test_a_template_without_resources() -> None:
    assert replaced_on_change("heat_template_version: 2015-10-15", {}, {}) == {}


def test_boot_properties_by_their_path() -> None:
    files = {path: data.decode() for path, data in vsr_files().items() if path.endswith(".yaml")}
    found = boot_properties(files["base.yaml"], {"VSR::DataPathVm": "nested/data_path.yaml"}, files)
    assert {"cpm_a/user_data", "cpm_b/scheduler_hints", "data_path/server/config_drive"} <= found.keys()
    assert not {place for place in found if place.endswith(("/image", "/flavor", "/networks", "/metadata"))}
    assert found["data_path/server/availability_zone"] == {"get_param": "availability_zone"}
