"""The network elements of a VNF, and their first configuration."""

from dataclasses import replace

import pytest

from tests.factories.packages import SHIPPED, shipped_package
from vnfm.catalog.domain.config_template import UndefinedNameError
from vnfm.catalog.domain.element import DayOne, ElementSpec
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.element_config import (
    Component,
    ConfigRenderer,
    PlannedElement,
    planned_elements,
    policy_errors,
)

A = Component("control", "A", "pe-cpm-a", {"control-management": "192.0.2.10"})
ONE = Component("data-path", "1", "pe-1", {"data-path-management": "192.0.2.21"})
TWO = Component("data-path", "2", "pe-2", {})


@pytest.fixture(scope="module")
def vnfd() -> Vnfd:
    return shipped_package(SHIPPED).vnfd


def renderer(vnfd: Vnfd, name: str = "pe", **settings: object) -> ConfigRenderer:
    return ConfigRenderer(vnfd, "11111111-2222-3333-4444-555555555555", name, settings)


def test_one_element_at_the_address_that_a_setting_says() -> None:
    spec = ElementSpec("nokia-sros", address_setting="vip", cards=("control", "data-path"))
    (found,) = planned_elements(spec, "pe", {"vip": "192.0.2.9"}, [A, ONE])
    assert (found.name, found.address, found.key) == ("pe", "192.0.2.9", "")


def test_one_element_at_the_address_of_a_connection_point() -> None:
    spec = ElementSpec("nokia-sros", address_point="control-management", cards=("control", "data-path"))
    assert [one.address for one in planned_elements(spec, "pe", {}, [TWO, A, ONE])] == ["192.0.2.10"]
    assert [one.address for one in planned_elements(spec, "pe", {}, [ONE])] == [""], "the cloud shows none"


def test_an_element_for_each_component() -> None:
    spec = ElementSpec("nokia-sros", address_point="data-path-management", per_component="data-path")
    found = planned_elements(spec, "rr", {}, [A, ONE, TWO])
    assert [(one.name, one.address, one.key) for one in found] == [("rr-1", "192.0.2.21", "1"), ("rr-2", "", "2")]


def test_lines_for_the_element_and_for_each_new_component(vnfd: Vnfd) -> None:
    spec = ElementSpec(
        "nokia-sros", address_setting="x", cards=("control",), day_one=(DayOne("e"), DayOne("c", "data-path"))
    )
    templates = {
        "e": "name ${element.name} at ${element.address}",
        "c": "card ${component.slot} mtu ${setting.fabric_mtu}",
    }
    rendered = renderer(replace(vnfd, element=spec), fabric_mtu=1500)
    element = PlannedElement("pe", "192.0.2.9")
    whole = rendered.configuration(element, templates, [A, ONE, TWO], whole=True)
    assert whole == "name pe at 192.0.2.9\ncard 1 mtu 1500\ncard 2 mtu 1500"
    assert rendered.configuration(element, templates, [TWO], whole=False) == "card 2 mtu 1500"


def test_an_address_that_the_cloud_does_not_show(vnfd: Vnfd) -> None:
    spec = ElementSpec("nokia-sros", address_setting="x", cards=("control",), day_one=(DayOne("c", "data-path"),))
    with pytest.raises(UndefinedNameError):
        renderer(replace(vnfd, element=spec)).configuration(
            PlannedElement("pe", ""), {"c": "${address.data-path-management}"}, [TWO], whole=True
        )


def test_a_name_that_would_be_a_command_is_found_while_planning(vnfd: Vnfd) -> None:
    templates = {"e": 'name "${instance.name}"', "c": "${component.slot}"}
    assert renderer(vnfd).value_error(templates) == ""
    assert "instance.name has a quotation mark" in renderer(vnfd, 'pe" shutdown').value_error(templates)


@pytest.mark.parametrize(
    ("policies", "fields"),
    [
        ({}, []),
        ({"snmpPolicy": "core", "sshPolicy": "core-ssh"}, []),
        ({"sshPolicy": "core-ssh"}, ["/additionalParams/snmpPolicy"]),
        ({"snmpPolicy": 5}, ["/additionalParams/snmpPolicy"]),
    ],
)
def test_policy_errors(vnfd: Vnfd, policies: dict[str, object], fields: list[str]) -> None:
    assert [error.field for error in policy_errors(vnfd, policies)] == fields


def test_a_package_that_says_nothing_takes_none(vnfd: Vnfd) -> None:
    (error,) = policy_errors(replace(vnfd, element=None), {"snmpPolicy": "core"})
    assert error.message == "The package does not say how it is managed."
