"""What Heat could only make anew, read from the shipped router's HOT and from small ones."""

import pytest

from tests.factories.packages import vsr_files
from vnfm.lcm.domain.anew import PORT, SERVER, SUBNET, booted, made_anew

FRAGMENTS = {True: "fragments/vl_created.yaml", False: "fragments/vl_existing.yaml"}


def router(**made: bool) -> dict[str, str]:
    """Of a VSR; links are made by the stack where nothing else is said."""
    files = {path: data.decode() for path, data in vsr_files().items() if path.endswith(".yaml")}
    links = ("Management", "Fabric", "Data1", "Data2")
    registry = {f"VSR::{link}Network": FRAGMENTS[made.get(link, True)] for link in links}
    registry |= {"VSR::ControlPlacement": "fragments/placement_any.yaml", "VSR::DataPathVm": "nested/data_path.yaml"}
    return made_anew(files["base.yaml"], registry, files)


def test_what_a_router_boots_with_stays() -> None:
    found = router()
    booted = {
        *("management_ip_active", "management_ip_standby", "management_cidr", "management_gateway", "management_route"),
        *("license_file", "primary_config", "control_cpu_cores", "fabric_mtu", "data_path_mdas"),
        *("control_az_a", "control_az_b", "data_path_az", "VSR::ControlPlacement"),
    }
    assert booted <= {name for name, what in found.items() if what == SERVER}
    assert {"fabric_cidr", "data1_cidr", "data2_cidr"} <= {name for name, what in found.items() if what == SUBNET}


def test_what_can_be_changed_under_it_is_not_named() -> None:
    in_place = {
        *("image", "control_images", "data_path_images", "control_flavor", "data_path_flavor", "data_path_count"),
        *("management_network", "data1_network", "management_access", "open_port_attributes"),
    }
    assert not in_place & router().keys()


def test_a_nic_is_what_it_was_plugged_in_as() -> None:
    assert {name for name, what in router().items() if what == PORT} == {"data_vnic_type"}


def test_the_subnet_of_an_existing_network_is_somebody_elses() -> None:
    assert not {"data1_cidr"} & router(Data1=False).keys()


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("{get_param: a}", {"a"}),
        ("{get_param: [a, {get_param: b}]}", {"a", "b"}),
        ("{str_replace: {template: x, params: {$x: {get_param: a}}}}", {"a"}),
        ("{get_attr: [other, x]}", {"b", "OS::Heat::RandomString"}),
        ("{get_resource: other}", {"b", "OS::Heat::RandomString"}),
        ("{get_resource: nobody}", set()),
        ("plain", set()),
    ],
)
def test_where_a_value_comes_from(value: str, names: set[str]) -> None:
    template = f"""
resources:
  other: {{type: OS::Heat::RandomString, properties: {{salt: {{get_param: b}}}}}}
  server: {{type: OS::Nova::Server, properties: {{name: {{get_param: c}}, user_data: {value}}}}}
"""
    assert made_anew(template, {}, {}).keys() == names


def test_a_template_without_resources_has_nothing() -> None:
    assert made_anew("heat_template_version: 2015-10-15", {}, {}) == {}


def test_what_servers_are_made_with_is_found_where_it_stands() -> None:
    files = {path: data.decode() for path, data in vsr_files().items() if path.endswith(".yaml")}
    found = booted(files["base.yaml"], {"VSR::DataPathVm": "nested/data_path.yaml"}, files)
    assert {"cpm_a/user_data", "cpm_b/scheduler_hints", "data_path/server/config_drive"} <= found.keys()
    assert not {place for place in found if place.endswith(("/image", "/flavor", "/networks", "/metadata"))}
    assert found["data_path/server/availability_zone"] == {"get_param": "availability_zone"}
