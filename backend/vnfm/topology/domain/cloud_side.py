"""Clouds, their hosts, VNF instances, VMs and networks as nodes and links."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from vnfm.inventory.domain.observation import ACTIVE, MISSING, TRANSITIONAL, UNKNOWN
from vnfm.topology.domain.graph import Kind, Link, LinkKind, Node, Standing, State, together
from vnfm.topology.domain.world import CloudRow, HostRow, InstanceRow, NetworkRow, PortRow, VmRow, World

REACHABLE = {"True": State.UP, "False": State.DOWN, "Unknown": State.UNKNOWN}
_PORTS = {ACTIVE: State.UP, "BUILD": State.CHANGING, "DOWN": State.DOWN, "ERROR": State.DOWN, MISSING: State.DOWN}
"""Neutron's statuses of a port; others, such as N/A, say nothing."""


def cloud_id(cloud: str) -> str:
    return f"cloud:{cloud}"


def instance_id(instance: str) -> str:
    return f"instance:{instance}"


def vm_id(vm: str) -> str:
    return f"vm:{vm}"


def host_id(cloud: str, host: str) -> str:
    return f"host:{cloud}:{host}"


def network_id(cloud: str, network: str) -> str:
    return f"network:{cloud}:{network}"


class CloudSide:
    """Everything that is of clouds. `by_host`: VMs stand in their hosts, and not in their VNF instances."""

    def __init__(self, world: World, now: datetime, *, by_host: bool) -> None:
        self._now, self._by_host = now, by_host
        self._clouds = {row.id: row for row in world.clouds}
        self._instances = {row.id: row for row in world.instances if row.cloud_id in self._clouds}
        self._vms = {row.id: row for row in world.vms if row.instance_id in self._instances}
        self._hosts = {(row.cloud_id, row.name): row for row in world.hosts}
        self._world = world
        self.nodes: dict[str, Node] = {}
        self.links: list[Link] = []
        self._draw()

    def _draw(self) -> None:
        placed = {(self._cloud_of(vm).id, vm.host) for vm in self._vms.values() if vm.host}
        hosts = (
            self._host(cloud, name) for cloud, name in sorted(placed | self._hosts.keys()) if cloud in self._clouds
        )
        self._add(*(self._cloud(row) for row in self._clouds.values()), *hosts)
        self._add(*(self._vm(row) for row in self._vms.values()))
        self._add(*self._instance_nodes())
        self.links += [link for row in self._world.ports if row.vm_id in self._vms for link in self._attachment(row)]
        self._add(*self._network_nodes())
        self.links += [link for row in self._vms.values() for link in self._relations(row)]

    def _add(self, *nodes: Node) -> None:
        self.nodes.update((node.id, node) for node in nodes)

    def _cloud_of(self, vm: VmRow) -> CloudRow:
        return self._clouds[self._instances[vm.instance_id].cloud_id]

    def notes(self) -> Iterator[str]:
        """What of the clouds cannot be seen, and why."""
        for cloud in self._clouds.values():
            if cloud.view.lost_since(None, self._now) is not None:
                yield f"What {cloud.name} runs cannot be seen now. {cloud.reachable.message}"
            if cloud.shows_hosts is False:
                yield f"{cloud.name} does not show its hosts to the user that it is registered with."

    def _cloud(self, row: CloudRow) -> Node:
        seen = row.reachable
        standing = Standing(REACHABLE[seen.status], seen.last_transition_time, seen.reason, seen.message)
        return Node(cloud_id(row.id), Kind.CLOUD, row.name, "", standing, "OpenStack", row.id)

    def _host(self, cloud: str, name: str) -> Node:
        above, row = self._clouds[cloud], self._hosts.get((cloud, name))
        standing = _host_standing(above, row)
        return Node(host_id(cloud, name), Kind.HOST, name, cloud_id(cloud), standing, f"Host of {above.name}")

    def _vm(self, row: VmRow) -> Node:
        cloud = self._cloud_of(row)
        lost = cloud.view.lost_since(row.observed_at, self._now)
        on_host = self._by_host and row.host
        return Node(
            id=vm_id(row.id),
            kind=Kind.VM,
            name=row.name,
            parent=host_id(cloud.id, row.host) if on_host else instance_id(row.instance_id),
            standing=_vm_standing(row, lost),
            detail=" · ".join(filter(None, (f"slot {row.slot}" if row.slot else "", row.host))),
            object_id=row.id,
        )

    def _instance_nodes(self) -> Iterator[Node]:
        members: dict[str, list[Standing]] = defaultdict(list)
        for vm in self._vms.values():
            members[vm.instance_id].append(self.nodes[vm_id(vm.id)].standing)
        for row in self._instances.values():
            standing = together(members[row.id], "VMs")
            yield Node(
                instance_id(row.id), Kind.INSTANCE, row.name, cloud_id(row.cloud_id), standing, row.product, row.id
            )

    def _network_nodes(self) -> Iterator[Node]:
        at: dict[str, list[Standing]] = defaultdict(list)
        for link in self.links:
            at[link.target].append(link.standing)
        named = self._named_networks()
        for each in [*named, *(each for each in at if each not in named)]:
            name, parent, detail = named.get(each, (each.rpartition(":")[2], cloud_id(each.split(":")[1]), "Network"))
            standing = together(at[each], "ports")
            yield Node(each, Kind.NETWORK, name, parent, standing, detail)

    def _named_networks(self) -> dict[str, tuple[str, str, str]]:
        """Name, parent and detail: one that a stack made stands in its instance, another in the cloud."""
        found: dict[str, tuple[str, str, str]] = {}
        for row in sorted(self._world.networks, key=lambda row: (not row.own, row.instance_id)):
            instance = self._instances.get(row.instance_id)
            if instance is not None:
                found.setdefault(network_id(instance.cloud_id, row.network_id), _network(row, instance))
        return found

    def _attachment(self, row: PortRow) -> Iterator[Link]:
        vm = self._vms[row.vm_id]
        cloud = self._cloud_of(vm)
        lost = cloud.view.lost_since(vm.observed_at, self._now)
        state = _PORTS.get(row.status, State.UNKNOWN) if lost is None else State.UNKNOWN
        words = f"Neutron says {row.status or 'nothing'}."
        standing = Standing(state, lost or row.since, row.status or UNKNOWN, words)
        yield Link(
            id=f"port:{row.id}:{row.vm_id}",
            kind=LinkKind.ATTACHMENT,
            source=vm_id(row.vm_id),
            target=network_id(cloud.id, row.network_id),
            standing=standing,
            source_port=row.cp_id,
        )

    def _relations(self, row: VmRow) -> Iterator[Link]:
        vm, cloud = vm_id(row.id), self._cloud_of(row)
        lost = self.nodes[vm].standing.state is State.UNKNOWN
        standing = Standing(State.UNKNOWN if lost else State.UP, None, "LastSeen" if lost else "Seen")
        if self._by_host and row.host:
            yield Link(f"member:{row.id}", LinkKind.MEMBERSHIP, vm, instance_id(row.instance_id), standing)
        elif row.host:
            yield Link(f"placed:{row.id}", LinkKind.PLACEMENT, vm, host_id(cloud.id, row.host), standing)


