"""From the observed state of a network element to its faults, with their root causes. Pure.

The rules of correlation: a VM's fault causes that of the card it is, a card's fault those of what it carries, a port's
those of the peers behind it. That an element cannot be reached is laid to its control VMs only when all are at fault.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_interface

from vnfm.faults.domain.dictionary import DICTIONARY, Severity
from vnfm.faults.domain.element import (
    CARDS,
    PARTS,
    ObservedElement,
    ObservedFact,
    ObservedPart,
    ObservedPeer,
)
from vnfm.faults.domain.facts import reported
from vnfm.faults.domain.verdict import Fault, Key, ObjectType, Owner, Verdict, earliest

STARTING = frozenset({"BOOTING", "DIAGNOSING"})
STARTING_LIMIT = timedelta(minutes=5)
"""A card that boots for longer than that does not come up."""

NOT_IN_SERVICE = frozenset({"OUT_OF_SERVICE", "FAILED", "EMPTY", "PROVISIONED"}) | STARTING
INTERFACE_DOWN = frozenset({"DOWN", "NOT_PRESENT", "LOWER_LAYER_DOWN"})


def evaluate_element(element: ObservedElement | None, now: datetime) -> Verdict:
    """The faults of an element; None: it no longer exists, and has none."""
    if element is None:
        return Verdict(())
    unseen = _unseen(element)
    if unseen is not None:
        return Verdict((unseen,), blind=unseen.key)
    if element.reachable != "True":
        return Verdict((), undecided=frozenset(DICTIONARY))
    parts, again_at = _part_faults(element, now)
    known = {fault.key.faulty_resource: fault.key for fault in parts}
    ports = _interface_faults(element)
    behind = _Behind(element, known | {fault.key.faulty_resource: fault.key for fault in ports})
    faults = (
        *_own_faults(element),
        *parts,
        *ports,
        *(fault for peer in element.peers if (fault := _peer_fault(peer, behind)) is not None),
        *(fault for fact in element.facts if (fault := _fact_fault(element, fact, parts)) is not None),
    )
    return Verdict(faults, again_at=again_at)


def _unseen(element: ObservedElement) -> Fault | None:
    """Why nothing can be said of the element's parts."""
    key, name = element.element_id, element.name
    if element.state == "UNMANAGED":
        return Fault(Key(key, "NotManaged"), DICTIONARY["NotManaged"].severity, name, ())
    if element.state == "SUSPENDED":
        return Fault(Key(key, "Suspended"), DICTIONARY["Suspended"].severity, name, ())
    if element.reachable == "False":
        details = tuple(filter(None, (element.reachable_message,)))
        return Fault(
            Key(key, "NodeUnreachable"),
            DICTIONARY["NodeUnreachable"].severity,
            name,
            details,
            roots=_unreached(element),
        )
    return None


def _unreached(element: ObservedElement) -> tuple[Key, ...]:
    """Both control VMs at fault: they are why. With one of them up, or none of them ours, it is the element itself."""
    roots: tuple[Key, ...] = ()
    if element.control and all(vm.causes for vm in element.control):
        roots = tuple(key for vm in element.control for key in vm.causes)
    if element.host_element:
        roots += (_unreachable(element.host_element),)
    return roots


def _unreachable(element_id: str) -> Key:
    return Key(element_id, "NodeUnreachable", Owner(ObjectType.NETWORK_ELEMENT, element_id))


def _own_faults(element: ObservedElement) -> Iterator[Fault]:
    if element.resync_state == "FAILED":
        details = tuple(filter(None, (element.resync_problem,)))
        severity = DICTIONARY["ResyncFailed"].severity
        yield Fault(Key(element.element_id, "ResyncFailed"), severity, element.name, details)
    if element.trap_gap_since is not None:
        words = f"Traps were missed since {element.trap_gap_since:%Y-%m-%d %H:%M:%S} UTC."
        yield Fault(Key(element.element_id, "TrapGap"), DICTIONARY["TrapGap"].severity, element.name, (words,))


def _part_faults(element: ObservedElement, now: datetime) -> tuple[list[Fault], datetime | None]:
    by_fdn = {part.fdn: part for part in element.parts}
    again = [
        part.since + STARTING_LIMIT
        for part in element.parts
        if part.admin == "UP" and part.oper in STARTING and now - part.since < STARTING_LIMIT
    ]
    found = []
    for part in element.parts:
        name = _part_fault_type(part, now)
        if name is not None and not _on_a_stopped_vm(part, by_fdn):
            details = (f"administrative=UP, operational={part.oper}", part.reason)
            found.append(
                Fault(
                    key=Key(part.fdn, name),
                    severity=_part_severity(part, name, by_fdn),
                    resource_name=f"{element.name} {part.name}".strip(),
                    details=tuple(filter(None, details)),
                    vnfc_ids=(part.vnfc.vnfc_id,) if part.vnfc is not None else (),
                    roots=tuple(_part_roots(part, by_fdn, now)),
                )
            )
    return found, earliest(*again)


def _part_fault_type(part: ObservedPart, now: datetime) -> str | None:
    """Administratively up and not in service; a part that starts has its time, a VM stopped on purpose is no fault."""
    if part.admin != "UP" or part.oper not in NOT_IN_SERVICE:
        return None
    if part.oper in STARTING and now - part.since < STARTING_LIMIT:
        return None
    if _stopped(part):
        return None
    if part.part in CARDS:
        return "CardDown"
    if part.part == "PORT":
        return "PortDown"
    return "EquipmentDown" if part.part in PARTS else None


