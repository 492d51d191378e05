"""The alarms of an element of which nothing is known but one reading. Pure."""

from dataclasses import replace
from datetime import datetime

from vnfm.elements.domain.part_states import FactState, InterfaceState, entered_at
from vnfm.elements.domain.snapshot import Snapshot
from vnfm.faults.domain.evaluate_element import INTERFACE_DOWN, evaluate_element
from vnfm.faults.domain.evaluation_result import Fault
from vnfm.faults.domain.observed_element import ObservedElement, ObservedNeighbour, ObservedPart, ObservedPeer


def alarms_of(snapshot: Snapshot, name: str, address: str, now: datetime) -> tuple[Fault, ...]:
    """Return its alarms as if all states were entered now: what needs time to become an alarm is none yet."""
    interfaces = entered_at(now, InterfaceState, snapshot.interfaces)
    down = {row.if_index for row in interfaces if row.oper in INTERFACE_DOWN and row.admin == "UP"}
    shut = {row.if_index for row in interfaces if row.admin == "DOWN"}
    neighbours = entered_at(now, ObservedNeighbour, snapshot.adjacencies)
    element = ObservedElement(
        element_id="replay",
        name=name,
        state="MANAGED",
        reachable="True",
        reachable_message="",
        reachable_since=now,
        resync_state="DONE",
        address=address,
        parts=entered_at(now, ObservedPart, snapshot.equipment),
        interfaces=tuple(replace(row, port_down=row.port_if_index in down) for row in interfaces),
        peers=entered_at(now, ObservedPeer, snapshot.bgp_peers),
        neighbours=tuple(row for row in neighbours if row.if_index not in shut),
        facts=entered_at(now, FactState, snapshot.facts),
    )
    return evaluate_element(element, now).faults
