"""What is known of a network element, as far as its faults depend on it. Pure."""

from dataclasses import dataclass
from datetime import datetime

from vnfm.faults.domain.verdict import Key

CARDS = frozenset({"CARD", "CPM", "MDA"})
PARTS = frozenset({"FAN", "POWER_SUPPLY", "FABRIC", "OTHER"})


@dataclass(frozen=True, slots=True)
class RealisedBy:
    """The VNFC that a card is: joined by slot (server metadata)."""

    vnfc_id: str
    wanted_stopped: bool
    """Somebody asked us to stop it: that its card is down is no fault."""
    faults: tuple[Key, ...] = ()
    """What is wrong with it in the cloud, by the VNF instance's own evaluation."""
    host: tuple[Key, ...] = ()
    """What is wrong with the host that it runs on: Nova shows the VM itself as it was before."""

    @property
    def causes(self) -> tuple[Key, ...]:
        """Why its card may be down, the likeliest first."""
        return self.faults + self.host


@dataclass(frozen=True, slots=True)
class ObservedPart:
    """A row of the equipment tree."""

    fdn: str
    parent_fdn: str
    part: str
    """Its class, CHASSIS … OTHER."""
    name: str
    admin: str
    oper: str
    reason: str
    since: datetime
    if_index: int | None = None
    vnfc: RealisedBy | None = None


@dataclass(frozen=True, slots=True)
class ObservedInterface:
    if_index: int
    name: str
    admin: str
    oper: str
    since: datetime
    addresses: tuple[str, ...] = ()
    """With prefix length."""
    port_if_index: int | None = None
    """Of the port, or aggregation, that a router interface is on."""
    port_down: bool = False
    """Whether that is down, because of a fault or because somebody wants it so."""


@dataclass(frozen=True, slots=True)
class ObservedPeer:
    vrf: str
    address: str
    remote_as: int | None
    admin: str
    state: str
    since: datetime
    element: str = ""
    """Id of the element of ours that has this address; "" when it is a stranger's."""


@dataclass(frozen=True, slots=True)
class ObservedFact:
    name: str
    subject: str
    value: str
    since: datetime


@dataclass(frozen=True, slots=True)
class ControlVm:
    """A VM that the element's control plane runs on, with what is wrong with it."""

    name: str
    causes: tuple[Key, ...] = ()
    """Faults of its own, then of its host."""


@dataclass(frozen=True, slots=True)
class ObservedElement:
    element_id: str
    name: str
    state: str
    """MANAGED, UNMANAGED or SUSPENDED."""
    reachable: str
    """True, False or Unknown."""
    reachable_message: str
    reachable_since: datetime
    resync_state: str = "DONE"
    resync_problem: str = ""
    trap_gap_since: datetime | None = None
    host_element: str = ""
    """Id of the chassis that a Virtual System lives on."""
    parts: tuple[ObservedPart, ...] = ()
    """Those at fault and all above and below them are enough."""
    interfaces: tuple[ObservedInterface, ...] = ()
    peers: tuple[ObservedPeer, ...] = ()
    facts: tuple[ObservedFact, ...] = ()
    control: tuple[ControlVm, ...] = ()
    """Of a virtual element: all VMs of its control plane."""
