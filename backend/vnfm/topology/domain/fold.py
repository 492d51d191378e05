"""The part of a map that somebody asks for, with closed groups as one node each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vnfm.faults.domain.fault_type import Severity
from vnfm.topology.domain.graph import CARRIES, HAVE_STATE, Graph, Kind, Link, Node, together

EVERYTHING = "all"
_SEVERITIES = [severity.value for severity in Severity]


@dataclass(frozen=True, slots=True)
class Wanted:
    """`site` and `instance` keep what stands in them and what that is linked with; no `kinds` are all kinds.

    `expand` names the groups that are open; with `EVERYTHING` all are.
    """

    site: str = ""
    instance: str = ""
    kinds: frozenset[Kind] = frozenset()
    expand: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Group:
    """What stands in a node, however deep: how many of each kind, how many by state, and its links by state."""

    open: bool
    members: Mapping[str, int]
    states: Mapping[str, int]
    links: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """A node on the map. `alarms` are its own and those of all that stands in it; `severity` is the worst, or ""."""

    node: Node
    alarms: int
    severity: str
    group: Group | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A link on the map: one, or `count` of a kind between the same two nodes."""

    link: Link
    count: int
    states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Map:
    nodes: tuple[Shown, ...]
    links: tuple[Drawn, ...]
    totals: Mapping[str, int]
    """Of each kind, before anything was left out or folded."""
    notes: tuple[str, ...]


class _Tree:
    """Who stands in whom."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self.nodes = nodes
        self._above: dict[str, tuple[str, ...]] = {}

    def above(self, node: str) -> tuple[str, ...]:
        """The groups that a node stands in, outermost first."""
        if node not in self._above:
            parent = self.nodes[node].parent
            self._above[node] = (*self.above(parent), parent) if parent in self.nodes else ()
        return self._above[node]

    def at_or_in(self, node: str, group: str) -> bool:
        return node == group or group in self.above(node)


def folded(graph: Graph, wanted: Wanted) -> Map:
    """The map as it is shown."""
    totals = Counter(node.kind.value for node in graph.nodes.values())
    graph = _of_kinds(_focused(graph, wanted), wanted.kinds)
    tree = _Tree(graph.nodes)
    open_ = graph.nodes.keys() if EVERYTHING in wanted.expand else wanted.expand & graph.nodes.keys()
    stands_for = {node: next((up for up in tree.above(node) if up not in open_), node) for node in graph.nodes}
    groups = _groups(graph, tree, frozenset(open_))
    shown = tuple(_shown(node, graph, groups) for node in graph.nodes.values() if stands_for[node.id] == node.id)
    return Map(shown, tuple(_drawn(graph.links, stands_for, tree)), totals, graph.notes)


def _focused(graph: Graph, wanted: Wanted) -> Graph:
    """What stands in the asked site or instance, what that is linked with, and the groups around both."""
    centre = f"site:{wanted.site}" if wanted.site else f"instance:{wanted.instance}" if wanted.instance else ""
    if not centre:
        return graph
    tree = _Tree(graph.nodes)
    inside = {node for node in graph.nodes if tree.at_or_in(node, centre)}
    partners = {
        end for link in graph.links for end in (link.source, link.target) if {link.source, link.target} & inside
    }
    kept = inside | partners
    kept |= {up for node in kept for up in tree.above(node)}
    touched = (link for link in graph.links if {link.source, link.target} & inside)
    return replace(graph, nodes={key: node for key, node in graph.nodes.items() if key in kept}, links=tuple(touched))


def _of_kinds(graph: Graph, kinds: frozenset[Kind]) -> Graph:
    """Nodes of these kinds; what stood in a node that is left out stands in the next one around it."""
    if not kinds:
        return graph
    tree = _Tree(graph.nodes)
    kept: dict[str, Node] = {}
    for node in graph.nodes.values():
        if node.kind in kinds:
            around = [up for up in tree.above(node.id) if graph.nodes[up].kind in kinds]
            kept[node.id] = replace(node, parent=around[-1] if around else "")
    links = tuple(link for link in graph.links if link.source in kept and link.target in kept)
    return replace(graph, nodes=kept, links=links)


@dataclass(slots=True)
class _Sum:
    members: Counter[str]
    states: Counter[str]
    links: Counter[str]
    alarms: Counter[str]


def _groups(graph: Graph, tree: _Tree, open_: frozenset[str]) -> Mapping[str, tuple[_Sum, bool]]:
    """By id of every node: the sums over all that stands in it, and whether it is open."""
    sums: dict[str, _Sum] = defaultdict(lambda: _Sum(Counter(), Counter(), Counter(), Counter()))
    for node in graph.nodes.values():
        own = graph.alarms.get(node.id, {})
        sums[node.id].alarms.update(own)
        for up in tree.above(node.id):
            sums[up].members[node.kind.value] += 1
            sums[up].alarms.update(own)
            if node.kind in HAVE_STATE:
                sums[up].states[node.standing.state.value] += 1
    for link in graph.links:
        if link.kind in CARRIES:
            for up in {*tree.above(link.source), *tree.above(link.target)}:
                sums[up].links[link.standing.state.value] += 1
    return {node: (sums[node], node in open_) for node in graph.nodes}


def _shown(node: Node, graph: Graph, groups: Mapping[str, tuple[_Sum, bool]]) -> Shown:
    total, is_open = groups[node.id]
    severity = next((each for each in _SEVERITIES if total.alarms.get(each)), "")
    group = Group(is_open, total.members, total.states, total.links) if total.members else None
    parent = node.parent if node.parent in graph.nodes else ""
    return Shown(replace(node, parent=parent), sum(total.alarms.values()), severity, group)


def _drawn(links: Iterable[Link], stands_for: Mapping[str, str], tree: _Tree) -> Iterator[Drawn]:
    """Links between what is shown; those of one kind that folded to the same two ends are one."""
    bundles: dict[tuple[str, str, str], list[Link]] = defaultdict(list)
    for link in links:
        source, target = stands_for[link.source], stands_for[link.target]
        if tree.at_or_in(source, target) or tree.at_or_in(target, source):
            continue  # within one closed group, or of a node with the group around it
        if (source, target) == (link.source, link.target):
            yield Drawn(link, 1, {link.standing.state.value: 1})
        else:
            one, other = sorted((source, target))
            bundles[link.kind.value, one, other].append(link)
    for (kind, one, other), many in bundles.items():
        yield _bundled(f"{kind.lower()}:{one}|{other}", one, other, many)


def _bundled(name: str, one: str, other: str, many: list[Link]) -> Drawn:
    standing = together((link.standing for link in many), "links") if len(many) > 1 else many[0].standing
    link = Link(
        id=name,
        kind=many[0].kind,
        source=one,
        target=other,
        standing=standing,
        one_sided=all(link.one_sided for link in many),
    )
    return Drawn(link, len(many), Counter(each.standing.state.value for each in many))
