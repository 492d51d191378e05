"""A map: nodes that contain each other, links between them, and their status."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class NodeKind(StrEnum):
    SITE = "SITE"
    ELEMENT = "ELEMENT"
    NEIGHBOUR = "NEIGHBOUR"
    """A neighbour of a managed network element that is not managed itself."""
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
    """A VM's port on a network."""
    PLACEMENT = "PLACEMENT"
    """A VM runs on a host."""
    MEMBERSHIP = "MEMBERSHIP"
    """A VM belongs to a VNF instance."""
    MANAGEMENT = "MANAGEMENT"
    """A network element is a VNF instance."""
    CHASSIS = "CHASSIS"
    """A Virtual System runs on a chassis."""


class State(StrEnum):
    """Shown green, yellow (CHANGING), red (DEGRADED, DOWN) and without colour (UNKNOWN)."""

    UP = "UP"
    CHANGING = "CHANGING"
    DEGRADED = "DEGRADED"
    """Some of several objects are down."""
    DOWN = "DOWN"
    UNKNOWN = "UNKNOWN"


TRAFFIC_LINKS = frozenset({LinkKind.LLDP, LinkKind.OSPF, LinkKind.BGP, LinkKind.ATTACHMENT})
"""Links that are up or down. The others are relations: UP means that they exist, UNKNOWN that they last did."""

WITH_STATE = frozenset({NodeKind.ELEMENT, NodeKind.VM, NodeKind.HOST})
"""Kinds that a group counts by state; the state of the other kinds follows from these."""


@dataclass(frozen=True, slots=True)
class Status:
    """`reason` is a stable word for programs, `message` a sentence for users."""

    state: State
    since: datetime | None
    reason: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """`parent` is the id of the node that contains it, "" at the top; `object_id` its id in the rest of the API."""

    id: str
    kind: NodeKind
    name: str
    parent: str
    status: Status
    detail: str = ""
    object_id: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """`one_sided`: only `source` reports it, though both ends could. `utilisation` in percent, None: unknown."""

    id: str
    kind: LinkKind
    source: str
    target: str
    status: Status
    source_port: str = ""
    target_port: str = ""
    one_sided: bool = False
    detail: str = ""
    utilisation: int | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """`alarms` are those of each node itself, by severity; `notes` say what could not be observed, and why."""

    nodes: Mapping[str, Node]
    links: tuple[Link, ...]
    alarms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def aggregate(statuses: Iterable[Status], what: str) -> Status:
    """The status of several objects as one: down when all are, degraded when some are."""
    all_of = list(statuses)
    counted = Counter(each.state for each in all_of)
    since = max((each.since for each in all_of if each.since is not None), default=None)
    words = f"{counted[State.UP]} of {len(all_of)} {what} up"
    return Status(_aggregate_state(counted, len(all_of)), since, "Together" if all_of else "Nothing", words)


def _aggregate_state(counted: Mapping[State, int], total: int) -> State:
    down = counted.get(State.DOWN, 0)
    if down:
        return State.DOWN if down == total else State.DEGRADED
    for state in (State.DEGRADED, State.UNKNOWN, State.CHANGING):
        if counted.get(state):
            return state
    return State.UP if total else State.UNKNOWN


_WORST_FIRST = (State.DOWN, State.DEGRADED, State.CHANGING, State.UP)


def link_status(ends: Iterable[Status]) -> Status:
    """The worst that an end of the link reports; unknown only where both ends are unknown."""
    reported = list(ends)
    for state in _WORST_FIRST:
        found = [each for each in reported if each.state is state]
        if found:
            first = state is State.DOWN  # a link is down since its first end is, and up since its last end is
            return (min if first else max)(found, key=_since)
    return max(reported, key=_since)


def busiest(utilisations: Iterable[int | None]) -> int | None:
    """The highest; None where all are unknown."""
    return max((each for each in utilisations if each is not None), default=None)


def _since(status: Status) -> float:
    return status.since.timestamp() if status.since is not None else 0.0