def _network(row: NetworkRow, instance: InstanceRow) -> tuple[str, str, str]:
    name = row.name or row.network_id
    if row.own:
        return name, instance_id(instance.id), f"Network of {instance.name}"
    return name, cloud_id(instance.cloud_id), "Network"


def _vm_standing(row: VmRow, lost: datetime | None) -> Standing:
    if lost is not None or row.status == UNKNOWN:
        return Standing(State.UNKNOWN, lost or row.since, UNKNOWN, f"When last seen it was {row.status}.")
    if row.status == ACTIVE:
        return Standing(State.UP, row.since, ACTIVE, "It runs.")
    if row.status in TRANSITIONAL:
        return Standing(State.CHANGING, row.since, row.status, f"Nova says {row.status}.")
    gone = "Nova does not have it any more." if row.status == MISSING else f"Nova says {row.status}."
    return Standing(
        State.DOWN, row.since, row.status, f"{gone} It is stopped on purpose." if row.stopped_on_purpose else gone
    )


def _host_standing(cloud: CloudRow, row: HostRow | None) -> Standing:
    if row is None:
        return Standing(State.UNKNOWN, None, "NotShown", "The cloud does not show the state of this host to us.")
    if not cloud.hosts_known:
        return Standing(State.UNKNOWN, cloud.hosts_at or row.since, UNKNOWN, "Nobody has looked at it lately.")
    return Standing(State.DOWN if row.dead else State.UP, row.since, "Dead" if row.dead else "Alive", row.reason)
