"""Sites, network elements and the links between them as nodes and links.

Each end of a link reports it by itself. Two ends that name each other are one link; a link that only one end reports is
drawn, and marked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from vnfm.topology.domain.cloud_side import REACHABLE, instance_id
from vnfm.topology.domain.graph import Link, LinkKind, Node, NodeKind, State, Status, aggregate, busiest, link_status
from vnfm.topology.domain.snapshot import AdjacencyRow, ElementRow, PeerRow, SiteRow, TopologySnapshot

NO_SITE = "site:none"
_OSPF = {"FULL": State.UP, "TWO_WAY": State.UP, "LOST": State.DOWN, "DOWN": State.DOWN, "UNKNOWN": State.UNKNOWN}
"""On a broadcast network routers that are not designated stay at TWO_WAY. States that are missing are CHANGING."""


def site_id(site: str) -> str:
    return f"site:{site}"


def element_id(element: str) -> str:
    return f"element:{element}"


@dataclass(slots=True)
class _Bundle:
    """Statuses and ports of a link, or of all sessions between two elements, by the end that reports them; and how busy
    the interfaces of both ends are.
    """

    ends: dict[str, list[Status]] = field(default_factory=lambda: defaultdict(list))
    ports: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    utilisations: list[int | None] = field(default_factory=list)


class ElementSide:
    """The nodes and links of network elements. `instances`: ids of the VNF instances on the map."""

    def __init__(self, source: TopologySnapshot, *, instances: frozenset[str], in_instances: bool = False) -> None:
        self._source, self._instances, self._in_instances = source, instances, in_instances
        self._elements = {row.id: row for row in source.elements if not in_instances or row.instance_id in instances}
        self._identities = _identities(self._elements.values(), source.known_as)
        self.nodes: dict[str, Node] = {}
        self.links: list[Link] = []
        self._draw()

    def _draw(self) -> None:
        for row in self._elements.values():
            self.nodes[element_id(row.id)] = self._element(row)
        for site in self._sites():
            self.nodes[site.id] = site
        bundles: dict[tuple[LinkKind, str, str, str, str], _Bundle] = defaultdict(_Bundle)
        for adjacency in self._source.adjacencies:
            if adjacency.element_id in self._elements:
                self._add_adjacency(adjacency, bundles)
        for peer in self._source.peers:
            if peer.element_id in self._elements:
                self._add_peer(peer, bundles)
        self.links += [_link(key, bundle) for key, bundle in bundles.items()]
        self.links += [link for row in self._elements.values() for link in self._relations(row)]

    def _parent(self, row: ElementRow) -> str:
        in_instance = row.instance_id in self._instances
        if in_instance and (self._in_instances or not row.site_id):
            return instance_id(row.instance_id)
        return site_id(row.site_id) if row.site_id else NO_SITE

    def _element(self, row: ElementRow) -> Node:
        detail = " · ".join(filter(None, (row.product, row.address)))
        parent = self._parent(row)
        return Node(element_id(row.id), NodeKind.ELEMENT, row.name, parent, _status(row), detail, row.id)

    def _sites(self) -> Iterator[Node]:
        members: dict[str, list[Status]] = defaultdict(list)
        for node in self.nodes.values():
            members[node.parent].append(node.status)
        without = (SiteRow("none", "No site"),) if NO_SITE in members else ()
        for row in (*self._source.sites, *without) if not self._in_instances else ():
            status = aggregate(members[site_id(row.id)], "network elements")
            object_id = row.id if row.id != "none" else ""
            yield Node(site_id(row.id), NodeKind.SITE, row.name, "", status, "Site" if object_id else "", object_id)

    def _add_adjacency(
        self, adjacency: AdjacencyRow, bundles: Mapping[tuple[LinkKind, str, str, str, str], _Bundle]
    ) -> None:
        kind, here = LinkKind(adjacency.protocol), element_id(adjacency.element_id)
        there = self._neighbour(adjacency)
        if there == here:
            return
        ports = (adjacency.local_port, adjacency.remote_port) if kind is LinkKind.LLDP else ("", "")
        bundle = bundles[_key(kind, (here, ports[0]), (there, ports[1]))]
        bundle.ends[here].append(self._adjacency_status(adjacency, kind))
        bundle.ports[here].add(adjacency.local_port)
        bundle.utilisations.append(adjacency.utilisation)
        if adjacency.remote_port:
            bundle.ports[there].add(adjacency.remote_port)

    def _neighbour(self, adjacency: AdjacencyRow) -> str:
        """The node at the other end; it is added for a neighbour that is not managed."""
        names = (adjacency.remote_name, adjacency.remote_address, adjacency.remote_id)
        found = next((self._identities[name] for name in names if name and name in self._identities), None)
        if found is not None:
            return element_id(found)
        name = adjacency.remote_name or adjacency.remote_id or adjacency.remote_address
        node = f"neighbour:{adjacency.remote_id or name}"
        status = Status(State.UNKNOWN, None, "NotManaged", "It is not managed here: its neighbours report it.")
        parent = self.nodes[element_id(adjacency.element_id)].parent
        self.nodes.setdefault(node, Node(node, NodeKind.NEIGHBOUR, name, parent, status, "Not managed here"))
        return node

    def _adjacency_status(self, adjacency: AdjacencyRow, kind: LinkKind) -> Status:
        lost = self._lost(adjacency.element_id)
        if lost is not None:
            return lost
        name = self._elements[adjacency.element_id].name
        if adjacency.port_state not in ("", "UP", "UNKNOWN"):
            words = f"{name} {adjacency.local_port} is {adjacency.port_state}."
            return Status(State.DOWN, adjacency.port_since or adjacency.since, "PortDown", words)
        if adjacency.state == "LOST":
            return Status(State.DOWN, adjacency.since, "NeighbourLost", f"{name} no longer receives anything from it.")
        state = State.UP if kind is LinkKind.LLDP else _OSPF.get(adjacency.state, State.CHANGING)
        return Status(state, adjacency.since, adjacency.state, f"{name} reports it.")

    def _add_peer(self, peer: PeerRow, bundles: Mapping[tuple[LinkKind, str, str, str, str], _Bundle]) -> None:
        """Peers that are not managed are not drawn: they are many, and listed at the element."""
        found, here = self._identities.get(peer.peer_address), element_id(peer.element_id)
        if found is None or found == peer.element_id:
            return
        enabled = peer.admin_state != "DOWN"
        words = f"{self._elements[peer.element_id].name}: {peer.state if enabled else 'shut down'}."
        up = enabled and peer.state == "ESTABLISHED"
        status = Status(State.UP if up else State.DOWN, peer.since, peer.state, words)
        bundle = bundles[_key(LinkKind.BGP, (here, ""), (element_id(found), ""))]
        bundle.ends[here].append(self._lost(peer.element_id) or status)

    def _lost(self, element: str) -> Status | None:
        """UNKNOWN, when the element does not answer: what it reported may have changed. Else None."""
        status = self.nodes[element_id(element)].status
        if status.state in (State.UP, State.CHANGING):
            return None
        return Status(State.UNKNOWN, status.since, status.reason, f"{self._elements[element].name} does not answer.")

    def _relations(self, row: ElementRow) -> Iterator[Link]:
        here, status = element_id(row.id), Status(State.UP, None, "Registered")
        if row.instance_id in self._instances:
            yield Link(f"manages:{row.id}", LinkKind.MANAGEMENT, here, instance_id(row.instance_id), status)
        if row.chassis_id in self._elements:
            yield Link(f"chassis:{row.id}", LinkKind.CHASSIS, here, element_id(row.chassis_id), status)


def _identities(elements: Iterable[ElementRow], known_as: Mapping[str, str]) -> Mapping[str, str]:
    """Element by all that identifies exactly one: its sysName, its addresses, MACs of its interfaces."""
    rows = list(elements)
    names = Counter(row.sys_name for row in rows)
    addresses = Counter(row.address for row in rows)
    by_name = {row.sys_name: row.id for row in rows if row.sys_name and names[row.sys_name] == 1}
    by_address = {row.address: row.id for row in rows if addresses[row.address] == 1}
    here = {row.id for row in rows}
    return {**{name: one for name, one in known_as.items() if one in here}, **by_address, **by_name}


def _status(row: ElementRow) -> Status:
    reachable = row.reachable
    if row.state != "MANAGED":
        words = f"It is {row.state.lower()} and not polled."
        return Status(State.UNKNOWN, reachable.last_transition_time, row.state.capitalize(), words)
    state = REACHABLE[reachable.status]
    if state is State.UP and row.synchronising:
        return Status(State.CHANGING, reachable.last_transition_time, "Synchronising", "It is being polled completely.")
    return Status(state, reachable.last_transition_time, reachable.reason, reachable.message)


def _key(kind: LinkKind, here: tuple[str, str], there: tuple[str, str]) -> tuple[LinkKind, str, str, str, str]:
    (one, one_port), (other, other_port) = sorted((here, there))
    return kind, one, one_port, other, other_port


def _link(key: tuple[LinkKind, str, str, str, str], bundle: _Bundle) -> Link:
    kind, one, one_port, other, other_port = key
    by_end = {
        end: aggregate(statuses, "sessions") if len(statuses) > 1 else statuses[0]
        for end, statuses in bundle.ends.items()
    }
    source, target = (one, other) if one in by_end else (other, one)
    sessions = max(len(statuses) for statuses in bundle.ends.values())
    return Link(
        id=":".join(filter(None, (kind.lower(), one, one_port, other, other_port))),
        kind=kind,
        source=source,
        target=target,
        status=link_status(by_end.values()),
        source_port=", ".join(sorted(bundle.ports[source])),
        target_port=", ".join(sorted(bundle.ports[target])),
        one_sided=len(by_end) == 1,
        detail=f"{sessions} sessions" if sessions > 1 else "",
        utilisation=busiest(bundle.utilisations),
    )
