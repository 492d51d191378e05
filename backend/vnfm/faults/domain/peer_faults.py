"""Faults of the BGP peers and neighbours of a network element, and the faults on the path to them. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address, ip_interface

from vnfm.faults.domain.dictionary import DICTIONARY, Severity
from vnfm.faults.domain.evaluation_result import Fault, FaultKey, ManagedObject, ObjectType
from vnfm.faults.domain.observed_element import ObservedElement, ObservedNeighbour, ObservedPeer

NEIGHBOUR_LOST = frozenset({"LOST", "DOWN", "ATTEMPT", "INIT"})
"""No longer listed, or of OSPF (RFC 2328, 10.1) and BFD: nothing is received from it, or it does not receive us."""


def unreachable_key(element_id: str) -> FaultKey:
    return FaultKey(element_id, "NodeUnreachable", ManagedObject(ObjectType.NETWORK_ELEMENT, element_id))


def interface_fdn(element: ObservedElement, if_index: int) -> str:
    return f"{element.element_id}:interface-{if_index}"


@dataclass(frozen=True, slots=True)
class PeerPaths:
    """The faults on the path from an element to a BGP peer or neighbour."""

    element: ObservedElement
    faults: Mapping[str, FaultKey]

    def faults_towards(self, address: str) -> Iterator[FaultKey]:
        """Faults of the port whose network the peer is in, then of the router interface on it."""
        for interface in self.element.interfaces:
            if any(_in_network(address, own) for own in interface.addresses):
                yield from self._faults_of(interface.port_if_index, interface.if_index)

    def faults_at(self, if_index: int | None) -> Iterator[FaultKey]:
        """Faults of the port of an interface, then of the interface."""
        port = next((one.port_if_index for one in self.element.interfaces if one.if_index == if_index), None)
        yield from self._faults_of(port, if_index)

    def faults_on(self, name: str) -> Iterator[FaultKey]:
        """Faults of the port of an interface, by its name, then of the interface."""
        for interface in self.element.interfaces:
            if interface.name == name:
                yield from self.faults_at(interface.if_index)

    def _faults_of(self, *if_indexes: int | None) -> Iterator[FaultKey]:
        ports = {part.if_index: part.fdn for part in self.element.parts if part.if_index is not None}
        for if_index in filter(None, if_indexes):
            fdn = ports.get(if_index, interface_fdn(self.element, if_index))
            if fdn in self.faults:
                yield self.faults[fdn]


def _in_network(address: str, own: str) -> bool:
    """Return whether an address is in the network of an interface; False for texts that are not addresses."""
    try:
        return ip_address(address) in ip_interface(own).network
    except (ValueError, TypeError):
        return False


def unknown_peer_keys(element: ObservedElement) -> Iterator[FaultKey]:
    """The faults of peers and neighbours whose state is unknown, and of peers without a session that may be shut."""
    for peer in element.peers:
        may_be_down = peer.admin_state in {"UP", "UNKNOWN"} and peer.state != "ESTABLISHED"
        if may_be_down and "UNKNOWN" in (peer.admin_state, peer.state):
            yield _peer_key(element, peer)
    for neighbour in element.neighbours:
        if neighbour.state == "UNKNOWN":
            yield _neighbour_key(element, neighbour)


def peer_fault(peer: ObservedPeer, paths: PeerPaths) -> Fault | None:
    """Return BgpPeerDown of a peer that is administratively up and whose session is known not to be established."""
    if peer.admin_state != "UP" or peer.state in {"ESTABLISHED", "UNKNOWN"}:
        return None
    roots = (*paths.faults_towards(peer.peer_address), *((unreachable_key(peer.element),) if peer.element else ()))
    details = (f"state={peer.state}", f"remoteAs={peer.remote_as}" if peer.remote_as is not None else "")
    return Fault(
        key=_peer_key(paths.element, peer),
        severity=DICTIONARY["BgpPeerDown"].severity,
        resource_name=f"{paths.element.name} peer {_where(peer)}",
        details=tuple(filter(None, details)),
        roots=roots,
    )


def _peer_key(element: ObservedElement, peer: ObservedPeer) -> FaultKey:
    return FaultKey(f"{element.element_id}:bgp:{_where(peer)}", "BgpPeerDown")


def _where(peer: ObservedPeer) -> str:
    """Its address, with its routing instance where that is not the base one."""
    return f"{peer.vrf}:{peer.peer_address}" if peer.vrf else peer.peer_address


def neighbour_fault(neighbour: ObservedNeighbour, paths: PeerPaths) -> Fault | None:
    """Return NeighbourLost of a neighbour or BFD session that is known to be lost."""
    if neighbour.state not in NEIGHBOUR_LOST:
        return None
    roots = (
        *paths.faults_at(neighbour.if_index),
        *((unreachable_key(neighbour.element),) if neighbour.element else ()),
    )
    protocol, port = neighbour.protocol, neighbour.local_port
    label = f"{paths.element.name} {protocol} neighbour"
    known = (f"neighbour={neighbour.remote_name or neighbour.remote_id}", f"state={neighbour.state}")
    return Fault(
        key=_neighbour_key(paths.element, neighbour),
        severity=Severity.MINOR if protocol == "LLDP" else DICTIONARY["NeighbourLost"].severity,
        resource_name=f"{label} on {port}" if port else f"{label} {neighbour.remote_id}",
        details=known,
        roots=roots,
    )


def _neighbour_key(element: ObservedElement, neighbour: ObservedNeighbour) -> FaultKey:
    place = f"{neighbour.protocol.lower()}:{neighbour.local_port}:{neighbour.remote_id}:{neighbour.remote_port}"
    return FaultKey(f"{element.element_id}:{place}"[:500], "NeighbourLost")
