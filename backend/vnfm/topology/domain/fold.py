"""Filters a map, and folds each closed group into one node."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vnfm.faults.domain.fault_type import Severity
from vnfm.topology.domain.graph import TRAFFIC_LINKS, WITH_STATE, Graph, Link, Node, NodeKind, aggregate, busiest

ALL = "all"
_SEVERITIES = [severity.value for severity in Severity]


@dataclass(frozen=True, slots=True)
class MapFilter:
    """`site` and `instance` select what is in them and what that is linked with; no `kinds` are all kinds.

    `expand` names the groups that are open; `ALL` opens all.
    """

    site: str = ""
    instance: str = ""
    kinds: frozenset[NodeKind] = frozenset()
    expand: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """The nodes in a node, at any depth."""

    open: bool
    """Its members are nodes of the answer; else they are folded into it."""
    members: Mapping[str, int]
    """Their number by kind, at any depth."""
    states: Mapping[str, int]
    """Elements, VMs and hosts by state."""
    links: Mapping[str, int]
    """Links that carry traffic, by state."""


@dataclass(frozen=True, slots=True)
class MapNode:
    """A node on the map. `alarms` include those of all nodes in it; `severity` is the worst, or ""."""

    node: Node
    alarms: int
    severity: str
    group: NodeGroup | None


@dataclass(frozen=True, slots=True)
class MapLink:
    """A link on the map: a single one, or `count` of one kind between the same two nodes."""

    link: Link
    count: int
    states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TopologyMap:
    nodes: tuple[MapNode, ...]
    links: tuple[MapLink, ...]
    totals: Mapping[str, int]
    """By kind, before filtering and folding."""
    notes: tuple[str, ...]


class _Tree:
    """The tree of nodes that contain each other."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self.nodes = nodes
        self._above: dict[str, tuple[str, ...]] = {}

    def above(self, node: str) -> tuple[str, ...]:
        """The groups that contain a node, outermost first."""
        if node not in self._above:
            parent = self.nodes[node].parent
            self._above[node] = (*self.above(parent), parent) if parent in self.nodes else ()
        return self._above[node]

    def at_or_in(self, node: str, group: str) -> bool:
        return node == group or group in self.above(node)


def fold(graph: Graph, criteria: MapFilter) -> TopologyMap:
    """The map as it is displayed."""
    totals = Counter(node.kind.value for node in graph.nodes.values())
    graph = _of_kinds(_focused(graph, criteria), criteria.kinds)
    tree = _Tree(graph.nodes)
    open_ = graph.nodes.keys() if ALL in criteria.expand else criteria.expand & graph.nodes.keys()
    stands_for = {node: next((up for up in tree.above(node) if up not in open_), node) for node in graph.nodes}
    groups = _groups(graph, tree, frozenset(open_))
    visible = tuple(_map_node(node, graph, groups) for node in graph.nodes.values() if stands_for[node.id] == node.id)
    return TopologyMap(visible, tuple(_map_links(graph.links, stands_for, tree)), totals, graph.notes)


def _focused(graph: Graph, criteria: MapFilter) -> Graph:
    """The nodes in the site or instance, those that they are linked with, and the groups around both."""
    centre = f"site:{criteria.site}" if criteria.site else f"instance:{criteria.instance}" if criteria.instance else ""
    if not centre:
        return graph
    tree = _Tree(graph.nodes)
    inside = {node for node in graph.nodes if tree.at_or_in(node, centre)}
    partners = {
        end for link in graph.links for end in (link.source, link.target) if {link.source, link.target} & inside
    }
    selected = inside | partners
    selected |= {up for node in selected for up in tree.above(node)}
    touched = (link for link in graph.links if {link.source, link.target} & inside)
    return replace(
        graph, nodes={key: node for key, node in graph.nodes.items() if key in selected}, links=tuple(touched)
    )


def _of_kinds(graph: Graph, kinds: frozenset[NodeKind]) -> Graph:
    """Nodes of these kinds; a node in one that is left out moves to the next one around it."""
    if not kinds:
        return graph
    tree = _Tree(graph.nodes)
    remaining: dict[str, Node] = {}
    for node in graph.nodes.values():
        if node.kind in kinds:
            around = [up for up in tree.above(node.id) if graph.nodes[up].kind in kinds]
            remaining[node.id] = replace(node, parent=around[-1] if around else "")
    links = tuple(link for link in graph.links if link.source in remaining and link.target in remaining)
    return replace(graph, nodes=remaining, links=links)


@dataclass(slots=True)
class _Sum:
    members: Counter[str]
    states: Counter[str]
    links: Counter[str]
    alarms: Counter[str]


def _groups(graph: Graph, tree: _Tree, open_: frozenset[str]) -> Mapping[str, tuple[_Sum, bool]]:
    """Node id → the sums over all nodes in it, and whether it is open."""
    sums: dict[str, _Sum] = defaultdict(lambda: _Sum(Counter(), Counter(), Counter(), Counter()))
    for node in graph.nodes.values():
        own = graph.alarms.get(node.id, {})
        sums[node.id].alarms.update(own)
        for up in tree.above(node.id):
            sums[up].members[node.kind.value] += 1
            sums[up].alarms.update(own)
            if node.kind in WITH_STATE:
                sums[up].states[node.status.state.value] += 1
    for link in graph.links:
        if link.kind in TRAFFIC_LINKS:
            for up in {*tree.above(link.source), *tree.above(link.target)}:
                sums[up].links[link.status.state.value] += 1
    return {node: (sums[node], node in open_) for node in graph.nodes}


def _map_node(node: Node, graph: Graph, groups: Mapping[str, tuple[_Sum, bool]]) -> MapNode:
    total, is_open = groups[node.id]
    severity = next((each for each in _SEVERITIES if total.alarms.get(each)), "")
    group = NodeGroup(is_open, total.members, total.states, total.links) if total.members else None
    parent = node.parent if node.parent in graph.nodes else ""
    return MapNode(replace(node, parent=parent), sum(total.alarms.values()), severity, group)


def _map_links(links: Iterable[Link], stands_for: Mapping[str, str], tree: _Tree) -> Iterator[MapLink]:
    """Links between displayed nodes; those of one kind that fold to the same two ends are one."""
    bundles: dict[tuple[str, str, str], list[Link]] = defaultdict(list)
    for link in links:
        source, target = stands_for[link.source], stands_for[link.target]
        if tree.at_or_in(source, target) or tree.at_or_in(target, source):
            continue  # within one closed group, or of a node with the group around it
        if (source, target) == (link.source, link.target):
            yield MapLink(link, 1, {link.status.state.value: 1})
        else:
            one, other = sorted((source, target))
            bundles[link.kind.value, one, other].append(link)
    for (kind, one, other), many in bundles.items():
        yield _map_link(f"{kind.lower()}:{one}|{other}", one, other, many)


def _map_link(name: str, one: str, other: str, many: list[Link]) -> MapLink:
    status = aggregate((link.status for link in many), "links") if len(many) > 1 else many[0].status
    link = Link(
        id=name,
        kind=many[0].kind,
        source=one,
        target=other,
        status=status,
        one_sided=all(link.one_sided for link in many),
        utilisation=busiest(link.utilisation for link in many),
    )
    return MapLink(link, len(many), Counter(each.status.state.value for each in many))
