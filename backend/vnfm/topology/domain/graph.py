"""What a map consists of: nodes that stand in each other, links between them, and how they are."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    SITE = "SITE"
    ELEMENT = "ELEMENT"
    NEIGHBOUR = "NEIGHBOUR"
    """Heard by a network element of ours, and no element of ours."""
    CLOUD = "CLOUD"
    HOST = "HOST"
    INSTANCE = "INSTANCE"
    VM = "VM"
    NETWORK = "NETWORK"


class LinkKind(StrEnum):
    LLDP = "LLDP"
    OSPF = "OSPF"
    BGP = "BGP"
    ATTACHMENT = "ATTACHMENT"
    """Of a VM to a network, by a port."""
    PLACEMENT = "PLACEMENT"
    """Of a VM on a host."""
    MEMBERSHIP = "MEMBERSHIP"
    """Of a VM in a VNF instance."""
    MANAGEMENT = "MANAGEMENT"
    """The VNF instance that a network element is."""
    CHASSIS = "CHASSIS"
    """The chassis that a Virtual System lives on."""


class State(StrEnum):
    """Colours of 5620 SAM: green, yellow (on its way), red; UNKNOWN has none (domain facts, 3.1)."""

    UP = "UP"
    CHANGING = "CHANGING"
    DEGRADED = "DEGRADED"
    """Of several things, some are down."""
    DOWN = "DOWN"
    UNKNOWN = "UNKNOWN"


CARRIES = frozenset({LinkKind.LLDP, LinkKind.OSPF, LinkKind.BGP, LinkKind.ATTACHMENT})
"""Links that are up or down. The others are relations: UP says that it is so, UNKNOWN that it was when last seen."""

HAVE_STATE = frozenset({Kind.ELEMENT, Kind.VM, Kind.HOST})
"""What a group counts by state; the state of the others follows from these."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How something is. `reason` is one word for programs, `message` a sentence for people."""

    state: State
    since: datetime | None
    reason: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """`parent` is the id of the node that it stands in, "" at the top; `object_id` is its id in the rest of the API."""

    id: str
    kind: Kind
    name: str
    parent: str
    standing: Standing
    detail: str = ""
    object_id: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """`one_sided`: only `source` tells of it, where both ends could."""

    id: str
    kind: LinkKind
    source: str
    target: str
    standing: Standing
    source_port: str = ""
    target_port: str = ""
    one_sided: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """`alarms` are those of each node alone, by severity; `notes` tell what could not be seen, and why."""

    nodes: Mapping[str, Node]
    links: tuple[Link, ...]
    alarms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def together(standings: Iterable[Standing], what: str = "things") -> Standing:
    """How several things are as one: down when all are, degraded when some are."""
    all_of = list(standings)
    counted = Counter(each.state for each in all_of)
    since = max((each.since for each in all_of if each.since is not None), default=None)
    words = f"{counted[State.UP]} of {len(all_of)} {what} up"
    return Standing(_together(counted, len(all_of)), since, "Together" if all_of else "Nothing", words)


def _together(counted: Mapping[State, int], total: int) -> State:
    down = counted.get(State.DOWN, 0)
    if down:
        return State.DOWN if down == total else State.DEGRADED
    for state in (State.DEGRADED, State.UNKNOWN, State.CHANGING):
        if counted.get(state):
            return state
    return State.UP if total else State.UNKNOWN


_WORST_FIRST = (State.DOWN, State.DEGRADED, State.CHANGING, State.UP)


def joint(ends: Iterable[Standing]) -> Standing:
    """How a link is by what its ends say: the worst that an end knows; unknown only where no end knows anything."""
    told = list(ends)
    for state in _WORST_FIRST:
        found = [each for each in told if each.state is state]
        if found:
            first = state is State.DOWN  # a link went down when its first end did, and is up when its last end is
            return (min if first else max)(found, key=_since)
    return max(told, key=_since)


def _since(standing: Standing) -> float:
    return standing.since.timestamp() if standing.since is not None else 0.0
