"""The origin of each setting's value in a planned instantiation."""

from dataclasses import replace

import pytest

from tests.unit.lcm.deployments import Deployment
from tests.unit.lcm.examples import vnfd
from vnfm.catalog.domain.vnfd import Flavour, InstantiationLevel, Setting, VirtualLink
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_settings import planned_settings
from vnfm.lcm.domain.states import Operation


def network(name: str, default: str = "lan", follows: str = "") -> Setting:
    return Setting(name, name, "", "", "string", default, required=False, format="network", follows=follows)


def link(name: str) -> VirtualLink:
    return VirtualLink(name, name, "", internal=False, vnic_type="normal", network_parameter=name)


VNFD = replace(
    vnfd(),
    flavours=(Flavour("default", "Default", "one", (InstantiationLevel("one", "", {}),), ()),),
    settings=(network("lan"), network("own"), network("second", follows="own")),
    virtual_links=(link("lan"), link("own"), link("second")),
)


@pytest.mark.parametrize(
    ("requested", "profile", "expected"),
    [
        ({}, {}, {"lan": "package", "own": "package", "second": "package"}),
        ({"own": "wan"}, {}, {"lan": "package", "own": "request", "second": "request"}),
        ({}, {"own": "wan"}, {"lan": "package", "own": "profile", "second": "profile"}),
        ({"second": "lan"}, {"own": "wan"}, {"lan": "package", "own": "profile", "second": "request"}),
        ({"lan": "net-2"}, {}, {"lan": "request", "own": "package", "second": "package"}),
    ],
    ids=["the name of the package becomes an id", "follows", "follows the profile", "chosen itself", "chosen by id"],
)
def test_the_origin_of_a_network(requested: dict[str, str], profile: dict[str, str], expected: dict[str, str]) -> None:
    completed = {**profile, **requested}
    plan = Deployment(VNFD).planned(Operation.INSTANTIATE, {"flavourId": "default", "additionalParams": completed})
    assert isinstance(plan, Plan), plan
    found = {one.name: one for one in planned_settings(VNFD, requested, completed, plan)}
    assert {name: one.origin for name, one in found.items()} == expected
    ids = {"lan": "net-1", "wan": "net-2"}
    own = ids[completed.get("own", "lan")]
    assert found["own"].value == own
    assert found["second"].value == ids.get(completed.get("second", ""), own)
