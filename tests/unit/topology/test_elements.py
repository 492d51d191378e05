"""Sites, network elements and the links between them, as their ends report them."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.topology.snapshots import (
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
from vnfm.topology.domain.build import build_graph
from vnfm.topology.domain.graph import Graph
from vnfm.topology.domain.snapshot import TopologySnapshot

PAIR = (element("ne1"), element("ne2"))
THERE, BACK = lldp("ne1", "1/1/1", "ne2", "2/1/1"), lldp("ne2", "2/1/1", "ne1", "1/1/1")


def graph_of(scope: Any = "all", **rows: Any) -> Graph:
    return build_graph(TopologySnapshot(**{"sites": (site(),), "elements": PAIR, **rows}), scope, NOW)


def test_elements_are_in_their_site_or_their_instance() -> None:
    rows = (element("ne1"), element("ne2", site_id=""), element("ne3", site_id="", instance_id="v1"))
    graph = graph_of(elements=rows, clouds=(cloud(),), instances=(instance(),))
    assert [node(graph, f"element:ne{n}").parent for n in (1, 2, 3)] == ["site:s1", "site:none", "instance:v1"]
    assert link(graph, "MANAGEMENT").target == "instance:v1"
    assert "instance:v1" not in graph_of("elements", elements=rows, clouds=(cloud(),), instances=(instance(),)).nodes
    only = graph_of("clouds", elements=rows, clouds=(cloud(),), instances=(instance(),))
    assert {key for key in only.nodes if key.startswith(("element", "site"))} == {"element:ne3"}


def test_a_virtual_system_is_linked_with_its_chassis() -> None:
    graph = graph_of(elements=(element("ne1"), element("ne2", chassis_id="ne1")))
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
def test_the_state_of_an_element(fields: dict[str, Any], state: str) -> None:
    assert node(graph_of(elements=(element("ne1", **fields),)), "element:ne1").status.state == state


def test_two_ends_that_name_each_other_are_one_link() -> None:
    found = link(graph_of(adjacencies=(THERE, BACK)), "LLDP")
    assert {found.source: found.source_port, found.target: found.target_port} == {
        "element:ne1": "1/1/1",
        "element:ne2": "2/1/1",
    }
    assert (found.status.state, found.one_sided) == ("UP", False)


@pytest.mark.parametrize(("ends", "expected"), [((40, 7), 40), ((None, 7), 7), ((None, None), None)])
def test_a_link_is_as_busy_as_its_busier_end(ends: tuple[int | None, int | None], expected: int | None) -> None:
    rows = tuple(replace(row, utilisation=share) for row, share in zip((THERE, BACK), ends, strict=True))
    assert link(graph_of(adjacencies=rows), "LLDP").utilisation == expected


def test_parallel_links_are_two() -> None:
    more = lldp("ne1", "1/1/2", "ne2", "2/1/2")
    graph = graph_of(adjacencies=(THERE, BACK, more))
    assert [each.one_sided for each in graph.links] == [False, True]
    assert len({each.id for each in graph.links}) == 2


def test_a_link_that_only_one_end_reports_is_marked() -> None:
    for row, source in ((THERE, "element:ne1"), (BACK, "element:ne2")):
        found = link(graph_of(adjacencies=(row,)), "LLDP")
        assert (found.source, found.one_sided, found.status.state) == (source, True, "UP")


@pytest.mark.parametrize(
    ("change", "state", "since"),
    [
        ({"port_state": "DOWN", "port_since": EARLIER}, "DOWN", EARLIER),
        ({"state": "LOST", "since": EARLIER}, "DOWN", EARLIER),
        ({"port_state": "LOWER_LAYER_DOWN"}, "DOWN", LONG_AGO),
        ({"port_state": ""}, "UP", LONG_AGO),
    ],
)
def test_a_link_is_down_when_one_end_reports_it(change: dict[str, Any], state: str, since: object) -> None:
    rows = (lldp("ne1", "1/1/1", "ne2", "2/1/1", **change), BACK)
    status = link(graph_of(adjacencies=rows), "LLDP").status
    assert (status.state, status.since) == (state, since)


def test_an_end_that_does_not_answer_is_ignored() -> None:
    one = graph_of(elements=(element("ne1", "False"), element("ne2")), adjacencies=(THERE, BACK))
    assert link(one, "LLDP").status.state == "UP"
    both = graph_of(elements=(element("ne1", "False"), element("ne2", "Unknown")), adjacencies=(THERE, BACK))
    status = link(both, "LLDP").status
    assert (status.state, status.since) == ("UNKNOWN", EARLIER)


def test_an_unmanaged_neighbour_is_a_node() -> None:
    graph = graph_of(adjacencies=(lldp("ne1", "1/1/1", "switch", "Gi0/1", remote_id="02:00:5e:00:53:01"),))
    found = node(graph, "neighbour:02:00:5e:00:53:01")
    assert (found.kind, found.name, found.parent, found.status.state) == ("NEIGHBOUR", "switch", "site:s1", "UNKNOWN")
    assert link(graph, "LLDP").one_sided


def test_a_name_that_two_elements_share_identifies_neither() -> None:
    twins = (element("ne1"), element("ne2", sys_name="router"), element("ne3", sys_name="router"))
    adjacency = lldp("ne1", "1/1/1", "router", "2/1/1", remote_id="02:00:5e:00:53:02")
    assert link(graph_of(elements=twins, adjacencies=(adjacency,)), "LLDP").target.startswith("neighbour:")
    by_mac = graph_of(elements=twins, adjacencies=(adjacency,), known_as={"02:00:5e:00:53:02": "ne3"})
    assert link(by_mac, "LLDP").target == "element:ne3"


def test_sessions_between_two_elements_are_one_link() -> None:
    rows = (peer("ne1", "192.0.2.2"), peer("ne2", "192.0.2.1"), peer("ne1", "198.51.100.2", "ACTIVE"))
    graph = graph_of(peers=rows, known_as={"198.51.100.2": "ne2"})
    found = link(graph, "BGP")
    assert (found.status.state, found.one_sided, found.detail) == ("DEGRADED", False, "2 sessions")
    shut = link(graph_of(peers=(peer("ne1", "192.0.2.2", "IDLE", enabled=False),)), "BGP")
    assert (shut.status.state, shut.one_sided) == ("DOWN", True)


def test_unmanaged_peers_are_not_drawn() -> None:
    assert graph_of(peers=(peer("ne1", "203.0.113.9"),)).links == ()


@pytest.mark.parametrize(
    ("state", "expected"),
    [("FULL", "UP"), ("TWO_WAY", "UP"), ("LOADING", "CHANGING"), ("LOST", "DOWN"), ("UNKNOWN", "UNKNOWN")],
)
def test_ospf(state: str, expected: str) -> None:
    rows = (ospf("ne1", "192.0.2.2", state), ospf("ne2", "192.0.2.1", state))
    found = link(graph_of(adjacencies=rows), "OSPF")
    assert (found.status.state, found.one_sided) == (expected, False)


def test_a_link_of_an_element_to_itself_is_not_drawn() -> None:
    assert graph_of(adjacencies=(lldp("ne1", "1/1/1", "ne1", "1/1/2"),)).links == ()
