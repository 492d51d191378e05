"""Elements to evaluate: a VSR of two control VMs and two data path cards, without faults."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from vnfm.elements.domain.part_states import InterfaceState
from vnfm.faults.domain.evaluation_result import FaultKey, ManagedObject, ObjectType
from vnfm.faults.domain.observed_element import (
    ControlVm,
    ObservedElement,
    ObservedPart,
    ObservedPeer,
    RealisingVnfc,
)

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
LONG_AGO = NOW - timedelta(hours=1)
VNF = ManagedObject(ObjectType.VNF_INSTANCE, "vnf-1")
VM_DOWN = FaultKey("server-1", "VmDown", VNF)
SHELF = "network:10.0.0.1:shelf-1"


def part(fdn: str, equipment_class: str, parent: str = SHELF, **fields: object) -> ObservedPart:
    defaults: dict[str, object] = {
        "fdn": fdn,
        "parent_fdn": parent,
        "equipment_class": equipment_class,
        "name": fdn.rpartition(":")[2],
        "admin_state": "UP",
        "oper_state": "IN_SERVICE",
        "reason": "",
        "since": LONG_AGO,
    }
    return ObservedPart(**defaults | fields)  # type: ignore[arg-type]  # fields of it


CPM_A = part(f"{SHELF}:cardSlot-A:card", "CPM")
CPM_B = part(f"{SHELF}:cardSlot-B:card", "CPM")
CARD = part(f"{SHELF}:cardSlot-1:card", "CARD", vnfc=RealisingVnfc("v-1", desired_stopped=False))
MDA = part(f"{CARD.fdn}:daughterCardSlot-1:daughterCard", "MDA", CARD.fdn)
PORT = part(f"{MDA.fdn}:port-1", "PORT", MDA.fdn, if_index=11)
INTERFACE = InterfaceState(11, "1/1/1", admin="UP", oper="UP", since=LONG_AGO, addresses=("192.0.2.1/24",))
PEER = ObservedPeer("", "192.0.2.2", 65001, "UP", "ESTABLISHED", since=LONG_AGO)
VSR = ObservedElement(
    element_id="ne-1",
    name="vsr-1",
    state="MANAGED",
    reachable="True",
    reachable_message="",
    reachable_since=LONG_AGO,
    resync_state="DONE",
    parts=(part(SHELF, "CHASSIS", "network:10.0.0.1"), CPM_A, CPM_B, CARD, MDA, PORT),
    interfaces=(INTERFACE,),
    peers=(PEER,),
    control=(ControlVm("cpm-A"), ControlVm("cpm-B")),
)


def with_part(element: ObservedElement, changed: ObservedPart) -> ObservedElement:
    return replace(element, parts=tuple(changed if each.fdn == changed.fdn else each for each in element.parts))
