"""TIMETRA-PORT-MIB, TIMETRA-SYSTEM-MIB (load, licence) and TIMETRA-BGP-MIB."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from routersim.mibs.standard import (
    Place,
    bfd_ports,
    bfd_state,
    dotted,
    hundredths,
    peer_state,
    port_rows,
    router_interfaces,
)
from routersim.mibs.timetra_chassis import HW, IN_SERVICE, OUT_OF_SERVICE, TIMETRA
from routersim.model.element import Element
from routersim.model.parts import Oper, Peer, Port, bfd_up, mda_state
from routersim.snmp.ber import Oid, Tag, Value
from routersim.snmp.mib import Column, NotWritable, Scope, Table, scalars

GHOST, LINK_DOWN, LINK_UP, PORT_UP = 2, 3, 4, 5
PORT_ENTRY: Oid = (*HW, 4, 2, 1)
LICENSE: Oid = (*TIMETRA, 1, 30)


def _port_rows(scope: Scope) -> Mapping[Oid, Place]:
    return {(1, *index): place for index, place in port_rows(scope).items()}


def port_state(place: Place, now: float) -> int:
    """TmnxPortState: a port of an absent adapter is ghost."""
    card, mda, port = place
    if mda_state(card, mda, now) is Oper.PROVISIONED:
        return GHOST
    if not (port.cable and port.signal):
        return LINK_DOWN
    return PORT_UP if port.up else LINK_UP


def _set_admin(_scope: Scope, place: Place, value: int) -> None:
    if value not in (IN_SERVICE, OUT_OF_SERVICE):
        raise NotWritable(f"tmnxPortAdminStatus {value}")
    place[2].admin_up = value == IN_SERVICE


PORT_TABLE = Table(
    "tmnxPortTable",
    PORT_ENTRY,
    _port_rows,
    (
        Column(2, "tmnxPortLastChangeTime", Tag.TIMETICKS, lambda s, p: hundredths(s, p[2].since)),
        Column(5, "tmnxPortDescription", Tag.OCTETS, lambda _, p: p[2].description),
        Column(6, "tmnxPortName", Tag.OCTETS, lambda _, p: p[2].name),
        Column(37, "tmnxPortAdminStatus", Tag.INTEGER,
               lambda _, p: IN_SERVICE if p[2].admin_up else OUT_OF_SERVICE, _set_admin),
        Column(38, "tmnxPortOperStatus", Tag.INTEGER,
               lambda _, p: IN_SERVICE if p[2].up else OUT_OF_SERVICE),
        Column(39, "tmnxPortState", Tag.INTEGER, lambda s, p: port_state(p, s.now)),
    ),
)  # fmt: skip

LOAD = scalars(
    "sgi",
    (*TIMETRA, 1, 1),
    Column(1, "sgiCpuUsage", Tag.GAUGE32, lambda _, e: e.cpu),
    Column(9, "sgiKbMemoryUsed", Tag.GAUGE32, lambda _, e: 8_388_608 * e.memory // 100),
    Column(10, "sgiKbMemoryAvailable", Tag.GAUGE32, lambda _, e: 8_388_608 * (100 - e.memory) // 100),
)


def _sync(scope: Scope, _element: Element) -> int:
    """Return the synchronisation of the standby: unknown 0, bootEnv 2 (configuration and boot environment)."""
    return 2 if scope.element.chassis.standby(scope.now) is not None else 0


SYNC = scalars("ssiSync", (*TIMETRA, 1, 4), Column(18, "ssiSyncStatus", Tag.INTEGER, _sync))
LICENSE_SCALARS = scalars(
    "tmnxSysLicense",
    LICENSE,
    Column(1, "tmnxSysLicenseStatus", Tag.OCTETS, lambda _, e: "valid" if e.license.valid else "invalid"),
    Column(2, "tmnxSysLicenseName", Tag.OCTETS, lambda _, e: f"license of {e.name}"),
    Column(4, "tmnxSysLicenseDescription", Tag.OCTETS, lambda _, e: e.license.reason),
)


def _peers(scope: Scope) -> Mapping[Oid, Peer]:
    """The index is router 1 (Base), address type ipv4, and the address with its length."""
    return {(1, 1, 4, *dotted(peer.address)): peer for peer in scope.element.peers}


def _peer(read: Callable[[Peer], Value]) -> Callable[[Scope, Peer], Value]:
    return lambda _scope, peer: read(peer)


def _set_shutdown(_scope: Scope, peer: Peer, value: int) -> None:
    """Set a TruthValue: true 1, false 2."""
    if value not in (1, 2):
        raise NotWritable(f"tBgpPeerNgShutdown {value}")
    peer.admin_up = value == 2


PEER_ENTRY: Oid = (*TIMETRA, 14, 4, 7, 1)
BGP_PEERS = Table(
    "tBgpPeerNgTable",
    PEER_ENTRY,
    _peers,
    (
        Column(4, "tBgpPeerNgPeerGroupName", Tag.OCTETS, _peer(lambda _: "peers")),
        Column(6, "tBgpPeerNgShutdown", Tag.INTEGER, _peer(lambda p: 2 if p.admin_up else 1), _set_shutdown),
        Column(7, "tBgpPeerNgDescription", Tag.OCTETS, _peer(lambda p: p.description)),
        Column(27, "tBgpPeerNgPeerType", Tag.INTEGER, _peer(lambda p: 2 if p.remote_as == p.local_as else 3)),
        Column(42, "tBgpPeerNgOperStatus", Tag.INTEGER,
               _peer(lambda p: IN_SERVICE if p.established else OUT_OF_SERVICE)),
        Column(59, "tBgpPeerNgConnState", Tag.INTEGER, _peer(peer_state)),
        Column(65, "tBgpPeerNgLocalAS4Byte", Tag.GAUGE32, _peer(lambda p: p.local_as)),
        Column(66, "tBgpPeerNgPeerAS4Byte", Tag.GAUGE32, _peer(lambda p: p.remote_as)),
    ),
)  # fmt: skip
BGP_OPER = Table(
    "tBgpPeerNgOperTable",
    (*TIMETRA, 14, 4, 8, 1),
    _peers,
    (
        Column(5, "tBgpPeerNgOperReceivedPrefixes", Tag.GAUGE32, _peer(lambda p: p.prefixes if p.established else 0)),
        Column(6, "tBgpPeerNgOperSentPrefixes", Tag.GAUGE32, _peer(lambda _: 0)),
        Column(7, "tBgpPeerNgOperActivePrefixes", Tag.GAUGE32, _peer(lambda p: p.prefixes if p.established else 0)),
    ),
)
ROUTERS = Table(
    "vRtrConfTable",
    (*TIMETRA, 3, 1, 1),
    lambda scope: {(1,): scope.element},
    (Column(4, "vRtrName", Tag.OCTETS, lambda *_: "Base"),),
)
ROUTER_INTERFACES = Table(
    "vRtrIfTable",
    (*TIMETRA, 3, 4, 1),
    lambda scope: {(1, each.index): each for each in router_interfaces(scope.element).values()},
    (
        Column(4, "vRtrIfName", Tag.OCTETS, lambda _, i: i.name),
        Column(5, "vRtrIfPortID", Tag.INTEGER, lambda _, i: i.port.index),
        Column(9, "vRtrIfOperState", Tag.INTEGER, lambda _, i: IN_SERVICE if i.up else OUT_OF_SERVICE),
    ),
)
BFD_ENTRY: Oid = (*TIMETRA, 3, 34, 1)


def bfd_index(element: Element, port: Port) -> Oid:
    """Return vRtrID, vRtrIfIndex, then type, length and octets of the local and of the remote address."""
    return (1, port.index, 1, 4, *dotted(element.address), 1, 4, *dotted(port.far_address))


BFD_SESSIONS = Table(
    "vRtrIfBfdSessionTable",
    BFD_ENTRY,
    lambda scope: {bfd_index(scope.element, port): port for port in bfd_ports(scope)},
    (
        Column(5, "vRtrIfBfdSessionOperState", Tag.INTEGER,
               lambda _, port: IN_SERVICE if bfd_up(port) else OUT_OF_SERVICE),
        Column(6, "vRtrIfBfdSessionState", Tag.INTEGER, lambda _, port: bfd_state(port)),
    ),
    live=True,
)  # fmt: skip
TABLES: tuple[Table, ...] = (
    PORT_TABLE, LOAD, SYNC, LICENSE_SCALARS, BGP_PEERS, BGP_OPER, ROUTERS, ROUTER_INTERFACES, BFD_SESSIONS,
)  # fmt: skip


def peer_ng_variables(peer: Peer) -> tuple[tuple[Oid, Tag, Value], ...]:
    """Return the object of tBgpNgEstablished and tBgpNgBackwardTransition: the state in the peer's row."""
    return (((*PEER_ENTRY, 59, 1, 1, 4, *dotted(peer.address)), Tag.INTEGER, peer_state(peer)),)
