"""Observed facts of an element, in the terms of our models, independent of any MIB."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ObservedEquipment:
    """Field names are those of `Equipment`'s columns."""

    fdn: str
    parent_fdn: str
    equipment_class: str
    slot: str = ""
    name: str = ""
    type: str = ""
    serial_number: str = ""
    software_version: str = ""
    admin_state: str = "UNKNOWN"
    oper_state: str = "UNKNOWN"
    reason: str = ""
    if_index: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ObservedInterface:
    """Field names are those of `Interface`'s columns, but for `last_change`."""

    if_index: int
    name: str = ""
    alias: str = ""
    admin: str = "UNKNOWN"
    oper: str = "UNKNOWN"
    speed: int | None = None
    mac: str = ""
    addresses: tuple[str, ...] = ()
    mtu: int | None = None
    port_if_index: int | None = None
    last_change: int | None = None
    """ifLastChange: sysUpTime when it entered its operational state, in hundredths of a second."""


@dataclass(frozen=True, slots=True)
class PrefixCounts:
    """Prefixes of one address family of a BGP peer; null where the element does not say."""

    family: str
    """A name such as "IPv6 unicast"."""
    received: int | None
    accepted: int | None
    """The import policy accepts this number of prefixes."""
    advertised: int | None


@dataclass(frozen=True, slots=True)
class ObservedBgpPeer:
    """Field names are those of `BgpPeer`'s columns, but for `established_seconds`."""

    vrf: str
    peer_address: str
    remote_as: int | None = None
    admin_state: str = "UNKNOWN"
    state: str = "UNKNOWN"
    flaps: int | None = None
    """The number of times that an established session was lost; None where the element does not count."""
    last_error: str = ""
    families: tuple[PrefixCounts, ...] = ()
    established_seconds: int | None = field(default=None, compare=False)
    """Seconds since it was established, or since it no longer is; None where the element does not count.

    They run on, so two readings of one state differ in them.
    """


@dataclass(frozen=True, slots=True)
class ObservedFact:
    """Field names are those of `ElementFact`'s columns."""

    name: str
    subject: str
    value: str


@dataclass(frozen=True, slots=True)
class ObservedAdjacency:
    """Field names are those of `Adjacency`'s columns."""

    protocol: str
    local_port: str
    remote_id: str
    remote_port: str = ""
    remote_name: str = ""
    remote_address: str = ""
    if_index: int | None = None
    state: str = "UNKNOWN"


ObservedPart = ObservedEquipment | ObservedInterface | ObservedBgpPeer | ObservedFact | ObservedAdjacency


@dataclass(frozen=True, slots=True)
class Omission:
    """A row or table that the agent answered and that is not shown as read, with the reason for people."""

    table: str
    """Name of the MIB's table or column, as "entPhysicalTable"."""
    index: str
    """Index of the row in dotted form; "" for the table as a whole."""
    reason: str
    """A sentence."""


@dataclass(frozen=True, slots=True)
class SystemGroup:
    """The system group (SNMPv2-MIB), and what is derived from it. Uptime in seconds."""

    sys_name: str
    sys_descr: str
    sys_object_id: str
    location: str
    uptime: float | None
    """None: the element does not say it."""
    chassis_type: str = ""
    software_version: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """None: the part was not read. An empty tuple: it was read, and there is none."""

    equipment: tuple[ObservedEquipment, ...] | None = None
    interfaces: tuple[ObservedInterface, ...] | None = None
    bgp_peers: tuple[ObservedBgpPeer, ...] | None = None
    facts: tuple[ObservedFact, ...] | None = None
    adjacencies: tuple[ObservedAdjacency, ...] | None = None
    omissions: tuple[Omission, ...] = ()
    """Rows that were left out of the parts that were read."""
