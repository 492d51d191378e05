"""SNMPv2-MIB system, IF-MIB, IP-MIB (RFC 4293), LLDP-MIB (802.1AB), BGP4-MIB (RFC 4273), OSPF-MIB (RFC 4750)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from routersim.model.element import Element
from routersim.model.kinds import KINDS
from routersim.model.parts import Card, Mda, Peer, Port, bfd_up, octets
from routersim.snmp.ber import Oid, Tag, Value
from routersim.snmp.mib import Column, NotWritable, Scope, Table, scalars

Place = tuple[Card, Mda, Port]
"""A row of a table of ports."""
UP, DOWN = 1, 2
ETHERNET, IP_FORWARD = 6, 142
"""Values of ifType."""
MIB2: Oid = (1, 3, 6, 1, 2, 1)
_SYSTEM: Oid = (*MIB2, 1)
_IF_ENTRY: Oid = (*MIB2, 2, 2, 1)
_IFX_ENTRY: Oid = (*MIB2, 31, 1, 1, 1)
_BGP: Oid = (*MIB2, 15)
_LLDP: Oid = (1, 0, 8802, 1, 1, 2, 1)


def hundredths(scope: Scope, moment: float) -> int:
    """Return sysUpTime at that moment."""
    return max(0, int((moment - scope.element.booted) * 100))


def _element(read: Callable[[Element], Value]) -> Callable[[Scope, Element], Value]:
    return lambda _scope, element: read(element)


SYSTEM = scalars(
    "system",
    _SYSTEM,
    Column(1, "sysDescr", Tag.OCTETS, _element(lambda e: e.description)),
    Column(2, "sysObjectID", Tag.OID, _element(lambda e: tuple(map(int, e.object_id.split("."))))),
    Column(3, "sysUpTime", Tag.TIMETICKS, lambda scope, _: hundredths(scope, scope.now)),
    Column(4, "sysContact", Tag.OCTETS, _element(lambda e: e.contact)),
    Column(5, "sysName", Tag.OCTETS, _element(lambda e: e.sys_name)),
    Column(6, "sysLocation", Tag.OCTETS, _element(lambda e: e.location)),
    Column(7, "sysServices", Tag.INTEGER, lambda *_: 76),
)


def port_rows(scope: Scope) -> Mapping[Oid, Place]:
    return {(place[2].index,): place for place in scope.element.ports()}


def reached_ports(element: Element) -> dict[str, Port]:
    """Return the port that leads to a BGP neighbour, by the neighbour's address."""
    found = ((peer.address, element.port(peer.port)) for peer in element.peers if peer.port)
    return {address: port for address, port in found if port is not None}


class RouterInterface:
    """A router interface of SR OS, which has its own index and the state of its port."""

    admin_up = True

    def __init__(self, port: Port, index: int, neighbour: str) -> None:
        self.port, self.index, self.name = port, index, f"to-{neighbour}"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.port, name)


def router_interfaces(element: Element) -> dict[str, RouterInterface]:
    """Return the router interfaces by their BGP neighbour's address; none in VRP, whose ports have the addresses."""
    if KINDS[element.kind].family != "sros":
        return {}
    reached = reached_ports(element).items()
    return {address: RouterInterface(port, index, address) for index, (address, port) in enumerate(reached, start=2)}


def interface_rows(scope: Scope) -> Mapping[Oid, Any]:
    """Return ports and router interfaces as rows of a table of ports."""
    places = {place[2].index: place for place in scope.element.ports()}
    rows: dict[Oid, Any] = {(index,): place for index, place in places.items()}
    for interface in router_interfaces(scope.element).values():
        card, mda, _ = places[interface.port.index]
        rows[(interface.index,)] = (card, mda, interface)
    return rows


def _is_router_interface(row: object) -> bool:
    return isinstance(row, RouterInterface)


def _described(port: Port) -> str:
    kind = "IP interface" if _is_router_interface(port) else f"{port.speed // 1000}-Gig Ethernet"
    return f"{port.name}, {kind}"


def port_mac(element: Element, port: Port) -> bytes:
    """Return a port's MAC; the ifIndex of an SR OS port has slot, MDA and port from bit 15 up, others are small."""
    return base_mac(element, port.index >> 15 or port.index)


def base_mac(element: Element, number: int) -> bytes:
    """Return a MAC of the chassis: its base plus a number."""
    return (int(element.chassis.mac, 16) + number).to_bytes(6, "big")


