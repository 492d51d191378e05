"""When new elements get the SNMP access of their policy."""

from typing import Any

import pytest

from vnfm.catalog.domain.element import ElementSpec
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.sagas.element_steps import snmp_wanted, why_no_snmp

ASKS, ASKS_NOT = ElementSpec("nokia-sros", configures_snmp=True), ElementSpec("nokia-sros")


def request(**params: Any) -> InstantiateVnfRequest:
    return InstantiateVnfRequest.of({"flavourId": "default", "additionalParams": params})


@pytest.mark.parametrize(
    ("spec", "params", "wanted"),
    [
        (ASKS, {}, True),
        (ASKS_NOT, {}, False),
        (ASKS, {"configureSnmp": False}, False),
        (ASKS_NOT, {"configureSnmp": True}, True),
        (ASKS, {"adoptStack": "s"}, False),
        (ASKS, {"adoptStack": "s", "configureSnmp": True}, True),
    ],
)
def test_the_request_decides_else_the_package(spec: ElementSpec, params: dict[str, Any], wanted: bool) -> None:
    assert snmp_wanted(spec, request(**params)) is wanted


def test_configure_snmp_must_be_a_boolean() -> None:
    found = request(configureSnmp="yes")
    assert [fault.field for fault in found.malformed] == ["/additionalParams/configureSnmp"]
    assert (found.additional_params.configures_snmp, found.settings) == (None, {})


@pytest.mark.parametrize(
    ("driver", "policies", "words"),
    [
        ("nokia-sros", {"snmpPolicy", "sshPolicy"}, ""),
        ("nokia-sros", {"snmpPolicy"}, "no SSH or NETCONF policy"),
        ("nokia-sros", {"snmpPolicy", "netconfPolicy"}, ""),
        ("huawei-vrp", {"snmpPolicy", "sshPolicy"}, ""),
        ("huawei-vrp", {"snmpPolicy", "netconfPolicy"}, "by an SSH policy alone"),
        ("frr", {"snmpPolicy", "sshPolicy"}, "configured by the VNF's user data (day 0) alone"),
        ("generic", {"snmpPolicy", "sshPolicy"}, "no such configuration is known for generic"),
    ],
)
def test_where_it_cannot_be_the_plan_says_why(driver: str, policies: set[str], words: str) -> None:
    why = why_no_snmp(ElementSpec(driver), policies)
    assert (words in why) if words else why == ""
