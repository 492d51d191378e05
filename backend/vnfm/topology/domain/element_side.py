"""Sites, network elements and what is between them as nodes and links.

Each end of a link tells of it by itself. Two ends that name each other are one link; what only one end tells of is
drawn, and marked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from vnfm.topology.domain.cloud_side import REACHABLE, instance_id
from vnfm.topology.domain.graph import Kind, Link, LinkKind, Node, Standing, State, joint, together
from vnfm.topology.domain.world import AdjacencyRow, ElementRow, PeerRow, SiteRow, World

NO_SITE = "site:none"
_OSPF = {"FULL": State.UP, "TWO_WAY": State.UP, "LOST": State.DOWN, "DOWN": State.DOWN, "UNKNOWN": State.UNKNOWN}
"""On a broadcast network routers that are not designated stay at TWO_WAY; what is not named is on its way."""


def site_id(site: str) -> str:
    return f"site:{site}"


def element_id(element: str) -> str:
    return f"element:{element}"


@dataclass(slots=True)
class _Bundle:
    """What the two ends of a link, or of all sessions between two elements, say of it, by end."""

    ends: dict[str, list[Standing]] = field(default_factory=lambda: defaultdict(list))
    ports: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class ElementSide:
    """Everything that is of network elements. `instances`: ids of the VNF instances that are on the map."""

    def __init__(self, world: World, *, instances: frozenset[str], in_instances: bool = False) -> None:
        self._world, self._instances, self._in_instances = world, instances, in_instances
        self._elements = {row.id: row for row in world.elements if not in_instances or row.instance_id in instances}
        self._identities = _identities(self._elements.values(), world.known_as)
        self.nodes: dict[str, Node] = {}
        self.links: list[Link] = []
        self._draw()

    def _draw(self) -> None:
        for row in self._elements.values():
            self.nodes[element_id(row.id)] = self._element(row)
        for site in self._sites():
            self.nodes[site.id] = site
        bundles: dict[tuple[LinkKind, str, str, str, str], _Bundle] = defaultdict(_Bundle)
        for heard in self._world.adjacencies:
            if heard.element_id in self._elements:
                self._hear(heard, bundles)
        for peer in self._world.peers:
            if peer.element_id in self._elements:
                self._peer(peer, bundles)
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
        return Node(element_id(row.id), Kind.ELEMENT, row.name, parent, _standing(row), detail, row.id)

    def _sites(self) -> Iterator[Node]:
        members: dict[str, list[Standing]] = defaultdict(list)
        for node in self.nodes.values():
            members[node.parent].append(node.standing)
        without = (SiteRow("none", "No site"),) if NO_SITE in members else ()
        for row in (*self._world.sites, *without) if not self._in_instances else ():
            standing = together(members[site_id(row.id)], "network elements")
            shown = row.id if row.id != "none" else ""
            yield Node(site_id(row.id), Kind.SITE, row.name, "", standing, "Site" if shown else "", shown)

    def _hear(self, heard: AdjacencyRow, bundles: Mapping[tuple[LinkKind, str, str, str, str], _Bundle]) -> None:
        kind, here = LinkKind(heard.protocol), element_id(heard.element_id)
        there = self._neighbour(heard)
        if there == here:
            return
        ports = (heard.local_port, heard.remote_port) if kind is LinkKind.LLDP else ("", "")
        bundle = bundles[_key(kind, (here, ports[0]), (there, ports[1]))]
        bundle.ends[here].append(self._as_heard(heard, kind))
        bundle.ports[here].add(heard.local_port)
        if heard.remote_port:
            bundle.ports[there].add(heard.remote_port)

    def _neighbour(self, heard: AdjacencyRow) -> str:
        """The node at the other end; one of a neighbour that is no element of ours is made."""
        names = (heard.remote_name, heard.remote_address, heard.remote_id)
        found = next((self._identities[name] for name in names if name and name in self._identities), None)
        if found is not None:
            return element_id(found)
        name = heard.remote_name or heard.remote_id or heard.remote_address
        node = f"neighbour:{heard.remote_id or name}"
        standing = Standing(State.UNKNOWN, None, "NotManaged", "It is not managed here: its neighbours hear it.")
        parent = self.nodes[element_id(heard.element_id)].parent
        self.nodes.setdefault(node, Node(node, Kind.NEIGHBOUR, name, parent, standing, "Not managed here"))
        return node

    def _as_heard(self, heard: AdjacencyRow, kind: LinkKind) -> Standing:
        lost = self._lost(heard.element_id)
        if lost is not None:
            return lost
        name = self._elements[heard.element_id].name
        if heard.port_state not in ("", "UP", "UNKNOWN"):
            words = f"{name} {heard.local_port} is {heard.port_state}."
            return Standing(State.DOWN, heard.port_since or heard.since, "PortDown", words)
        if heard.state == "LOST":
            return Standing(State.DOWN, heard.since, "NeighbourLost", f"{name} does not hear it any more.")
        state = State.UP if kind is LinkKind.LLDP else _OSPF.get(heard.state, State.CHANGING)
        return Standing(state, heard.since, heard.state, f"{name} hears it.")

    def _peer(self, peer: PeerRow, bundles: Mapping[tuple[LinkKind, str, str, str, str], _Bundle]) -> None:
        """Peers that are no element of ours are not drawn: they are many, and told at the element."""
        found, here = self._identities.get(peer.address), element_id(peer.element_id)
        if found is None or found == peer.element_id:
            return
        words = f"{self._elements[peer.element_id].name}: {peer.state if peer.enabled else 'shut down'}."
        up = peer.enabled and peer.state == "ESTABLISHED"
        standing = Standing(State.UP if up else State.DOWN, peer.since, peer.state, words)
        bundle = bundles[_key(LinkKind.BGP, (here, ""), (element_id(found), ""))]
        bundle.ends[here].append(self._lost(peer.element_id) or standing)

    def _lost(self, element: str) -> Standing | None:
        """That what an element told once is not known to be so any more."""
        standing = self.nodes[element_id(element)].standing
        if standing.state in (State.UP, State.CHANGING):
            return None
        return Standing(
            State.UNKNOWN, standing.since, standing.reason, f"{self._elements[element].name} does not answer."
        )

    def _relations(self, row: ElementRow) -> Iterator[Link]:
        here, standing = element_id(row.id), Standing(State.UP, None, "Registered")
        if row.instance_id in self._instances:
            yield Link(f"manages:{row.id}", LinkKind.MANAGEMENT, here, instance_id(row.instance_id), standing)
        if row.chassis_id in self._elements:
            yield Link(f"chassis:{row.id}", LinkKind.CHASSIS, here, element_id(row.chassis_id), standing)


def _identities(elements: Iterable[ElementRow], known_as: Mapping[str, str]) -> Mapping[str, str]:
    """Element by everything that names exactly one: what it calls itself, its addresses, MACs of its interfaces."""
    rows = list(elements)
    names = Counter(row.sys_name for row in rows)
    addresses = Counter(row.address for row in rows)
    by_name = {row.sys_name: row.id for row in rows if row.sys_name and names[row.sys_name] == 1}
    by_address = {row.address: row.id for row in rows if addresses[row.address] == 1}
    here = {row.id for row in rows}
    return {**{name: one for name, one in known_as.items() if one in here}, **by_address, **by_name}


def _standing(row: ElementRow) -> Standing:
    seen = row.reachable
    if row.state != "MANAGED":
        words = f"It is {row.state.lower()}: nobody asks it."
        return Standing(State.UNKNOWN, seen.last_transition_time, row.state.capitalize(), words)
    state = REACHABLE[seen.status]
    if state is State.UP and row.synchronising:
        return Standing(State.CHANGING, seen.last_transition_time, "Synchronising", "It is being read anew.")
    return Standing(state, seen.last_transition_time, seen.reason, seen.message)


def _key(kind: LinkKind, here: tuple[str, str], there: tuple[str, str]) -> tuple[LinkKind, str, str, str, str]:
    (one, one_port), (other, other_port) = sorted((here, there))
    return kind, one, one_port, other, other_port


def _link(key: tuple[LinkKind, str, str, str, str], bundle: _Bundle) -> Link:
    kind, one, one_port, other, other_port = key
    told = {
        end: together(standings, "sessions") if len(standings) > 1 else standings[0]
        for end, standings in bundle.ends.items()
    }
    source, target = (one, other) if one in told else (other, one)
    sessions = max(len(standings) for standings in bundle.ends.values())
    return Link(
        id=":".join(filter(None, (kind.lower(), one, one_port, other, other_port))),
        kind=kind,
        source=source,
        target=target,
        standing=joint(told.values()),
        source_port=", ".join(sorted(bundle.ports[source])),
        target_port=", ".join(sorted(bundle.ports[target])),
        one_sided=len(told) == 1,
        detail=f"{sessions} sessions" if sessions > 1 else "",
    )
