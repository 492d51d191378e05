"""Builds the whole map of a scope from a snapshot."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, get_args

from vnfm.topology.domain.cloud_side import CloudSide, cloud_id, host_id, instance_id, vm_id
from vnfm.topology.domain.element_side import ElementSide, element_id
from vnfm.topology.domain.graph import Graph, Node
from vnfm.topology.domain.snapshot import AlarmRow, TopologySnapshot

Scope = Literal["all", "elements", "clouds", "hosts"]
"""Everything; sites and network elements; clouds with VNF instances; clouds with hosts, which contain the VMs."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


def build_graph(source: TopologySnapshot, scope: Scope, now: datetime) -> Graph:
    """All nodes and links of a scope. `now` decides which observations are too old."""
    cloud_source = TopologySnapshot() if scope == "elements" else source
    clouds = CloudSide(cloud_source, now, by_host=scope == "hosts")
    instances = frozenset(row.id for row in cloud_source.instances if instance_id(row.id) in clouds.nodes)
    elements = ElementSide(
        TopologySnapshot() if scope == "hosts" else source, instances=instances, in_instances=scope == "clouds"
    )
    nodes = {**clouds.nodes, **elements.nodes}
    links = (*clouds.links, *elements.links)
    drawable = tuple(link for link in links if link.source in nodes and link.target in nodes)
    return Graph(nodes, drawable, _alarms(source.alarms, nodes), tuple(clouds.notes()))


def _alarms(rows: Iterable[AlarmRow], nodes: Mapping[str, Node]) -> Mapping[str, Mapping[str, int]]:
    """Each alarm at one node, the most specific one, so that the numbers of a group add up."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        node = next((node for node in _candidates(row) if node in nodes), None)
        if node is not None:
            found[node][row.severity] += row.count
    return found


def _candidates(row: AlarmRow) -> Iterable[str]:
    if row.object_type == "NETWORK_ELEMENT":
        return (element_id(row.object_id),)
    if row.object_type == "VIM":
        return host_id(row.object_id, row.resource), cloud_id(row.object_id)
    of_one = (vm_id(row.vm_ids[0]),) if len(row.vm_ids) == 1 else ()
    return *of_one, instance_id(row.object_id)
