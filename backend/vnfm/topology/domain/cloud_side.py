"""Clouds, their hosts, VNF instances, VMs and networks as nodes and links."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from vnfm.inventory.domain.observation import ACTIVE, MISSING, TRANSITIONAL, UNKNOWN
from vnfm.topology.domain.graph import Link, LinkKind, Node, NodeKind, State, Status, aggregate
from vnfm.topology.domain.snapshot import CloudRow, HostRow, InstanceRow, NetworkRow, PortRow, TopologySnapshot, VmRow

REACHABLE = {"True": State.UP, "False": State.DOWN, "Unknown": State.UNKNOWN}
_PORTS = {ACTIVE: State.UP, "BUILD": State.CHANGING, "DOWN": State.DOWN, "ERROR": State.DOWN, MISSING: State.DOWN}
"""Neutron's port statuses; others, such as N/A, are unknown."""


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
    """The nodes and links of clouds. `by_host`: VMs are in their hosts, not in their VNF instances."""

    def __init__(self, source: TopologySnapshot, now: datetime, *, by_host: bool) -> None:
        self._now, self._by_host = now, by_host
        self._clouds = {row.id: row for row in source.clouds}
        self._instances = {row.id: row for row in source.instances if row.cloud_id in self._clouds}
        self._vms = {row.id: row for row in source.vms if row.instance_id in self._instances}
        self._hosts = {(row.cloud_id, row.name): row for row in source.hosts}
        self._source = source
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
        self.links += [link for row in self._source.ports if row.vm_id in self._vms for link in self._attachment(row)]
        self._add(*self._network_nodes())
        self.links += [link for row in self._vms.values() for link in self._relations(row)]

    def _add(self, *nodes: Node) -> None:
        self.nodes.update((node.id, node) for node in nodes)

    def _cloud_of(self, vm: VmRow) -> CloudRow:
        return self._clouds[self._instances[vm.instance_id].cloud_id]

    def notes(self) -> Iterator[str]:
        """The notes on what cannot be observed of the clouds, and why."""
        for cloud in self._clouds.values():
            if cloud.view.lost_since(None, self._now) is not None:
                yield f"What {cloud.name} runs cannot be observed now. {cloud.reachable.message}"
            if cloud.shows_hosts is False:
                yield f"{cloud.name} does not show its hosts to the user that it is registered with."

    def _cloud(self, row: CloudRow) -> Node:
        reachable = row.reachable
        status = Status(
            REACHABLE[reachable.status], reachable.last_transition_time, reachable.reason, reachable.message
        )
        return Node(cloud_id(row.id), NodeKind.CLOUD, row.name, "", status, "OpenStack", row.id)

    def _host(self, cloud: str, name: str) -> Node:
        above, row = self._clouds[cloud], self._hosts.get((cloud, name))
        status = _host_status(above, row)
        return Node(host_id(cloud, name), NodeKind.HOST, name, cloud_id(cloud), status, f"Host of {above.name}")

    def _vm(self, row: VmRow) -> Node:
        cloud = self._cloud_of(row)
        lost = cloud.view.lost_since(row.observed_at, self._now)
        on_host = self._by_host and row.host
        return Node(
            id=vm_id(row.id),
            kind=NodeKind.VM,
            name=row.name,
            parent=host_id(cloud.id, row.host) if on_host else instance_id(row.instance_id),
            status=_vm_status(row, lost),
            detail=" · ".join(filter(None, (f"slot {row.slot}" if row.slot else "", row.host))),
            object_id=row.id,
        )

    def _instance_nodes(self) -> Iterator[Node]:
        members: dict[str, list[Status]] = defaultdict(list)
        for vm in self._vms.values():
            members[vm.instance_id].append(self.nodes[vm_id(vm.id)].status)
        for row in self._instances.values():
            status = aggregate(members[row.id], "VMs")
            yield Node(
                instance_id(row.id), NodeKind.INSTANCE, row.name, cloud_id(row.cloud_id), status, row.product, row.id
            )

    def _network_nodes(self) -> Iterator[Node]:
        at: dict[str, list[Status]] = defaultdict(list)
        for link in self.links:
            at[link.target].append(link.status)
        named = self._named_networks()
        for each in [*named, *(each for each in at if each not in named)]:
            name, parent, detail = named.get(each, (each.rpartition(":")[2], cloud_id(each.split(":")[1]), "Network"))
            status = aggregate(at[each], "ports")
            yield Node(each, NodeKind.NETWORK, name, parent, status, detail)

    def _named_networks(self) -> dict[str, tuple[str, str, str]]:
        """Name, parent and detail: a network of a stack is in its instance, any other in the cloud."""
        found: dict[str, tuple[str, str, str]] = {}
        for row in sorted(self._source.networks, key=lambda row: (not row.own, row.instance_id)):
            instance = self._instances.get(row.instance_id)
            if instance is not None:
                found.setdefault(network_id(instance.cloud_id, row.network_id), _network(row, instance))
        return found

    def _attachment(self, row: PortRow) -> Iterator[Link]:
        vm = self._vms[row.vm_id]
        cloud = self._cloud_of(vm)
        lost = cloud.view.lost_since(vm.observed_at, self._now)
        state = _PORTS.get(row.status, State.UNKNOWN) if lost is None else State.UNKNOWN
        words = f"Neutron reports {row.status or 'no status'}."
        status = Status(state, lost or row.since, row.status or UNKNOWN, words)
        yield Link(
            id=f"port:{row.id}:{row.vm_id}",
            kind=LinkKind.ATTACHMENT,
            source=vm_id(row.vm_id),
            target=network_id(cloud.id, row.network_id),
            status=status,
            source_port=row.cp_id,
        )

    def _relations(self, row: VmRow) -> Iterator[Link]:
        vm, cloud = vm_id(row.id), self._cloud_of(row)
        lost = self.nodes[vm].status.state is State.UNKNOWN
        status = Status(State.UNKNOWN if lost else State.UP, None, "LastSeen" if lost else "Seen")
        if self._by_host and row.host:
            yield Link(f"member:{row.id}", LinkKind.MEMBERSHIP, vm, instance_id(row.instance_id), status)
        elif row.host:
            yield Link(f"placed:{row.id}", LinkKind.PLACEMENT, vm, host_id(cloud.id, row.host), status)


