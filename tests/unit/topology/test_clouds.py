"""Clouds, hosts, instances, VMs and networks as nodes and links."""

from datetime import timedelta
from typing import Any

import pytest

from tests.unit.topology.snapshots import EARLIER, LONG_AGO, NOW, cloud, instance, link, network, node, port, vm
from vnfm.topology.domain.build import build_graph
from vnfm.topology.domain.graph import Graph
from vnfm.topology.domain.snapshot import AlarmRow, HostRow, TopologySnapshot


def graph_of(scope: Any = "all", **rows: Any) -> Graph:
    defaults = {"clouds": (cloud(),), "instances": (instance(),), "vms": (vm("a"),), "ports": (port("a"),)}
    return build_graph(TopologySnapshot(**{**defaults, "networks": (network(),), **rows}), scope, NOW)


def test_parents_and_links() -> None:
    graph = graph_of()
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


def test_a_network_of_a_stack_is_in_its_instance() -> None:
    assert node(graph_of(networks=(network(own=True),)), "network:c1:n1").parent == "instance:v1"


def test_in_the_scope_hosts_vms_are_in_their_hosts() -> None:
    graph = graph_of("hosts")
    assert node(graph, "vm:a").parent == "host:c1:h1"
    assert (link(graph, "MEMBERSHIP").source, link(graph, "MEMBERSHIP").target) == ("vm:a", "instance:v1")
    hidden = graph_of("hosts", vms=(vm("a", host=""),))
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
def test_the_state_of_a_vm_is_that_of_nova(status: str, state: str) -> None:
    assert node(graph_of(vms=(vm("a", status),)), "vm:a").status.state == state


@pytest.mark.parametrize(
    ("states", "aggregated"),
    [
        (["ACTIVE", "ACTIVE"], "UP"),
        (["ACTIVE", "SHUTOFF"], "DEGRADED"),
        (["SHUTOFF", "ERROR"], "DOWN"),
        (["ACTIVE", "REBOOT"], "CHANGING"),
        ([], "UNKNOWN"),
    ],
)
def test_the_state_of_an_instance_is_aggregated_from_its_vms(states: list[str], aggregated: str) -> None:
    graph = graph_of(vms=tuple(vm(f"vm{number}", status) for number, status in enumerate(states)), ports=())
    assert node(graph, "instance:v1").status.state == aggregated


def test_objects_of_an_unreachable_cloud_are_unknown() -> None:
    away = graph_of(clouds=(cloud(reachable="False", polled_at=LONG_AGO),))
    assert (node(away, "cloud:c1").status.state, node(away, "cloud:c1").status.since) == ("DOWN", EARLIER)
    for status in (node(away, "vm:a").status, link(away, "ATTACHMENT").status):
        assert (status.state, status.since) == ("UNKNOWN", EARLIER)
    assert link(away, "PLACEMENT").status.state == "UNKNOWN"
    assert "c1" in away.notes[0]
    stale_at = NOW - timedelta(minutes=2)
    stale = graph_of(clouds=(cloud(polled_at=stale_at),))
    assert (node(stale, "vm:a").status.state, node(stale, "vm:a").status.since) == ("UNKNOWN", stale_at)
    assert graph_of().notes == ()


@pytest.mark.parametrize(
    ("status", "state"),
    [("ACTIVE", "UP"), ("DOWN", "DOWN"), ("MISSING", "DOWN"), ("BUILD", "CHANGING"), ("N/A", "UNKNOWN")],
)
def test_the_state_of_a_link_is_that_of_its_port(status: str, state: str) -> None:
    graph = graph_of(ports=(port("a", status),))
    assert link(graph, "ATTACHMENT").status.state == state
    assert node(graph, "network:c1:n1").status.state == state


def test_hosts_are_alive_dead_or_hidden() -> None:
    def host(dead: bool, **fields: Any) -> str:
        row = HostRow("c1", "h1", dead, "hypervisor down", LONG_AGO)
        return node(graph_of(hosts=(row,), clouds=(cloud(**fields),)), "host:c1:h1").status.state

    assert (host(dead=False), host(dead=True), host(dead=True, hosts_known=False)) == ("UP", "DOWN", "UNKNOWN")
    hidden = graph_of(clouds=(cloud(shows_hosts=False),))
    assert node(hidden, "host:c1:h1").status.reason == "NotShown"
    assert "does not show its hosts" in hidden.notes[0]


def test_an_alarm_is_at_its_most_specific_node() -> None:
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
    assert {key: dict(counts) for key, counts in graph_of(alarms=rows).alarms.items()} == {
        "vm:a": {"CRITICAL": 1},
        "instance:v1": {"MAJOR": 2},
        "host:c1:h1": {"MAJOR": 2},
        "cloud:c1": {"MAJOR": 1},
    }


def test_rows_of_instances_that_are_not_on_the_map_are_ignored() -> None:
    graph = graph_of(instances=(), networks=(network(),))
    assert set(graph.nodes) == {"cloud:c1"}
    assert graph.links == ()
