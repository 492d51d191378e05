"""Tolerances for clients' own ways; see `vnfm.lcm.wire.dialects`."""

from typing import Any

import pytest

from vnfm.lcm.wire.dialects import OPENSTACK, connectivity, vim_connection

ETSI = {
    "vimType": OPENSTACK,
    "interfaceInfo": {"endpoint": "https://cloud:5000/v3"},
    "accessInfo": {
        "username": "u",
        "password": "p",
        "project": "vnf",
        "userDomain": "Default",
        "projectDomain": "Default",
    },
}
ONAP = {
    "vimType": "openstack",
    "interfaceInfo": {"identityEndPoint": "https://cloud:5000/v3"},
    "accessInfo": {
        "projectId": "c0ffee",
        "projectName": "vnf",
        "domainName": "Default",
        "credentials": {"username": "u", "password": "p"},
    },
}


def test_onap_so_names_a_cloud_in_its_own_words() -> None:
    assert vim_connection(ONAP) == ETSI
    assert vim_connection(ETSI) == ETSI


@pytest.mark.parametrize(
    ("part", "kept"),
    [
        ({"accessInfo": {"projectId": "c0ffee"}}, {"accessInfo": {"projectId": "c0ffee"}}),
        ({"accessInfo": {"credentials": "token"}}, {"accessInfo": {"credentials": "token"}}),
        ({"accessInfo": {"project": "a", "projectName": "b"}}, {"accessInfo": {"project": "a"}}),
        ({"vimType": "KUBERNETES"}, {"vimType": "KUBERNETES"}),
        ({"interfaceInfo": "x", "vimType": 1}, {"interfaceInfo": "x", "vimType": 1}),
    ],
)
def test_an_unknown_value_stays_and_is_refused_later(part: dict[str, Any], kept: dict[str, Any]) -> None:
    assert vim_connection(part) == kept
    assert vim_connection("x") == "x"


def test_empty_objects_stand_for_empty_arrays() -> None:
    ibm = {"flavourId": "f", "extVirtualLinks": {}, "extManagedVirtualLinks": {}, "additionalParams": {}}
    assert connectivity(ibm) == {**ibm, "extVirtualLinks": [], "extManagedVirtualLinks": []}
    assert connectivity({"extVirtualLinks": {"a": 1}}) == {"extVirtualLinks": {"a": 1}}
