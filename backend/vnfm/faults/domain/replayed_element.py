"""The alarms of an element of which nothing is known but one reading. Pure."""

from datetime import datetime

from vnfm.elements.domain.snapshot import Snapshot
from vnfm.faults.domain.evaluate_element import INTERFACE_DOWN, NEIGHBOUR_LOST, evaluate_element
from vnfm.faults.domain.evaluation_result import Fault
from vnfm.faults.domain.observed_element import (
    FactState,
    InterfaceState,
    LostNeighbour,
    ObservedElement,
    ObservedPart,
    ObservedPeer,
)


def alarms_of(snapshot: Snapshot, name: str, address: str, now: datetime) -> tuple[Fault, ...]:
    """As if all states were entered now: what needs time to become an alarm is none yet."""
    interfaces = snapshot.interfaces or ()
    down = {row.if_index for row in interfaces if row.oper in INTERFACE_DOWN and row.admin == "UP"}
    shut = {row.if_index for row in interfaces if row.admin == "DOWN"}
    element = ObservedElement(
        element_id="replay",
        name=name,
        state="MANAGED",
        reachable="True",
        reachable_message="",
        reachable_since=now,
        address=address,
        parts=tuple(
            ObservedPart(
                fdn=part.fdn,
                parent_fdn=part.parent_fdn,
                equipment_class=part.equipment_class,
                name=part.name,
                admin=part.admin_state,
                oper=part.oper_state,
                reason=part.reason,
                since=now,
                if_index=part.if_index,
            )
            for part in snapshot.equipment or ()
        ),
        interfaces=tuple(
            InterfaceState(
                if_index=row.if_index,
                name=row.name,
                admin=row.admin,
                oper=row.oper,
                since=now,
                addresses=row.addresses,
                port_if_index=row.port_if_index,
                port_down=row.port_if_index in down,
            )
            for row in interfaces
        ),
        peers=tuple(
            ObservedPeer(peer.vrf, peer.peer_address, peer.remote_as, peer.admin_state, peer.state, now)
            for peer in snapshot.bgp_peers or ()
        ),
        lost_neighbours=tuple(
            LostNeighbour(
                protocol=row.protocol,
                local_port=row.local_port,
                if_index=row.if_index,
                remote_id=row.remote_id,
                remote_port=row.remote_port,
                remote_name=row.remote_name,
                state=row.state,
                since=now,
            )
            for row in snapshot.adjacencies or ()
            if row.state in NEIGHBOUR_LOST and row.if_index not in shut
        ),
        facts=tuple(FactState(fact.name, fact.subject, fact.value, now) for fact in snapshot.facts or ()),
    )
    return evaluate_element(element, now).faults