def _stopped(part: ObservedPart) -> bool:
    """Its VM is down because somebody asked us to stop it."""
    return part.vnfc is not None and part.vnfc.wanted_stopped and not part.vnfc.faults


def _above(part: ObservedPart, by_fdn: Mapping[str, ObservedPart]) -> Iterator[ObservedPart]:
    """The parts that contain it, the nearest first; what an element says of containment may go in circles."""
    seen = {part.fdn}
    above = by_fdn.get(part.parent_fdn)
    while above is not None and above.fdn not in seen:
        yield above
        seen.add(above.fdn)
        above = by_fdn.get(above.parent_fdn)


def _on_a_stopped_vm(part: ObservedPart, by_fdn: Mapping[str, ObservedPart]) -> bool:
    return any(_stopped(above) and above.oper in NOT_IN_SERVICE for above in _above(part, by_fdn))


def _part_severity(part: ObservedPart, name: str, by_fdn: Mapping[str, ObservedPart]) -> Severity:
    mate_up = any(
        other.part == "CPM" and other.oper == "IN_SERVICE" and other.fdn != part.fdn for other in by_fdn.values()
    )
    if name == "CardDown" and (part.part == "MDA" or (part.part == "CPM" and mate_up)):
        return Severity.MAJOR
    return DICTIONARY[name].severity


def _part_roots(part: ObservedPart, by_fdn: Mapping[str, ObservedPart], now: datetime) -> Iterator[Key]:
    """The VM that the part is; else the nearest part above it that is at fault, or that is a VM at fault or stopped."""
    if part.vnfc is not None:
        yield from part.vnfc.causes
    for above in _above(part, by_fdn):
        name = _part_fault_type(above, now)
        if name is not None:
            yield Key(above.fdn, name)
        if above.vnfc is not None:
            yield from above.vnfc.causes


def _interface_faults(element: ObservedElement) -> list[Fault]:
    """Interfaces that are no port of the equipment tree: all of an element that has no ENTITY-MIB, logical ones.

    A router interface goes down with its port, which is then what is at fault.
    """
    ports = {part.if_index for part in element.parts if part.part == "PORT" and part.if_index is not None}
    found = []
    for interface in element.interfaces:
        if (
            interface.port_down
            or interface.if_index in ports
            or interface.admin != "UP"
            or interface.oper not in INTERFACE_DOWN
        ):
            continue
        key = Key(_interface_fdn(element, interface.if_index), "PortDown")
        details = (f"administrative=UP, operational={interface.oper}",)
        label = f"{element.name} {interface.name}".strip()
        found.append(Fault(key, DICTIONARY["PortDown"].severity, label, details))
    return found


def _interface_fdn(element: ObservedElement, if_index: int) -> str:
    return f"{element.element_id}:interface-{if_index}"


@dataclass(frozen=True, slots=True)
class _Behind:
    """Which fault lies between an element and a peer of it."""

    element: ObservedElement
    faults: Mapping[str, Key]

    def of(self, address: str) -> Iterator[Key]:
        """The fault of the port whose network the peer is in, else that of the router interface on it."""
        ports = {part.if_index: part.fdn for part in self.element.parts if part.if_index is not None}
        for interface in self.element.interfaces:
            if any(_in_network(address, own) for own in interface.addresses):
                for if_index in filter(None, (interface.port_if_index, interface.if_index)):
                    fdn = ports.get(if_index, _interface_fdn(self.element, if_index))
                    if fdn in self.faults:
                        yield self.faults[fdn]


def _in_network(address: str, own: str) -> bool:
    """Whether a peer is on the link of an interface; what is no address is on none."""
    try:
        return ip_address(address) in ip_interface(own).network
    except (ValueError, TypeError):
        return False


def _peer_fault(peer: ObservedPeer, behind: _Behind) -> Fault | None:
    if peer.admin != "UP" or peer.state in {"ESTABLISHED", "UNKNOWN"}:
        return None
    roots = (*behind.of(peer.address), *((_unreachable(peer.element),) if peer.element else ()))
    details = (f"state={peer.state}", f"remoteAs={peer.remote_as}" if peer.remote_as is not None else "")
    where = f"{peer.vrf}:" if peer.vrf else ""
    return Fault(
        key=Key(f"{behind.element.element_id}:bgp:{where}{peer.address}", "BgpPeerDown"),
        severity=DICTIONARY["BgpPeerDown"].severity,
        resource_name=f"{behind.element.name} peer {where}{peer.address}",
        details=tuple(filter(None, details)),
        roots=roots,
    )


_AMOUNT = re.compile(r"\d{4,}")
"""In an element's words a long number is an amount, of routes or octets, and changes; slots and ports are short."""


def _fact_fault(element: ObservedElement, fact: ObservedFact, parts: Sequence[Fault]) -> Fault | None:
    found = reported(fact)
    if found is None:
        return None
    subject = _AMOUNT.sub("#", fact.subject)
    key = Key(":".join(filter(None, (element.element_id, fact.name, subject))), found.fault_type)
    label = " ".join(filter(None, (element.name, fact.subject)))
    details = (f"{fact.name}={fact.value}",)
    return Fault(key, found.severity, label, details, roots=tuple(_fact_roots(element, found.fault_type, parts)))


def _fact_roots(element: ObservedElement, fault_type: str, parts: Sequence[Fault]) -> Iterator[Key]:
    """A control card that is down is why there is no redundancy."""
    if fault_type == "RedundancyLost":
        control = {part.fdn for part in element.parts if part.part == "CPM"}
        yield from (fault.key for fault in parts if fault.key.faulty_resource in control)
