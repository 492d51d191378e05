"""The network behind a virtual link: created by the stack or existing, and what its ports do."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.lcm.deployments import LINKS, NETWORKS
from tests.unit.lcm.examples import vdu, vnfd
from vnfm.catalog.domain.vnfd import AddressPlan, Flavour, Setting, VirtualLink
from vnfm.clouds.types import Port, Subnet
from vnfm.lcm.domain.links import plan_network
from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.domain.plan_builder import CloudSnapshot, CurrentStack, PlanBuilder

INSIDE, OUTSIDE = LINKS
NAME = OUTSIDE.network_parameter
MOVABLE = replace(OUTSIDE, moving_template="moving.yaml")
NEW: Any = object()
"""In place of a current network: there is no stack yet."""


def planned(
    current: Any, wanted: str, link: VirtualLink = MOVABLE, cloud: CloudSnapshot | None = None, *, changed: bool = True
) -> PlanBuilder:
    """A plan for a stack whose link is on `current`, "" for a network of its own."""
    plan = AddressPlan("cidr", ("address",), virtual_link=link.id)
    one = replace(
        vnfd(vdu("cpm")),
        virtual_links=(link,),
        settings=tuple(Setting(name, name, "", "", "string", None, False) for name in (NAME, "cidr", "address")),
        address_plans=(plan,),
    )
    stack = CurrentStack(networks=frozenset({"net-own"}))
    if current is not NEW:
        stack = replace(stack, vnfd=one, parameters={NAME: current})
    settings = {NAME: wanted, "cidr": "192.0.2.0/24", "address": "192.0.2.9"}
    target = Target(Flavour("f", "", "", (), ()), "", {}, settings, {}, changed=frozenset({NAME} if changed else ()))
    builder = PlanBuilder(one, target, stack, cloud or CloudSnapshot((), NETWORKS, ()))
    plan_network(builder, link)
    return builder


CREATED, EXISTING = ("created", "", ""), ("existing", "net-1", "net-1")


@pytest.mark.parametrize(
    ("current", "wanted", "choice", "actions", "moves"),
    [
        (NEW, "", CREATED, ["create"], False),
        (NEW, "lan", EXISTING, [], False),
        (NEW, "net-1", EXISTING, [], False),
        ("", "", CREATED, ["keep"], False),
        ("", "lan", EXISTING, ["delete"], True),
        ("net-1", "lan", EXISTING, [], False),
        ("lan", "net-1", ("existing", "net-1", "lan"), [], False),
        ("net-2", "lan", EXISTING, [], True),
        ("net-1", "", CREATED, ["create"], True),
    ],
)
def test_where_a_link_goes(current: Any, wanted: str, choice: tuple[str, str, str], actions: list[str], moves: bool):
    builder = planned(current, wanted)
    assert builder.errors == []
    (network,) = builder.networks
    kind, network_id, parameter = choice
    assert (network.choice, network.network_id, builder.parameters[NAME]) == (kind, network_id, parameter)
    assert builder.registry == {OUTSIDE.registry_type: "given.yaml" if wanted else "made.yaml"}
    assert [resource.action for resource in builder.resources] == actions
    assert builder.needed["networks"] == actions.count("create")
    assert bool(builder.moved) == moves == any("replaced by new ones" in text for text in builder.warnings)


@pytest.mark.parametrize("current", ["", "net-1", "lan"])
def test_a_link_that_the_request_does_not_change_stays(current: str) -> None:
    builder = planned(current, "net-2", changed=False)
    assert (builder.parameters[NAME], builder.moved, builder.errors) == (current, {}, [])


@pytest.mark.parametrize(("current", "wanted"), [("", "lan"), ("lan", "")])
def test_a_move_from_or_to_a_created_network_keeps_both_meanwhile(current: str, wanted: str) -> None:
    builder = planned(current, wanted)
    assert builder.moving_registry == {OUTSIDE.registry_type: "moving.yaml"}
    assert builder.moving_parameters == ({NAME: current} if current else {})
    stuck = planned(current, wanted, OUTSIDE)
    assert [error.message for error in stuck.errors] == [
        "The package cannot move Outside between an existing network and one of its own."
    ]
    between = planned("net-2", "lan", OUTSIDE)
    assert (between.errors, between.moving_registry) == ([], {})


TWINS = (*NETWORKS, replace(NETWORKS[0], id="net-3"), replace(NETWORKS[0], id="net-own", name="own"))
SUBNET = Subnet("s", "net-1", "s", "198.51.100.0/24", "", 4, True)
PORT = Port("p", "taken", "net-1", "", "", ("192.0.2.9",), "normal", "ACTIVE")


@pytest.mark.parametrize(
    ("wanted", "cloud", "message"),
    [
        ("wan", CloudSnapshot((), (), ()), "'wan' is not a network that this project may use."),
        ("lan", CloudSnapshot((), TWINS, ()), "'lan' names several networks; give the id."),
        ("own", CloudSnapshot((), TWINS, ()), "'own' is a network of this instance's own stack, which goes"),
        ("lan", CloudSnapshot((), NETWORKS, (), ports=(PORT,)), "192.0.2.9 is taken on network lan, by port taken."),
        (
            "lan",
            CloudSnapshot((), (replace(NETWORKS[0], subnets=(SUBNET,)),), ()),
            "Network lan has no subnet 192.0.2.0/24, but 198.51.100.0/24.",
        ),
    ],
)
def test_reasons_against_a_network(wanted: str, cloud: CloudSnapshot, message: str) -> None:
    (error,) = planned(NEW, wanted, cloud=cloud).errors
    assert error.message.startswith(message)
    elsewhere = replace(cloud, ports=(replace(PORT, network_id="net-2"),))
    assert not any("taken" in error.message for error in planned(NEW, wanted, cloud=elsewhere).errors)


def test_a_link_without_a_network_of_its_own_needs_one_that_exists() -> None:
    bare = replace(OUTSIDE, registry_type="")
    (error,) = planned(NEW, "", bare).errors
    assert (error.field, "makes no network of its own" in error.message) == (f"/additionalParams/{NAME}", True)
    assert planned(NEW, "lan", bare).errors == []
    inside = planned(NEW, "", INSIDE)
    assert ([network.choice for network in inside.networks], inside.parameters) == (["created"], {})