def _port(read: Callable[[Port], Value | None]) -> Callable[[Scope, Place], Value | None]:
    return lambda _scope, place: read(place[2])


def _octets(which: int) -> Callable[[Scope, Place], Value]:
    return lambda scope, place: int(octets(place[2], scope.now)[which])


def _packets(which: int) -> Callable[[Scope, Place], Value]:
    """Return a reader of packet counters, for an invented constant packet size of 512 octets."""
    return lambda scope, place: int(octets(place[2], scope.now)[which]) // 512


def set_admin(scope: Scope, place: Place, value: int) -> None:
    """Set ifAdminStatus up or down."""
    if value not in (UP, DOWN) or _is_router_interface(place[2]):
        raise NotWritable(f"ifAdminStatus {value}")
    place[2].admin_up = value == UP


INTERFACES = scalars(
    "interfaces", (*MIB2, 2), Column(1, "ifNumber", Tag.INTEGER, lambda scope, _: len(interface_rows(scope)))
)
IF_TABLE = Table(
    "ifTable",
    _IF_ENTRY,
    interface_rows,
    (
        Column(1, "ifIndex", Tag.INTEGER, _port(lambda p: p.index)),
        Column(2, "ifDescr", Tag.OCTETS, _port(_described)),
        Column(3, "ifType", Tag.INTEGER, _port(lambda p: IP_FORWARD if _is_router_interface(p) else ETHERNET)),
        Column(4, "ifMtu", Tag.INTEGER, _port(lambda p: p.mtu)),
        Column(5, "ifSpeed", Tag.GAUGE32, _port(lambda p: min(p.speed * 1_000_000, 0xFFFFFFFF))),
        Column(6, "ifPhysAddress", Tag.OCTETS, lambda s, p: port_mac(s.element, p[2])),
        Column(7, "ifAdminStatus", Tag.INTEGER, _port(lambda p: UP if p.admin_up else DOWN), set_admin),
        Column(8, "ifOperStatus", Tag.INTEGER, _port(lambda p: UP if p.up else DOWN)),
        Column(9, "ifLastChange", Tag.TIMETICKS, lambda s, p: hundredths(s, p[2].since)),
        Column(10, "ifInOctets", Tag.COUNTER32, _octets(0)),
        Column(11, "ifInUcastPkts", Tag.COUNTER32, _packets(0)),
        Column(13, "ifInDiscards", Tag.COUNTER32, lambda *_: 0),
        Column(14, "ifInErrors", Tag.COUNTER32, _port(lambda p: p.errors_in)),
        Column(16, "ifOutOctets", Tag.COUNTER32, _octets(1)),
        Column(17, "ifOutUcastPkts", Tag.COUNTER32, _packets(1)),
        Column(19, "ifOutDiscards", Tag.COUNTER32, lambda *_: 0),
        Column(20, "ifOutErrors", Tag.COUNTER32, lambda *_: 0),
    ),
)
IFX_TABLE = Table(
    "ifXTable",
    _IFX_ENTRY,
    interface_rows,
    (
        Column(1, "ifName", Tag.OCTETS, _port(lambda p: p.name)),
        Column(6, "ifHCInOctets", Tag.COUNTER64, _octets(0)),
        Column(7, "ifHCInUcastPkts", Tag.COUNTER64, _packets(0)),
        Column(10, "ifHCOutOctets", Tag.COUNTER64, _octets(1)),
        Column(11, "ifHCOutUcastPkts", Tag.COUNTER64, _packets(1)),
        Column(14, "ifLinkUpDownTrapEnable", Tag.INTEGER, lambda *_: 1),
        Column(15, "ifHighSpeed", Tag.GAUGE32, _port(lambda p: p.speed)),
        Column(17, "ifConnectorPresent", Tag.INTEGER, _port(lambda p: 2 if _is_router_interface(p) else 1)),
        Column(18, "ifAlias", Tag.OCTETS, _port(lambda p: p.description)),
    ),
)


def dotted(text: str) -> Oid:
    """Return the arcs of an IPv4 address."""
    return tuple(map(int, text.split(".")))


def _base_peers(scope: Scope) -> Mapping[Oid, Peer]:
    return {dotted(peer.address): peer for peer in scope.element.peers}


def _peer(read: Callable[[Peer], Value | None]) -> Callable[[Scope, Peer], Value | None]:
    return lambda _scope, peer: read(peer)


def peer_state(peer: Peer) -> int:
    """bgpPeerState: idle 1, active 3, established 6."""
    return 6 if peer.established else 3 if peer.admin_up else 1


