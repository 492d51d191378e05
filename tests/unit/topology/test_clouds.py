"""Clouds, hosts, instances, VMs and networks as nodes and links."""

from datetime import timedelta
from typing import Any

import pytest

from tests.unit.topology.worlds import EARLIER, LONG_AGO, NOW, cloud, instance, link, network, node, port, vm
from vnfm.topology.domain.build import whole
from vnfm.topology.domain.graph import Graph
from vnfm.topology.domain.world import AlarmRow, HostRow, World


def drawn(scope: Any = "all", **rows: Any) -> Graph:
    given = {"clouds": (cloud(),), "instances": (instance(),), "vms": (vm("a"),), "ports": (port("a"),)}
    return whole(World(**{**given, "networks": (network(),), **rows}), scope, NOW)


def test_who_stands_in_whom() -> None:
    graph = drawn()
    parents = {key: each.parent for key, each in graph.nodes.items()}
    assert parents == {
        "cloud:c1": "",
        "host:c1:h1": "cloud:c1",
        "instance:v1": "cloud:c1",
        "vm:a": "instance:v1",
        "network:c1:n1": "cloud:c1",
    }
    assert {(each.kind, each.source, each.target) for each in graph.links} == {
        ("ATTACHMENT", "vm:a", "network:c1:n1"),
        ("PLACEMENT", "vm:a", "host:c1:h1"),
    }


def test_a_network_that_a_stack_made_stands_in_its_instance() -> None:
    assert node(drawn(networks=(network(own=True),)), "network:c1:n1").parent == "instance:v1"


def test_by_host_vms_stand_in_their_hosts() -> None:
    graph = drawn("hosts")
    assert node(graph, "vm:a").parent == "host:c1:h1"
    assert (link(graph, "MEMBERSHIP").source, link(graph, "MEMBERSHIP").target) == ("vm:a", "instance:v1")
    hidden = drawn("hosts", vms=(vm("a", host=""),))
    assert node(hidden, "vm:a").parent == "instance:v1"


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("ACTIVE", "UP"),
        ("REBOOT", "CHANGING"),
        ("SHUTOFF", "DOWN"),
        ("ERROR", "DOWN"),
        ("MISSING", "DOWN"),
        ("UNKNOWN", "UNKNOWN"),
    ],
)
def test_state_of_a_vm_is_nova_s(status: str, state: str) -> None:
    assert node(drawn(vms=(vm("a", status),)), "vm:a").standing.state == state


@pytest.mark.parametrize(
    ("states", "together"),
    [
        (["ACTIVE", "ACTIVE"], "UP"),
        (["ACTIVE", "SHUTOFF"], "DEGRADED"),
        (["SHUTOFF", "ERROR"], "DOWN"),
        (["ACTIVE", "REBOOT"], "CHANGING"),
        ([], "UNKNOWN"),
    ],
)
def test_an_instance_is_what_its_vms_are(states: list[str], together: str) -> None:
    graph = drawn(vms=tuple(vm(f"vm{number}", status) for number, status in enumerate(states)), ports=())
    assert node(graph, "instance:v1").standing.state == together


def test_what_cannot_be_seen_is_unknown_since_when() -> None:
    away = drawn(clouds=(cloud(reachable="False", looked_at=LONG_AGO),))
    assert (node(away, "cloud:c1").standing.state, node(away, "cloud:c1").standing.since) == ("DOWN", EARLIER)
    for standing in (node(away, "vm:a").standing, link(away, "ATTACHMENT").standing):
        assert (standing.state, standing.since) == ("UNKNOWN", EARLIER)
    assert link(away, "PLACEMENT").standing.state == "UNKNOWN"
    assert "c1" in away.notes[0]
    stale_at = NOW - timedelta(minutes=2)
    stale = drawn(clouds=(cloud(looked_at=stale_at),))
    assert (node(stale, "vm:a").standing.state, node(stale, "vm:a").standing.since) == ("UNKNOWN", stale_at)
    assert drawn().notes == ()


@pytest.mark.parametrize(
    ("status", "state"),
    [("ACTIVE", "UP"), ("DOWN", "DOWN"), ("MISSING", "DOWN"), ("BUILD", "CHANGING"), ("N/A", "UNKNOWN")],
)
def test_state_of_a_link_is_its_port_s(status: str, state: str) -> None:
    graph = drawn(ports=(port("a", status),))
    assert link(graph, "ATTACHMENT").standing.state == state
    assert node(graph, "network:c1:n1").standing.state == state


def test_hosts_are_alive_dead_or_not_shown() -> None:
    def host(dead: bool, **fields: Any) -> str:
        row = HostRow("c1", "h1", dead, "hypervisor down", LONG_AGO)
        return node(drawn(hosts=(row,), clouds=(cloud(**fields),)), "host:c1:h1").standing.state

    assert (host(dead=False), host(dead=True), host(dead=True, hosts_known=False)) == ("UP", "DOWN", "UNKNOWN")
    unseen = drawn(clouds=(cloud(shows_hosts=False),))
    assert node(unseen, "host:c1:h1").standing.reason == "NotShown"
    assert "does not show its hosts" in unseen.notes[0]


def test_an_alarm_is_at_the_one_node_that_it_says_most_of() -> None:
    def alarm(**fields: Any) -> AlarmRow:
        return AlarmRow(**{"object_type": "VNF_INSTANCE", "object_id": "v1", "severity": "MAJOR", "count": 1, **fields})

    rows = (
        alarm(vm_ids=("a",), severity="CRITICAL"),
        alarm(vm_ids=("a", "b")),
        alarm(vm_ids=("gone",)),
        alarm(object_type="VIM", object_id="c1", resource="h1", count=2),
        alarm(object_type="VIM", object_id="c1", resource="c1"),
        alarm(object_type="VIM", object_id="elsewhere"),
    )
    assert {key: dict(counts) for key, counts in drawn(alarms=rows).alarms.items()} == {
        "vm:a": {"CRITICAL": 1},
        "instance:v1": {"MAJOR": 2},
        "host:c1:h1": {"MAJOR": 2},
        "cloud:c1": {"MAJOR": 1},
    }


def test_rows_of_what_is_not_on_the_map_draw_nothing() -> None:
    graph = drawn(instances=(), networks=(network(),))
    assert set(graph.nodes) == {"cloud:c1"}
    assert graph.links == ()
