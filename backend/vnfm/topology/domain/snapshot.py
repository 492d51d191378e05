"""The input of a map: rows of other contexts' tables, read at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from vnfm.elements.domain.part_states import AdjacencyState, PeerState
from vnfm.inventory.domain.views import VimView
from vnfm.vims.domain.reachability import Reachability


@dataclass(frozen=True, slots=True)
class CloudRow:
    """`hosts_known`: its hosts were listed lately; `shows_hosts`: whether our role may list them, None: unknown."""

    id: str
    name: str
    view: VimView
    reachable: Reachability
    hosts_known: bool = False
    hosts_at: datetime | None = None
    shows_hosts: bool | None = None


@dataclass(frozen=True, slots=True)
class InstanceRow:
    id: str
    name: str
    cloud_id: str
    product: str = ""


@dataclass(frozen=True, slots=True)
class VmRow:
    id: str
    name: str
    instance_id: str
    slot: str
    status: str
    since: datetime
    observed_at: datetime | None
    host: str = ""
    stopped_on_purpose: bool = False


@dataclass(frozen=True, slots=True)
class PortRow:
    id: str
    vm_id: str
    network_id: str
    status: str
    since: datetime | None
    cp_id: str = ""


@dataclass(frozen=True, slots=True)
class NetworkRow:
    instance_id: str
    network_id: str
    name: str
    own: bool
    """Created by the instance's stack."""


@dataclass(frozen=True, slots=True)
class HostRow:
    cloud_id: str
    name: str
    dead: bool
    reason: str
    since: datetime


@dataclass(frozen=True, slots=True)
class SiteRow:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ElementRow:
    """`reachable` takes the age of the last observation into account."""

    id: str
    name: str
    kind: str
    address: str
    sys_name: str
    product: str
    state: str
    reachable: Reachability
    synchronising: bool
    site_id: str = ""
    instance_id: str = ""
    chassis_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjacencyRow(AdjacencyState):
    """`port_name` and `port_state` are those of its interface, "" for none.

    `utilisation` is in percent of the interface's speed; None: unknown.
    """

    element_id: str
    port_name: str = ""
    port_state: str = ""
    port_since: datetime | None = None
    utilisation: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRow(PeerState):
    element_id: str


@dataclass(frozen=True, slots=True)
class AlarmRow:
    """A number of open alarms of an object, of one severity; `vm_ids` and `resource` name the part of it."""

    object_type: str
    object_id: str
    severity: str
    count: int
    vm_ids: tuple[str, ...] = ()
    resource: str = ""


@dataclass(frozen=True, slots=True)
class TopologySnapshot:
    clouds: tuple[CloudRow, ...] = ()
    instances: tuple[InstanceRow, ...] = ()
    vms: tuple[VmRow, ...] = ()
    ports: tuple[PortRow, ...] = ()
    networks: tuple[NetworkRow, ...] = ()
    hosts: tuple[HostRow, ...] = ()
    sites: tuple[SiteRow, ...] = ()
    elements: tuple[ElementRow, ...] = ()
    adjacencies: tuple[AdjacencyRow, ...] = ()
    peers: tuple[PeerRow, ...] = ()
    alarms: tuple[AlarmRow, ...] = ()
    known_as: Mapping[str, str] = field(default_factory=dict)
    """Address or MAC of an interface, as neighbours report it → element id."""