def _network(row: NetworkRow, instance: InstanceRow) -> tuple[str, str, str]:
    name = row.name or row.network_id
    if row.own:
        return name, instance_id(instance.id), f"Network of {instance.name}"
    return name, cloud_id(instance.cloud_id), "Network"


def _vm_status(row: VmRow, lost: datetime | None) -> Status:
    if lost is not None or row.status == UNKNOWN:
        return Status(State.UNKNOWN, lost or row.since, UNKNOWN, f"When last observed it was {row.status}.")
    if row.status == ACTIVE:
        return Status(State.UP, row.since, ACTIVE, "It runs.")
    if row.status in TRANSITIONAL:
        return Status(State.CHANGING, row.since, row.status, f"Nova reports {row.status}.")
    gone = "Nova no longer has it." if row.status == MISSING else f"Nova reports {row.status}."
    return Status(
        State.DOWN, row.since, row.status, f"{gone} It is stopped on purpose." if row.stopped_on_purpose else gone
    )


def _host_status(cloud: CloudRow, row: HostRow | None) -> Status:
    if row is None:
        return Status(State.UNKNOWN, None, "NotShown", "The cloud does not show the state of this host to us.")
    if not cloud.hosts_known:
        return Status(State.UNKNOWN, cloud.hosts_at or row.since, UNKNOWN, "It was not polled lately.")
    return Status(State.DOWN if row.dead else State.UP, row.since, "Dead" if row.dead else "Alive", row.reason)
