"""The whole map of the world as it is now."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, get_args

from vnfm.topology.domain.cloud_side import CloudSide, cloud_id, host_id, instance_id, vm_id
from vnfm.topology.domain.element_side import ElementSide, element_id
from vnfm.topology.domain.graph import Graph, Node
from vnfm.topology.domain.world import AlarmRow, World

Scope = Literal["all", "elements", "clouds", "hosts"]
"""Everything; sites and network elements; clouds with VNF instances; clouds with hosts, in which the VMs stand."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


def whole(world: World, scope: Scope, now: datetime) -> Graph:
    """Every node and link of a scope. `now` decides what is too old to be believed."""
    shown = World() if scope == "elements" else world
    clouds = CloudSide(shown, now, by_host=scope == "hosts")
    instances = frozenset(row.id for row in shown.instances if instance_id(row.id) in clouds.nodes)
    elements = ElementSide(World() if scope == "hosts" else world, instances=instances, in_instances=scope == "clouds")
    nodes = {**clouds.nodes, **elements.nodes}
    links = (*clouds.links, *elements.links)
    kept = tuple(link for link in links if link.source in nodes and link.target in nodes)
    return Graph(nodes, kept, _alarms(world.alarms, nodes), tuple(clouds.notes()))


def _alarms(rows: Iterable[AlarmRow], nodes: Mapping[str, Node]) -> Mapping[str, Mapping[str, int]]:
    """Each alarm at one node, the one that it says most of: so that those of a group add up."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        place = next((place for place in _places(row) if place in nodes), None)
        if place is not None:
            found[place][row.severity] += row.count
    return found


def _places(row: AlarmRow) -> Iterable[str]:
    if row.object_type == "NETWORK_ELEMENT":
        return (element_id(row.object_id),)
    if row.object_type == "VIM":
        return host_id(row.object_id, row.resource), cloud_id(row.object_id)
    of_one = (vm_id(row.vm_ids[0]),) if len(row.vm_ids) == 1 else ()
    return *of_one, instance_id(row.object_id)