def _set_peer(_scope: Scope, peer: Peer, value: int) -> None:
    """Set bgpPeerAdminStatus: stop 1, start 2."""
    if value not in (1, 2):
        raise NotWritable(f"bgpPeerAdminStatus {value}")
    peer.admin_up = value == 2


BGP = scalars(
    "bgp",
    _BGP,
    Column(1, "bgpVersion", Tag.OCTETS, lambda *_: b"\x10"),
    Column(2, "bgpLocalAs", Tag.INTEGER, lambda s, e: e.peers[0].local_as if e.peers else 0),
    Column(4, "bgpIdentifier", Tag.IP_ADDRESS, lambda s, e: bytes(dotted(e.address))),
)
BGP_PEERS = Table(
    "bgpPeerTable",
    (*_BGP, 3, 1),
    _base_peers,
    (
        Column(1, "bgpPeerIdentifier", Tag.IP_ADDRESS, _peer(lambda p: bytes(dotted(p.address)))),
        Column(2, "bgpPeerState", Tag.INTEGER, _peer(peer_state)),
        Column(3, "bgpPeerAdminStatus", Tag.INTEGER, _peer(lambda p: 2 if p.admin_up else 1), _set_peer),
        Column(4, "bgpPeerNegotiatedVersion", Tag.INTEGER, _peer(lambda p: 4 if p.established else 0)),
        Column(5, "bgpPeerLocalAddr", Tag.IP_ADDRESS, lambda s, p: bytes(dotted(s.element.address))),
        Column(6, "bgpPeerLocalPort", Tag.INTEGER, lambda *_: 179),
        Column(7, "bgpPeerRemoteAddr", Tag.IP_ADDRESS, _peer(lambda p: bytes(dotted(p.address)))),
        Column(8, "bgpPeerRemotePort", Tag.INTEGER, lambda *_: 179),
        Column(9, "bgpPeerRemoteAs", Tag.INTEGER, _peer(lambda p: p.remote_as)),
        Column(14, "bgpPeerLastError", Tag.OCTETS, _peer(lambda p: b"\0\0" if p.established else b"\x04\0")),
        Column(16, "bgpPeerFsmEstablishedTime", Tag.GAUGE32, lambda s, p: max(0, int(s.now - p.since))),
    ),
)


LINK_MASK = bytes((255, 255, 255, 254))


def _own_addresses(scope: Scope) -> Mapping[Oid, Port | RouterInterface]:
    """The index is our address on the link to a neighbour, the other address of a /31 (RFC 3021)."""
    found: dict[Oid, Port | RouterInterface] = {}
    for address, port in (reached_ports(scope.element) | router_interfaces(scope.element)).items():
        *arcs, last = dotted(address)
        found[(*arcs, last ^ 1)] = port
    return found


ADDRESSES = Table(
    "ipAddrTable",
    (*MIB2, 4, 20, 1),
    _own_addresses,
    (
        Column(2, "ipAdEntIfIndex", Tag.INTEGER, lambda _, port: port.index),
        Column(3, "ipAdEntNetMask", Tag.IP_ADDRESS, lambda *_: LINK_MASK),
    ),
    live=True,
)


def _lldp(read: Callable[[Port], Value | None]) -> Callable[[Scope, Place], Value | None]:
    """Return a reader of the LLDP neighbour, which stays after a port went down until its TTL ends (802.1AB, 9.2.7).

    The end of the TTL changes no version, so it is computed at every read.
    """

    def read_current(scope: Scope, place: Place) -> Value | None:
        port = place[2]
        current = port.up or (port.since > 0 and scope.now - port.since < scope.element.lldp_hold)
        return read(port) if current else None

    return read_current


def _chassis_id(port: Port) -> Value:
    return bytes.fromhex(port.far_mac) if port.far_mac else port.neighbour


def _neighbours(scope: Scope) -> Mapping[Oid, Place]:
    """The index is time mark 0, local port and remote index 1."""
    return {(0, p[2].index, 1): p for p in scope.element.ports() if p[2].neighbour}


def _ospf_neighbours(scope: Scope) -> Mapping[Oid, Place]:
    """The index is the neighbour's address, and the local ifIndex as links are unnumbered (RFC 4750)."""
    return {(*dotted(p[2].far_address), p[2].index): p for p in scope.element.ports() if p[2].far_address and p[2].up}


BFD_DOWN, BFD_UP = 1, 3
"""Session states (RFC 5880, 4.1)."""


