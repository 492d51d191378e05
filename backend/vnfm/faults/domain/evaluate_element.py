"""Faults of a network element from its observed state, with their root causes. Pure.

Correlation: a VM's fault causes that of the card which it realises, a card's fault those of the parts on it, a port's
fault those of the BGP peers and neighbours behind it. Control VMs cause NodeUnreachable only when all of them are at
fault. Cards on a card that is down (MDAs) have no alarms of their own: the alarm of that card names them.

A row whose state is UNKNOWN raises no alarm and clears none (`EvaluationResult.undecided_keys`): its open alarm stays,
and may be the root cause of others.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from vnfm.elements.domain.part_states import UNKNOWN_ACCEPTED, FactState, InterfaceState
from vnfm.faults.domain.dictionary import DICTIONARY, Severity
from vnfm.faults.domain.element_facts import fault_of, unknown_fault_type
from vnfm.faults.domain.evaluation_result import EvaluationResult, Fault, FaultKey, ManagedObject, ObjectType, earliest
from vnfm.faults.domain.observed_element import CARDS, PARTS, ObservedElement, ObservedPart
from vnfm.faults.domain.peer_faults import (
    PeerPaths,
    interface_fdn,
    neighbour_fault,
    peer_fault,
    unknown_peer_keys,
    unreachable_key,
)
from vnfm.faults.domain.threshold_faults import next_expiry, threshold_faults
from vnfm.kit.patterns import pattern

STARTING = frozenset({"BOOTING", "DIAGNOSING"})
STARTING_LIMIT = timedelta(minutes=5)
"""A card that boots for longer than that does not come up."""

NOT_IN_SERVICE = frozenset({"OUT_OF_SERVICE", "FAILED", "PROVISIONED", "MISSING"}) | STARTING
"""EMPTY, a slot for which nothing is configured, is none of them: a chassis need not be full."""
MOST_NAMES = 20
"""Cards that the alarm of the card below them names."""
INTERFACE_DOWN = frozenset({"DOWN", "NOT_PRESENT", "LOWER_LAYER_DOWN"})


def evaluate_element(element: ObservedElement | None, now: datetime) -> EvaluationResult:
    """The faults of an element; None, an element that no longer exists, has none."""
    if element is None:
        return EvaluationResult(())
    hidden_by = _unobservable_fault(element)
    if hidden_by is not None:
        return EvaluationResult((hidden_by,), unobservable=hidden_by.key)
    if element.reachable != "True":
        return EvaluationResult((), undecided=frozenset(DICTIONARY))
    by_fdn = {part.fdn: part for part in element.parts}
    parts, due_at = _part_faults(element, by_fdn, now)
    ports = _interface_faults(element, by_fdn, {fault.key.faulty_resource for fault in parts}, now)
    unknown = frozenset(_unknown_keys(element, by_fdn, now))
    on_paths = (*unknown, *(fault.key for fault in (*parts, *ports)))
    paths = PeerPaths(element, {key.faulty_resource: key for key in on_paths})
    faults = (
        *_own_faults(element),
        *parts,
        *ports,
        *(fault for peer in element.peers if (fault := peer_fault(peer, paths)) is not None),
        *(fault for each in element.neighbours if (fault := neighbour_fault(each, paths)) is not None),
        *(fault for fact in element.facts if (fault := _fact_fault(element, fact, parts)) is not None),
        *threshold_faults(element, now, paths.faults_on),
    )
    return EvaluationResult(faults, undecided_keys=unknown, due_at=earliest(due_at, next_expiry(element, now)))


def _unobservable_fault(element: ObservedElement) -> Fault | None:
    """The fault that hides all others of the element."""
    key, name = element.element_id, element.name
    if element.state == "UNMANAGED":
        return Fault(FaultKey(key, "NotManaged"), DICTIONARY["NotManaged"].severity, name, ())
    if element.state == "SUSPENDED":
        return Fault(FaultKey(key, "Suspended"), DICTIONARY["Suspended"].severity, name, ())
    if element.reachable == "False":
        details = tuple(filter(None, (element.reachable_message,)))
        return Fault(
            FaultKey(key, "NodeUnreachable"),
            DICTIONARY["NodeUnreachable"].severity,
            name,
            details,
            roots=_unreachable_roots(element),
        )
    return None


def _unreachable_roots(element: ObservedElement) -> tuple[FaultKey, ...]:
    """Faults of the control VMs, when all of them have one; and that of the chassis of a Virtual System."""
    roots: tuple[FaultKey, ...] = ()
    if element.control and all(vm.causes for vm in element.control):
        roots = tuple(key for vm in element.control for key in vm.causes)
    if element.host_element:
        roots += (unreachable_key(element.host_element),)
    return roots


def _own_faults(element: ObservedElement) -> Iterator[Fault]:
    if element.resync_state == "FAILED":
        details = tuple(filter(None, (element.resync_problem,)))
        severity = DICTIONARY["ResyncFailed"].severity
        yield Fault(FaultKey(element.element_id, "ResyncFailed"), severity, element.name, details)
    if element.unread_tables:
        severity = DICTIONARY["TableUnread"].severity
        yield Fault(FaultKey(element.element_id, "TableUnread"), severity, element.name, element.unread_tables)
    if element.trap_gap_since is not None:
        words = f"Traps were missed since {element.trap_gap_since:%Y-%m-%d %H:%M:%S} UTC."
        yield Fault(FaultKey(element.element_id, "TrapGap"), DICTIONARY["TrapGap"].severity, element.name, (words,))


def _part_faults(
    element: ObservedElement, by_fdn: Mapping[str, ObservedPart], now: datetime
) -> tuple[list[Fault], datetime | None]:
    due_times = [
        part.since + STARTING_LIMIT
        for part in element.parts
        if part.admin_state != "DOWN" and part.oper_state in STARTING and now - part.since < STARTING_LIMIT
    ]
    on_cards = _cards_on_cards(by_fdn, now)
    found = []
    for part in element.parts:
        name = _part_fault_type(part, now)
        if name is None or part.fdn in on_cards or _on_a_stopped_vm(part, by_fdn):
            continue
        mate = _redundant_card(part, by_fdn)
        in_service, all_fabrics = _fabrics(part, by_fdn)
        with_it = sorted(by_fdn[fdn].name or fdn for fdn, card in on_cards.items() if card == part.fdn)
        details = (
            f"administrative={part.admin_state}, operational={part.oper_state}",
            part.reason,
            f"{mate.name} protects it." if mate is not None else "",
            f"Redundancy is lost: {in_service} of {all_fabrics} fabrics are in service." if all_fabrics > 1 else "",
            f"Down with it: {', '.join(with_it[:MOST_NAMES])}{', …' if len(with_it) > MOST_NAMES else ''}."
            if with_it
            else "",
        )
        found.append(
            Fault(
                key=FaultKey(part.fdn, name),
                severity=_part_severity(part, name, mate, redundant=all_fabrics - in_service == 1 < all_fabrics),
                resource_name=f"{element.name} {part.name}".strip(),
                details=tuple(filter(None, details)),
                vnfc_ids=(part.vnfc.vnfc_id,) if part.vnfc is not None else (),
                roots=(*_chassis_roots(element, part, name), *_part_roots(part, by_fdn, now)),
            )
        )
    return found, earliest(*due_times)


def _cards_on_cards(by_fdn: Mapping[str, ObservedPart], now: datetime) -> Mapping[str, str]:
    """Cards that are down on a card that is down or starts, by FDN, with the FDN of the outermost such card."""
    found = {}
    for part in by_fdn.values():
        if _part_fault_type(part, now) == "CardDown":
            cards = [each for each in _above(part, by_fdn) if each.equipment_class in CARDS]
            above = [each.fdn for each in cards if _starts(each, now) or _part_fault_type(each, now) == "CardDown"]
            if above:
                found[part.fdn] = above[-1]
    return found


def _fabrics(part: ObservedPart, by_fdn: Mapping[str, ObservedPart]) -> tuple[int, int]:
    """The number of fabrics of the part's shelf in service, and of all; 0 of 0 where the part is not a fabric.

    Fabrics share the load of a shelf, with one more than it needs (N+1).
    """
    if part.equipment_class != "FABRIC":
        return 0, 0
    states = [
        each.oper_state
        for each in by_fdn.values()
        if (each.equipment_class, each.parent_fdn) == ("FABRIC", part.parent_fdn) and each.oper_state != "EMPTY"
    ]
    return states.count("IN_SERVICE"), len(states)


def _part_fault_type(part: ObservedPart, now: datetime) -> str | None:
    """CardDown, PortDown or EquipmentDown of a part that is not in service and should be.

    None where it is administratively down, while it starts, and when its VM was stopped on request. A part whose
    administrative state is not known is not administratively down; a port may be.
    """
    is_port = part.equipment_class == "PORT"
    if part.oper_state not in NOT_IN_SERVICE or part.admin_state == "DOWN" or (is_port and part.admin_state != "UP"):
        return None
    if part.oper_state in STARTING and now - part.since < STARTING_LIMIT:
        return None
    return None if _stopped(part) else _fault_type_of(part.equipment_class)


def _fault_type_of(equipment_class: str) -> str | None:
    if equipment_class in CARDS:
        return "CardDown"
    if equipment_class == "PORT":
        return "PortDown"
    return "EquipmentDown" if equipment_class in PARTS else None


def _unknown_fault_type(part: ObservedPart) -> str | None:
    """The fault that the part may have: its state is unknown, or a port is not in service that may be shut.

    None where a resync accepted the unknown state: of a slot that was emptied, nothing else may ever be known.
    """
    if part.admin_state == "DOWN":
        return None
    unknown = part.oper_state == "UNKNOWN" and UNKNOWN_ACCEPTED not in part.extra
    may_be_shut = (part.equipment_class, part.admin_state) == ("PORT", "UNKNOWN") and part.oper_state in NOT_IN_SERVICE
    return _fault_type_of(part.equipment_class) if unknown or may_be_shut else None


def _stopped(part: ObservedPart) -> bool:
    """Its VM was stopped on request."""
    return part.vnfc is not None and part.vnfc.desired_stopped and not part.vnfc.faults


def _above(part: ObservedPart, by_fdn: Mapping[str, ObservedPart]) -> Iterator[ObservedPart]:
    """The parts that contain it, the nearest first; an element may report containment in circles."""
    visited = {part.fdn}
    above = by_fdn.get(part.parent_fdn)
    while above is not None and above.fdn not in visited:
        yield above
        visited.add(above.fdn)
        above = by_fdn.get(above.parent_fdn)


def _on_a_stopped_vm(part: ObservedPart, by_fdn: Mapping[str, ObservedPart]) -> bool:
    """A card above it is not in service, or in an unknown state, because its VM was stopped on request."""
    states = NOT_IN_SERVICE | {"UNKNOWN"}
    return any(_stopped(above) and above.oper_state in states for above in _above(part, by_fdn))


def _redundant_card(part: ObservedPart, by_fdn: Mapping[str, ObservedPart]) -> ObservedPart | None:
    """The card in service that takes over: another control card, or that of the mate of its VNFC."""
    mate_id = part.vnfc.mate_id if part.vnfc is not None else ""
    for other in by_fdn.values():
        control = part.equipment_class == other.equipment_class == "CPM"
        mate = bool(mate_id) and other.vnfc is not None and other.vnfc.vnfc_id == mate_id
        if (control or mate) and other.oper_state == "IN_SERVICE" and other.fdn != part.fdn:
            return other
    return None


def _part_severity(part: ObservedPart, name: str, mate: ObservedPart | None, *, redundant: bool) -> Severity:
    """`redundant`: all others that share its load are in service."""
    if name == "CardDown" and (part.equipment_class == "MDA" or mate is not None):
        return Severity.MAJOR
    if redundant:
        return Severity.MINOR
    return DICTIONARY[name].severity


def _chassis_roots(element: ObservedElement, part: ObservedPart, name: str) -> tuple[FaultKey, ...]:
    """The fault of the same part at the chassis of a Virtual System; a port belongs to one system alone."""
    if not element.host_element or part.equipment_class == "PORT":
        return ()
    fdn = part.fdn.replace(f"network:{element.address}:", f"network:{element.host_address}:", 1)
    return (FaultKey(fdn, name, ManagedObject(ObjectType.NETWORK_ELEMENT, element.host_element)),)


def _part_roots(part: ObservedPart, by_fdn: Mapping[str, ObservedPart], now: datetime) -> Iterator[FaultKey]:
    """Faults of the VM that realises the part; then those of the parts above it, and of their VMs.

    A part above it in an unknown state is the cause if its alarm is open.
    """
    if part.vnfc is not None:
        yield from part.vnfc.causes
    on_cards = _cards_on_cards({each.fdn: each for each in (part, *_above(part, by_fdn))}, now)
    for above in _above(part, by_fdn):
        name = _part_fault_type(above, now) or _unknown_fault_type(above)
        if name is not None and above.fdn not in on_cards:
            yield FaultKey(above.fdn, name)
        if above.vnfc is not None:
            yield from above.vnfc.causes


def _interface_faults(
    element: ObservedElement, by_fdn: Mapping[str, ObservedPart], faulty: Collection[str], now: datetime
) -> list[Fault]:
    """PortDown of interfaces that are down: logical ones, and all without an ENTITY-MIB.

    A router interface whose port is down has no fault of its own. One that is a port of the equipment tree has the
    port's, also where the tree does not have it as down: the two disagree, and the interface is the exact one.
    """
    ports = _ports(element)
    found = []
    for interface in element.interfaces:
        if interface.port_down or interface.admin != "UP" or interface.oper not in INTERFACE_DOWN:
            continue
        port = ports.get(interface.if_index)
        if port is not None and (port.fdn in faulty or _is_explained(port, by_fdn, now)):
            continue
        if port is not None and (port.oper_state, interface.oper) == ("EMPTY", "NOT_PRESENT"):
            continue  # a cage that holds nothing
        below = interface.port_if_index
        on_port = (_port_key(element, ports, below),) if below is not None else ()
        states = f"administrative={port.admin_state}, operational={port.oper_state}" if port is not None else ""
        details = (
            f"administrative=UP, operational={interface.oper}",
            f"The equipment table has it as {states}." if states else "",
        )
        found.append(
            Fault(
                _port_key(element, ports, interface.if_index),
                DICTIONARY["PortDown"].severity,
                f"{element.name} {port.name if port is not None else interface.name}".strip(),
                tuple(filter(None, details)),
                roots=tuple(_part_roots(port, by_fdn, now)) if port is not None else on_port,
            )
        )
    return found


def _ports(element: ObservedElement) -> Mapping[int, ObservedPart]:
    """Ports of the equipment tree by their ifIndex."""
    return {part.if_index: part for part in element.parts if part.equipment_class == "PORT" and part.if_index}


def _unknown_keys(element: ObservedElement, by_fdn: Mapping[str, ObservedPart], now: datetime) -> Iterator[FaultKey]:
    """The faults of parts, interfaces, peers, neighbours and facts whose state is unknown.

    A port's state is that of its interface as far as that is known: the interface is the exact one.
    """
    ports = _ports(element)
    exact = {row.if_index for row in element.interfaces if not _is_unknown(row)}
    for part in element.parts:
        name = _unknown_fault_type(part)
        is_exact = part.equipment_class == "PORT" and part.if_index in exact
        if name is not None and not (is_exact or _stopped(part) or _on_a_stopped_vm(part, by_fdn)):
            yield FaultKey(part.fdn, name)
    for row in element.interfaces:
        port = ports.get(row.if_index)
        decided = port is not None and (port.oper_state == "EMPTY" or _is_explained(port, by_fdn, now))
        if _is_unknown(row) and not (row.port_down or decided):
            yield _port_key(element, ports, row.if_index)
    yield from unknown_peer_keys(element)
    for fact in element.facts:
        name = unknown_fault_type(fact)
        if name is not None:
            yield _fact_key(element, fact, name)


def _is_unknown(interface: InterfaceState) -> bool:
    """Return whether the interface may be down though it should not be: one of its two states is unknown."""
    states = interface.admin, interface.oper
    may_be_down = interface.admin in {"UP", "UNKNOWN"} and interface.oper in INTERFACE_DOWN | {"UNKNOWN"}
    return may_be_down and "UNKNOWN" in states


def _port_key(element: ObservedElement, ports: Mapping[int, ObservedPart], if_index: int) -> FaultKey:
    """The fault of an interface: that of its port, where the equipment tree has it."""
    port = ports.get(if_index)
    return FaultKey(port.fdn if port is not None else interface_fdn(element, if_index), "PortDown")


def _is_explained(port: ObservedPart, by_fdn: Mapping[str, ObservedPart], now: datetime) -> bool:
    """Its VM was stopped on request, or it starts."""
    return _starts(port, now) or _on_a_stopped_vm(port, by_fdn)


def _starts(part: ObservedPart, now: datetime) -> bool:
    return part.oper_state in STARTING and now - part.since < STARTING_LIMIT


_AMOUNT = pattern(r"\d{4,}")
"""In an element's text a long number is an amount, of routes or octets, and changes; slots and ports are short."""


def _fact_fault(element: ObservedElement, fact: FactState, parts: Sequence[Fault]) -> Fault | None:
    found = fault_of(fact)
    if found is None:
        return None
    label = " ".join(filter(None, (element.name, fact.subject)))
    details = (f"{fact.name}={fact.value}",)
    roots = tuple(_fact_roots(element, found.fault_type, parts))
    return Fault(_fact_key(element, fact, found.fault_type), found.severity, label, details, roots=roots)


def _fact_key(element: ObservedElement, fact: FactState, fault_type: str) -> FaultKey:
    subject = _AMOUNT.sub("#", fact.subject)
    return FaultKey(":".join(filter(None, (element.element_id, fact.name, subject))), fault_type)


def _fact_roots(element: ObservedElement, fault_type: str, parts: Sequence[Fault]) -> Iterator[FaultKey]:
    """A control card that is down is the root cause of RedundancyLost."""
    if fault_type == "RedundancyLost":
        control = {part.fdn for part in element.parts if part.equipment_class == "CPM"}
        yield from (fault.key for fault in parts if fault.key.faulty_resource in control)
