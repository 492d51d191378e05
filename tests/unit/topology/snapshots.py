"""Rows of a snapshot, with defaults."""

from datetime import UTC, datetime, timedelta
from typing import Any

from vnfm.inventory.domain.views import VimView
from vnfm.topology.domain.graph import Graph, Link, Node
from vnfm.topology.domain.snapshot import (
    AdjacencyRow,
    CloudRow,
    ElementRow,
    InstanceRow,
    NetworkRow,
    PeerRow,
    PortRow,
    SiteRow,
    VmRow,
)
from vnfm.vims.domain.reachability import Reachability

NOW = datetime(2016, 2, 9, 14, 2, tzinfo=UTC)
EARLIER, LONG_AGO = NOW - timedelta(minutes=5), NOW - timedelta(hours=3)


def condition(status: str = "True", since: datetime = LONG_AGO) -> Reachability:
    return Reachability(status, "Answers", "It answers.", since, NOW)  # type: ignore[arg-type]  # a word of Truth


def cloud(key: str = "c1", *, reachable: str = "True", polled_at: datetime = NOW, **fields: Any) -> CloudRow:
    state = condition(reachable, EARLIER)
    view = VimView(key, state, servers_at=polled_at, stale_after=timedelta(minutes=1))
    return CloudRow(**{"id": key, "name": key, "view": view, "reachable": state, "hosts_known": True, **fields})


def instance(key: str = "v1", cloud_id: str = "c1") -> InstanceRow:
    return InstanceRow(key, key, cloud_id, "VSR-PE")


def vm(key: str, status: str = "ACTIVE", **fields: Any) -> VmRow:
    defaults = {"instance_id": "v1", "slot": "1", "host": "h1", "observed_at": LONG_AGO}
    return VmRow(**{"id": key, "name": key, "status": status, "since": LONG_AGO, **defaults, **fields})


def port(vm_id: str, status: str = "ACTIVE", network_id: str = "n1") -> PortRow:
    return PortRow(f"{vm_id}-{network_id}", vm_id, network_id, status, LONG_AGO, "mgmt")


def network(*, own: bool = False, instance_id: str = "v1") -> NetworkRow:
    return NetworkRow(instance_id, "n1", "management", own)


def site(key: str = "s1") -> SiteRow:
    return SiteRow(key, key)


def element(key: str, reachable: str = "True", **fields: Any) -> ElementRow:
    defaults = {
        "kind": "PHYSICAL",
        "address": f"192.0.2.{key[-1]}",
        "sys_name": key,
        "product": "7750 SR",
        "site_id": "s1",
    }
    more = {"state": "MANAGED", "reachable": condition(reachable, EARLIER), "synchronising": False}
    return ElementRow(**{"id": key, "name": key, **defaults, **more, **fields})


def lldp(here: str, port_: str, there: str, far_port: str, **fields: Any) -> AdjacencyRow:
    defaults = {"protocol": "LLDP", "remote_id": "", "remote_name": there, "remote_address": "", "state": "FULL"}
    row = {"element_id": here, "local_port": port_, "remote_port": far_port, "since": LONG_AGO, "port_state": "UP"}
    return AdjacencyRow(**{**defaults, **row, **fields})


def ospf(here: str, address: str, state: str = "FULL", since: datetime = LONG_AGO) -> AdjacencyRow:
    return AdjacencyRow("OSPF", "1/1/1", address, remote_address=address, state=state, since=since, element_id=here)


def peer(here: str, address: str, state: str = "ESTABLISHED", *, enabled: bool = True) -> PeerRow:
    return PeerRow("", address, None, "UP" if enabled else "DOWN", state, since=LONG_AGO, element_id=here)


def link(graph: Graph, kind: str) -> Link:
    """The only link of that kind."""
    (found,) = [each for each in graph.links if each.kind == kind]
    return found


def node(graph: Graph, key: str) -> Node:
    return graph.nodes[key]
