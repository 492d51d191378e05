"""The observed state of a network element, as far as its faults depend on it."""

from dataclasses import dataclass
from datetime import datetime

from vnfm.elements.domain.part_states import AdjacencyState, EquipmentState, FactState, InterfaceState, PeerState
from vnfm.faults.domain.evaluation_result import FaultKey

CARDS = frozenset({"CARD", "CPM", "MDA"})
PARTS = frozenset({"FAN", "POWER_SUPPLY", "FABRIC", "OTHER"})


@dataclass(frozen=True, slots=True)
class RealisingVnfc:
    """The VNFC that realises a card; linked by slot (server metadata)."""

    vnfc_id: str
    desired_stopped: bool
    """Stopped on request: then its card may be down without a fault."""
    faults: tuple[FaultKey, ...] = ()
    """Its open faults in the cloud, by the VNF instance's own evaluation."""
    host: tuple[FaultKey, ...] = ()
    """Open faults of its host: of a dead host Nova still shows the VM's last state."""
    mate_id: str = ""
    """Id of the other VNFC of its pair (1+1); "" for none."""

    @property
    def causes(self) -> tuple[FaultKey, ...]:
        """Possible root causes of its card's being down, the likeliest first."""
        return self.faults + self.host


@dataclass(frozen=True, slots=True)
class ObservedPart(EquipmentState):
    vnfc: RealisingVnfc | None = None


@dataclass(frozen=True, slots=True)
class ObservedPeer(PeerState):
    element: str = ""
    """Id of the unreachable managed element that has this address; "" for none."""


@dataclass(frozen=True, slots=True)
class ObservedNeighbour(AdjacencyState):
    """An LLDP or OSPF neighbour, or a BFD session, that an element has or had on a link that is not shut."""

    element: str = ""
    """Id of the unreachable managed element that has its address; "" for none."""


@dataclass(frozen=True, slots=True)
class BeyondThreshold:
    """A counter that is beyond the threshold of an operator's rule. Values have its `unit`."""

    rule_id: str
    rule_name: str
    counter: str
    object: str
    """Its name in the history of counters."""
    label: str
    """Object and counter, for people."""
    unit: str
    below: bool
    """Whether values below the threshold are the fault; else those above."""
    threshold: float
    clear: float
    severity: str
    since: datetime
    value: float
    """When it crossed the threshold."""
    valued_at: datetime
    """When its last value is of."""
    expires_at: datetime
    """When that value says nothing more."""


@dataclass(frozen=True, slots=True)
class ControlVm:
    """A VM of the element's control plane."""

    name: str
    causes: tuple[FaultKey, ...] = ()
    """Its own open faults, then those of its host."""


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
    resync_state: str
    """NEVER, WAITING, RUNNING, DONE or FAILED."""
    resync_problem: str = ""
    trap_gap_since: datetime | None = None
    unread_tables: tuple[str, ...] = ()
    """Sentences: which tables could not be read, and why."""
    host_element: str = ""
    """Id of the chassis that a Virtual System lives on."""
    address: str = ""
    host_address: str = ""
    """Management addresses of the element and of that chassis: FDNs begin with them."""
    parts: tuple[ObservedPart, ...] = ()
    """Only parts that are or may be at fault, and all above and below them, are needed."""
    interfaces: tuple[InterfaceState, ...] = ()
    peers: tuple[ObservedPeer, ...] = ()
    neighbours: tuple[ObservedNeighbour, ...] = ()
    """Only those that are lost, and those whose state is unknown, are needed."""
    facts: tuple[FactState, ...] = ()
    thresholds: tuple[BeyondThreshold, ...] = ()
    control: tuple[ControlVm, ...] = ()
    """All VMs of a virtual element's control plane."""