def bfd_state(port: Port) -> int:
    return BFD_UP if bfd_up(port) else BFD_DOWN


def bfd_ports(scope: Scope) -> list[Port]:
    """Return the ports with a BFD session."""
    return [port for *_, port in scope.element.ports() if port.bfd and port.far_address]


LLDP_LOCAL = scalars(
    "lldpLocalSystemData",
    (*_LLDP, 3),
    Column(1, "lldpLocChassisIdSubtype", Tag.INTEGER, lambda *_: 4),
    Column(2, "lldpLocChassisId", Tag.OCTETS, lambda s, e: base_mac(e, 0)),
    Column(3, "lldpLocSysName", Tag.OCTETS, lambda s, e: e.sys_name),
)
LLDP_PORTS = Table(
    "lldpLocPortTable",
    (*_LLDP, 3, 7, 1),
    port_rows,
    (
        Column(2, "lldpLocPortIdSubtype", Tag.INTEGER, lambda *_: 5),
        Column(3, "lldpLocPortId", Tag.OCTETS, _port(lambda p: p.name)),
        Column(4, "lldpLocPortDesc", Tag.OCTETS, _port(lambda p: p.description or p.name)),
    ),
)
LLDP_REMOTE = Table(
    "lldpRemTable",
    (*_LLDP, 4, 1, 1),
    _neighbours,
    (
        Column(4, "lldpRemChassisIdSubtype", Tag.INTEGER, _lldp(lambda p: 4 if p.far_mac else 7)),
        Column(5, "lldpRemChassisId", Tag.OCTETS, _lldp(_chassis_id)),
        Column(6, "lldpRemPortIdSubtype", Tag.INTEGER, _lldp(lambda _: 5)),
        Column(7, "lldpRemPortId", Tag.OCTETS, _lldp(lambda p: p.neighbour_port)),
        Column(8, "lldpRemPortDesc", Tag.OCTETS, _lldp(lambda p: p.neighbour_port)),
        Column(9, "lldpRemSysName", Tag.OCTETS, _lldp(lambda p: p.far_name or p.neighbour)),
    ),
    live=True,
)
OSPF = scalars(
    "ospfGeneralGroup",
    (*MIB2, 14, 1),
    Column(1, "ospfRouterId", Tag.IP_ADDRESS, lambda s, e: bytes(dotted(e.address))),
    Column(2, "ospfAdminStat", Tag.INTEGER, lambda *_: 1),
)
OSPF_NEIGHBOURS = Table(
    "ospfNbrTable",
    (*MIB2, 14, 10, 1),
    _ospf_neighbours,
    (
        Column(1, "ospfNbrIpAddr", Tag.IP_ADDRESS, _port(lambda p: bytes(dotted(p.far_address)))),
        Column(2, "ospfNbrAddressLessIndex", Tag.INTEGER, _port(lambda p: p.index)),
        Column(3, "ospfNbrRtrId", Tag.IP_ADDRESS, _port(lambda p: bytes(dotted(p.far_address)))),
        Column(6, "ospfNbrState", Tag.INTEGER, lambda *_: 8),
    ),
    live=True,
)

TABLES: tuple[Table, ...] = (
    SYSTEM, INTERFACES, IF_TABLE, IFX_TABLE, ADDRESSES, BGP, BGP_PEERS, LLDP_LOCAL, LLDP_PORTS, LLDP_REMOTE,
    OSPF, OSPF_NEIGHBOURS,
)  # fmt: skip


def interface_variables(port: Port) -> tuple[tuple[Oid, Tag, Any], ...]:
    """Return the objects of linkDown and linkUp."""
    return tuple(
        ((*_IF_ENTRY, number, port.index), Tag.INTEGER, value)
        for number, value in (
            (1, port.index),
            (7, UP if port.admin_up else DOWN),
            (8, UP if port.up else DOWN),
        )
    )


def peer_variables(peer: Peer) -> tuple[tuple[Oid, Tag, Any], ...]:
    """Return the objects of bgpEstablishedNotification and bgpBackwardTransNotification (RFC 4273)."""
    entry, row = (*_BGP, 3, 1), dotted(peer.address)
    return (
        ((*entry, 7, *row), Tag.IP_ADDRESS, bytes(row)),
        ((*entry, 14, *row), Tag.OCTETS, b"\0\0" if peer.established else b"\x04\0"),
        ((*entry, 2, *row), Tag.INTEGER, peer_state(peer)),
    )
