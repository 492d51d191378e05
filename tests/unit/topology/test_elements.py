"""Sites, network elements and the links between them, as their ends tell of them."""

from typing import Any

import pytest

from tests.unit.topology.worlds import (
    EARLIER,
    LONG_AGO,
    NOW,
    cloud,
    element,
    instance,
    link,
    lldp,
    node,
    ospf,
    peer,
    site,
)
from vnfm.topology.domain.build import whole
from vnfm.topology.domain.graph import Graph
from vnfm.topology.domain.world import World

PAIR = (element("ne1"), element("ne2"))
THERE, BACK = lldp("ne1", "1/1/1", "ne2", "2/1/1"), lldp("ne2", "2/1/1", "ne1", "1/1/1")


def drawn(scope: Any = "all", **rows: Any) -> Graph:
    return whole(World(**{"sites": (site(),), "elements": PAIR, **rows}), scope, NOW)


def test_elements_stand_in_their_site_or_their_instance() -> None:
    rows = (element("ne1"), element("ne2", site_id=""), element("ne3", site_id="", instance_id="v1"))
    graph = drawn(elements=rows, clouds=(cloud(),), instances=(instance(),))
    assert [node(graph, f"element:ne{n}").parent for n in (1, 2, 3)] == ["site:s1", "site:none", "instance:v1"]
    assert link(graph, "MANAGEMENT").target == "instance:v1"
    assert "instance:v1" not in drawn("elements", elements=rows, clouds=(cloud(),), instances=(instance(),)).nodes
    only = drawn("clouds", elements=rows, clouds=(cloud(),), instances=(instance(),))
    assert {key for key in only.nodes if key.startswith(("element", "site"))} == {"element:ne3"}


def test_a_virtual_system_is_linked_with_its_chassis() -> None:
    graph = drawn(elements=(element("ne1"), element("ne2", chassis_id="ne1")))
    assert (link(graph, "CHASSIS").source, link(graph, "CHASSIS").target) == ("element:ne2", "element:ne1")


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "UP"),
        ({"synchronising": True}, "CHANGING"),
        ({"reachable": "False"}, "DOWN"),
        ({"reachable": "False", "synchronising": True}, "DOWN"),
        ({"reachable": "Unknown"}, "UNKNOWN"),
        ({"state": "SUSPENDED"}, "UNKNOWN"),
        ({"state": "UNMANAGED"}, "UNKNOWN"),
    ],
)
def test_colours_are_those_of_the_element_manager_of_old(fields: dict[str, Any], state: str) -> None:
    assert node(drawn(elements=(element("ne1", **fields),)), "element:ne1").standing.state == state


def test_two_ends_that_name_each_other_are_one_link() -> None:
    found = link(drawn(adjacencies=(THERE, BACK)), "LLDP")
    assert {found.source: found.source_port, found.target: found.target_port} == {
        "element:ne1": "1/1/1",
        "element:ne2": "2/1/1",
    }
    assert (found.standing.state, found.one_sided) == ("UP", False)


def test_parallel_links_are_two() -> None:
    more = lldp("ne1", "1/1/2", "ne2", "2/1/2")
    graph = drawn(adjacencies=(THERE, BACK, more))
    assert [each.one_sided for each in graph.links] == [False, True]
    assert len({each.id for each in graph.links}) == 2


def test_a_link_that_one_end_tells_of_is_one_link_and_marked() -> None:
    for row, source in ((THERE, "element:ne1"), (BACK, "element:ne2")):
        found = link(drawn(adjacencies=(row,)), "LLDP")
        assert (found.source, found.one_sided, found.standing.state) == (source, True, "UP")


@pytest.mark.parametrize(
    ("change", "state", "since"),
    [
        ({"port_state": "DOWN", "port_since": EARLIER}, "DOWN", EARLIER),
        ({"state": "LOST", "since": EARLIER}, "DOWN", EARLIER),
        ({"port_state": "LOWER_LAYER_DOWN"}, "DOWN", LONG_AGO),
        ({"port_state": ""}, "UP", LONG_AGO),
    ],
)
def test_a_link_is_down_when_one_end_says_so(change: dict[str, Any], state: str, since: object) -> None:
    rows = (lldp("ne1", "1/1/1", "ne2", "2/1/1", **change), BACK)
    standing = link(drawn(adjacencies=rows), "LLDP").standing
    assert (standing.state, standing.since) == (state, since)


def test_an_end_that_does_not_answer_says_nothing() -> None:
    one = drawn(elements=(element("ne1", "False"), element("ne2")), adjacencies=(THERE, BACK))
    assert link(one, "LLDP").standing.state == "UP"
    both = drawn(elements=(element("ne1", "False"), element("ne2", "Unknown")), adjacencies=(THERE, BACK))
    standing = link(both, "LLDP").standing
    assert (standing.state, standing.since) == ("UNKNOWN", EARLIER)


def test_a_neighbour_that_nobody_manages_is_drawn_as_that() -> None:
    graph = drawn(adjacencies=(lldp("ne1", "1/1/1", "switch", "Gi0/1", remote_id="02:00:5e:00:53:01"),))
    found = node(graph, "neighbour:02:00:5e:00:53:01")
    assert (found.kind, found.name, found.parent, found.standing.state) == ("NEIGHBOUR", "switch", "site:s1", "UNKNOWN")
    assert link(graph, "LLDP").one_sided


def test_a_name_that_two_elements_share_names_neither() -> None:
    twins = (element("ne1"), element("ne2", sys_name="router"), element("ne3", sys_name="router"))
    heard = lldp("ne1", "1/1/1", "router", "2/1/1", remote_id="02:00:5e:00:53:02")
    assert link(drawn(elements=twins, adjacencies=(heard,)), "LLDP").target.startswith("neighbour:")
    by_mac = drawn(elements=twins, adjacencies=(heard,), known_as={"02:00:5e:00:53:02": "ne3"})
    assert link(by_mac, "LLDP").target == "element:ne3"


def test_sessions_between_two_elements_are_one_link() -> None:
    rows = (peer("ne1", "192.0.2.2"), peer("ne2", "192.0.2.1"), peer("ne1", "198.51.100.2", "ACTIVE"))
    graph = drawn(peers=rows, known_as={"198.51.100.2": "ne2"})
    found = link(graph, "BGP")
    assert (found.standing.state, found.one_sided, found.detail) == ("DEGRADED", False, "2 sessions")
    shut = link(drawn(peers=(peer("ne1", "192.0.2.2", "IDLE", enabled=False),)), "BGP")
    assert (shut.standing.state, shut.one_sided) == ("DOWN", True)


def test_peers_that_are_no_element_of_ours_are_not_drawn() -> None:
    assert drawn(peers=(peer("ne1", "203.0.113.9"),)).links == ()


@pytest.mark.parametrize(
    ("state", "shown"),
    [("FULL", "UP"), ("TWO_WAY", "UP"), ("LOADING", "CHANGING"), ("LOST", "DOWN"), ("UNKNOWN", "UNKNOWN")],
)
def test_ospf(state: str, shown: str) -> None:
    rows = (ospf("ne1", "192.0.2.2", state), ospf("ne2", "192.0.2.1", state))
    found = link(drawn(adjacencies=rows), "OSPF")
    assert (found.standing.state, found.one_sided) == (shown, False)


def test_an_element_that_hears_itself_is_no_link() -> None:
    assert drawn(adjacencies=(lldp("ne1", "1/1/1", "ne1", "1/1/2"),)).links == ()
