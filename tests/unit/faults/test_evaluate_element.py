"""Faults of a network element, and their root causes, from its observed state."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.unit.faults.elements import (
    CARD,
    CPM_A,
    CPM_B,
    INTERFACE,
    MDA,
    NOW,
    PEER,
    PORT,
    SHELF,
    VM_DOWN,
    VSR,
    part,
    with_part,
)
from vnfm.elements.domain.part_states import FactState
from vnfm.faults.domain.element_facts import CHASSIS, SYSTEM
from vnfm.faults.domain.evaluate_element import NOT_IN_SERVICE, STARTING, STARTING_LIMIT, evaluate_element
from vnfm.faults.domain.evaluation_result import Fault, FaultKey, ManagedObject, ObjectType
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.observed_element import ControlVm, ObservedElement, ObservedNeighbour, RealisingVnfc

BOTH = tuple(FaultKey(f"server-{slot}", "VmDown", VM_DOWN.owner) for slot in "AB")


def faults(element: ObservedElement) -> dict[FaultKey, Fault]:
    return {fault.key: fault for fault in evaluate_element(element, NOW).faults}


def names(element: ObservedElement) -> list[str]:
    return [key.fault_type for key in faults(element)]


def test_a_healthy_element_has_no_faults() -> None:
    assert names(VSR) == []


def test_a_deleted_element_has_no_faults() -> None:
    assert evaluate_element(None, NOW).faults == ()


@pytest.mark.parametrize("oper", sorted(NOT_IN_SERVICE))
def test_a_card_that_is_up_and_not_in_service_is_down(oper: str) -> None:
    (fault,) = faults(with_part(VSR, replace(CARD, oper_state=oper, reason="no card"))).values()
    assert (fault.key, fault.severity) == (FaultKey(CARD.fdn, "CardDown"), Severity.CRITICAL)
    assert fault.details == (f"administrative=UP, operational={oper}", "no card")
    assert fault.vnfc_ids == ("v-1",)


def test_an_mda_on_a_card_that_starts_has_no_alarm_before_the_limit() -> None:
    down = with_part(VSR, replace(MDA, oper_state="PROVISIONED"))
    assert names(with_part(down, replace(CARD, oper_state="BOOTING", since=NOW))) == []
    late = with_part(down, replace(CARD, oper_state="BOOTING"))
    assert names(late) == ["CardDown"], "the card's, which names the MDA"


def test_an_mda_that_fails_alone_has_an_alarm_and_so_has_a_part_whose_administrative_state_is_unknown() -> None:
    (fault,) = faults(with_part(VSR, replace(MDA, oper_state="FAILED", admin_state="UNKNOWN"))).values()
    assert (fault.key, fault.severity) == (FaultKey(MDA.fdn, "CardDown"), Severity.MAJOR)
    port = replace(PORT, oper_state="OUT_OF_SERVICE", admin_state="UNKNOWN")
    assert names(with_part(VSR, port)) == [], "it may be shut"


@pytest.mark.parametrize(
    ("lost", "severity", "words"),
    [(1, Severity.MINOR, "7 of 8"), (2, Severity.MAJOR, "6 of 8"), (8, Severity.MAJOR, "0 of 8")],
)
def test_one_fabric_of_several_only_costs_redundancy(lost: int, severity: Severity, words: str) -> None:
    """Seed 003: NE9000-20 with eight SFUs, of which it needs seven."""
    fabrics = tuple(
        part(f"{SHELF}:cardSlot-{slot}:card", "FABRIC", oper_state="MISSING" if slot < lost else "IN_SERVICE")
        for slot in range(8)
    )
    vacant = part(f"{SHELF}:cardSlot-9:card", "FABRIC", oper_state="EMPTY")
    found = list(faults(replace(VSR, parts=(*VSR.parts, *fabrics, vacant))).values())
    assert [fault.severity for fault in found] == [severity] * lost
    assert found[0].details[-1] == f"Redundancy is lost: {words} fabrics are in service."


def test_the_only_fabric_is_major() -> None:
    only = part(f"{SHELF}:fabric-1", "FABRIC", oper_state="FAILED")
    (fault,) = faults(replace(VSR, parts=(*VSR.parts, only))).values()
    assert (fault.key.fault_type, fault.severity) == ("EquipmentDown", Severity.MAJOR)
    assert fault.details == ("administrative=UP, operational=FAILED",)


@pytest.mark.parametrize(
    ("admin", "oper"), [("DOWN", "FAILED"), ("UNKNOWN", "EMPTY"), ("UP", "UNKNOWN"), ("UP", "EMPTY")]
)
def test_administratively_down_and_unknown_states_are_no_faults(admin: str, oper: str) -> None:
    assert names(with_part(VSR, replace(CARD, admin_state=admin, oper_state=oper))) == []


@pytest.mark.parametrize("oper", sorted(STARTING))
def test_a_starting_card_is_no_fault_before_the_limit(oper: str) -> None:
    started = NOW - timedelta(seconds=9)
    result = evaluate_element(with_part(VSR, replace(CARD, oper_state=oper, since=started)), NOW)
    assert (result.faults, result.due_at) == ((), started + STARTING_LIMIT)


def test_the_chain_of_root_causes_from_vm_to_bgp_peer() -> None:
    realised = RealisingVnfc("v-1", desired_stopped=False, faults=(VM_DOWN,))
    down = VSR
    for each in (replace(CARD, oper_state="PROVISIONED", vnfc=realised), replace(MDA, oper_state="FAILED")):
        down = with_part(down, each)
    down = with_part(down, replace(PORT, oper_state="OUT_OF_SERVICE"))
    found = faults(replace(down, peers=(replace(PEER, state="ACTIVE"),)))
    roots = {fault.key.fault_type + fault.key.faulty_resource[-7:]: fault.root for fault in found.values()}
    card, port = FaultKey(CARD.fdn, "CardDown"), FaultKey(PORT.fdn, "PortDown")
    assert [found[key].root for key in (card, port)] == [VM_DOWN, card]
    assert found[card].details[-1] == f"Down with it: {MDA.name}."
    peer = next(fault for key, fault in found.items() if key.fault_type == "BgpPeerDown")
    assert peer.root == port
    assert len(roots) == 3, "the MDA is a consequence of the card, without an alarm of its own"


def test_a_lost_bfd_session_is_major_and_follows_from_its_port() -> None:
    session = ObservedNeighbour("BFD", "1/1/1", "192.0.2.9", if_index=11, state="DOWN", since=NOW)
    (found,) = [one for one in faults(replace(VSR, neighbours=(session,))).values() if "BFD" in one.resource_name]
    assert (found.key.fault_type, found.severity.value) == ("NeighbourLost", "MAJOR")
    assert found.resource_name.endswith("BFD neighbour on 1/1/1")


def test_the_port_of_a_router_interface_causes_the_peer_behind_it() -> None:
    """It is as on SR OS: the address is on an interface of its own, which says on which port it is."""
    router_interface = replace(INTERFACE, if_index=2, name="to-core", oper="DOWN", port_if_index=11, port_down=True)
    down = with_part(replace(VSR, interfaces=(router_interface,)), replace(PORT, oper_state="OUT_OF_SERVICE"))
    found = faults(replace(down, peers=(replace(PEER, state="ACTIVE"),)))
    assert sorted(key.fault_type for key in found) == ["BgpPeerDown", "PortDown"], "the interface went with its port"
    peer = next(fault for key, fault in found.items() if key.fault_type == "BgpPeerDown")
    assert peer.root == FaultKey(PORT.fdn, "PortDown")


def test_a_router_interface_that_is_down_by_itself_causes_the_peer_behind_it() -> None:
    router_interface = replace(INTERFACE, if_index=2, name="to-core", oper="DOWN", port_if_index=11)
    found = faults(replace(VSR, interfaces=(router_interface,), peers=(replace(PEER, state="ACTIVE"),)))
    own = FaultKey(f"{VSR.element_id}:interface-2", "PortDown")
    assert set(found) > {own}
    assert next(fault.root for key, fault in found.items() if key.fault_type == "BgpPeerDown") == own


def test_an_interface_on_a_port_that_is_administratively_down_is_no_fault() -> None:
    router_interface = replace(INTERFACE, if_index=2, oper="DOWN", port_if_index=11, port_down=True)
    assert names(replace(VSR, interfaces=(router_interface,))) == []


def test_a_card_whose_vm_was_stopped_on_request_is_no_fault_nor_are_its_ports() -> None:
    stopped = with_part(VSR, replace(CARD, oper_state="PROVISIONED", vnfc=RealisingVnfc("v-1", desired_stopped=True)))
    assert names(with_part(stopped, replace(PORT, oper_state="OUT_OF_SERVICE"))) == []


def test_a_dead_host_is_the_root_cause_of_a_card_down() -> None:
    dead = FaultKey("compute-1", "HypervisorDown", ManagedObject(ObjectType.VIM, "vim-1"))
    realised = RealisingVnfc("v-1", desired_stopped=False, host=(dead,))
    lost = with_part(VSR, replace(CARD, oper_state="FAILED", vnfc=realised))
    assert faults(lost)[FaultKey(CARD.fdn, "CardDown")].root == dead
    stopped = with_part(VSR, replace(CARD, oper_state="FAILED", vnfc=replace(realised, desired_stopped=True)))
    assert names(stopped) == [], "stopped on request"
    both = replace(realised, faults=(VM_DOWN,))
    failed = with_part(VSR, replace(CARD, oper_state="FAILED", vnfc=both))
    assert faults(failed)[FaultKey(CARD.fdn, "CardDown")].root == VM_DOWN


def test_a_control_card_down_is_the_root_cause_of_lost_redundancy() -> None:
    lost = replace(
        with_part(VSR, replace(CPM_A, oper_state="FAILED")),
        facts=(FactState("redundancy", CPM_B.fdn, "redundantSplit", NOW),),
    )
    (fault,) = (fault for fault in faults(lost).values() if fault.key.fault_type == "RedundancyLost")
    assert fault.root == FaultKey(CPM_A.fdn, "CardDown")


def test_amounts_in_an_elements_text_do_not_change_the_fault_key() -> None:
    def active_alarm(slot: int, routes: int) -> FactState:
        return FactState("active_alarm", f"major: fib-overload: slot {slot}: {routes} routes", "", NOW)

    first, later, other = (
        set(faults(replace(VSR, facts=(active_alarm(*each),)))) for each in ((1, 5632000), (1, 5632017), (2, 5632000))
    )
    assert first == later != other


def test_a_control_card_is_major_with_its_redundant_card_in_service_else_critical() -> None:
    one = with_part(VSR, replace(CPM_A, oper_state="FAILED"))
    (fault,) = faults(one).values()
    assert fault.severity is Severity.MAJOR
    both = with_part(one, replace(CPM_B, oper_state="FAILED"))
    assert {fault.severity for fault in faults(both).values()} == {"CRITICAL"}


@pytest.mark.parametrize(
    ("mate_id", "mate_oper", "severity"),
    [("v-2", "IN_SERVICE", "MAJOR"), ("v-2", "FAILED", "CRITICAL"), ("v-9", "IN_SERVICE", "CRITICAL")],
)
def test_a_card_of_a_pair_is_major_while_its_mate_is_in_service(mate_id: str, mate_oper: str, severity: str) -> None:
    own = replace(CARD, oper_state="FAILED", vnfc=RealisingVnfc("v-1", desired_stopped=False, mate_id=mate_id))
    realised = RealisingVnfc("v-2", desired_stopped=False)
    mate = part(f"{SHELF}:cardSlot-2:card", "CARD", oper_state=mate_oper, vnfc=realised)
    element = with_part(replace(VSR, parts=(*VSR.parts, mate)), own)
    fault = faults(element)[FaultKey(CARD.fdn, "CardDown")]
    assert fault.severity == severity
    assert ("card protects it." in fault.details) == (severity == "MAJOR")


@pytest.mark.parametrize("equipment_class", ["FAN", "POWER_SUPPLY", "FABRIC", "OTHER"])
def test_other_parts(equipment_class: str) -> None:
    broken = replace(VSR, parts=(*VSR.parts, part(f"{SHELF}:x-1", equipment_class, oper_state="FAILED")))
    assert names(broken) == ["EquipmentDown"]


def test_an_interface_outside_of_the_equipment_tree_is_a_port() -> None:
    loopback = replace(INTERFACE, if_index=12, name="system", oper="DOWN")
    assert names(replace(VSR, interfaces=(INTERFACE, loopback))) == ["PortDown"]
    assert names(replace(VSR, interfaces=(replace(loopback, admin="DOWN"),))) == []


@pytest.mark.parametrize("oper", ["IN_SERVICE", "UNKNOWN", "EMPTY"])
def test_an_interface_that_is_down_has_an_alarm_whatever_the_equipment_table_says(oper: str) -> None:
    down = replace(with_part(VSR, replace(PORT, oper_state=oper)), interfaces=(replace(INTERFACE, oper="DOWN"),))
    (fault,) = faults(down).values()
    assert fault.key == FaultKey(PORT.fdn, "PortDown")
    assert fault.details == (
        "administrative=UP, operational=DOWN",
        f"The equipment table has it as administrative=UP, operational={oper}.",
    )
    both = with_part(down, replace(PORT, oper_state="OUT_OF_SERVICE"))
    assert list(faults(both)) == [fault.key], "the same alarm, once"
    starting = with_part(down, replace(PORT, oper_state="DIAGNOSING", since=NOW))
    assert names(starting) == []
    stopped = with_part(down, replace(CARD, oper_state="PROVISIONED", vnfc=RealisingVnfc("v-1", desired_stopped=True)))
    assert names(stopped) == []


def test_a_peer_that_is_unreachable_causes_the_loss_of_the_session() -> None:
    lost = replace(PEER, state="IDLE", element="ne-2")
    (fault,) = faults(replace(VSR, peers=(lost,))).values()
    assert fault.roots == (FaultKey("ne-2", "NodeUnreachable", ManagedObject(ObjectType.NETWORK_ELEMENT, "ne-2")),)
    assert names(replace(VSR, peers=(replace(lost, admin_state="DOWN"),))) == []
    assert names(replace(VSR, peers=(replace(lost, state="UNKNOWN"),))) == []


def test_both_control_vms_at_fault_are_the_root_causes_of_unreachability() -> None:
    control = tuple(ControlVm(f"cpm-{key.faulty_resource[-1]}", (key,)) for key in BOTH)
    lost = replace(VSR, reachable="False", reachable_message="No answer to SNMP.", control=control)
    result = evaluate_element(lost, NOW)
    (fault,) = result.faults
    assert (fault.key.fault_type, fault.severity, fault.roots) == ("NodeUnreachable", "CRITICAL", BOTH)
    assert fault.details == ("No answer to SNMP.",)
    assert result.unobservable == fault.key


def test_unreachability_with_a_running_control_vm_has_no_root_cause() -> None:
    one = (ControlVm("cpm-A", BOTH[:1]), ControlVm("cpm-B"))
    for control in (one, VSR.control, ()):
        (fault,) = evaluate_element(replace(VSR, reachable="False", control=control), NOW).faults
        assert fault.roots == ()


def test_a_virtual_system_is_lost_with_its_chassis() -> None:
    (fault,) = evaluate_element(replace(VSR, reachable="False", host_element="ne-9"), NOW).faults
    assert fault.root == FaultKey("ne-9", "NodeUnreachable", ManagedObject(ObjectType.NETWORK_ELEMENT, "ne-9"))


def test_a_board_that_fails_is_one_root_cause_for_all_virtual_systems_of_its_chassis() -> None:
    system = replace(VSR, host_element="ne-9", address="10.0.0.1", host_address="10.0.0.9")
    system = with_part(system, replace(CARD, vnfc=None, oper_state="FAILED"))
    system = with_part(system, replace(PORT, oper_state="FAILED"))
    found = {fault.key.fault_type: fault for fault in evaluate_element(system, NOW).faults}
    chassis = ManagedObject(ObjectType.NETWORK_ELEMENT, "ne-9")
    board = CARD.fdn.replace("10.0.0.1", "10.0.0.9")
    assert found["CardDown"].root == FaultKey(board, "CardDown", chassis)
    assert found["PortDown"].root == FaultKey(CARD.fdn, "CardDown"), "a port is its system's own"


@pytest.mark.parametrize(("state", "name"), [("UNMANAGED", "NotManaged"), ("SUSPENDED", "Suspended")])
def test_an_unmanaged_element_has_no_other_faults(state: str, name: str) -> None:
    result = evaluate_element(replace(with_part(VSR, replace(CARD, oper_state="FAILED")), state=state), NOW)
    assert [fault.key.fault_type for fault in result.faults] == [name]
    assert result.unobservable == result.faults[0].key


def test_unknown_reachability_leaves_all_fault_types_undecided() -> None:
    result = evaluate_element(replace(with_part(VSR, replace(CARD, oper_state="FAILED")), reachable="Unknown"), NOW)
    assert result.faults == ()
    assert {"CardDown", "NodeUnreachable"} <= result.undecided


def test_resync_and_missed_traps() -> None:
    assert names(replace(VSR, resync_state="FAILED", resync_problem="Refused")) == ["ResyncFailed"]
    assert names(replace(VSR, trap_gap_since=NOW)) == ["TrapGap"]


@pytest.mark.parametrize(
    ("fact", "value", "name"),
    [
        ("licence", "invalid", "LicenceInvalid"),
        ("licence", "valid", None),
        ("licence", "unknown", None),
        ("licence_expiry", "in 9 days", "LicenceExpiring"),
        ("redundancy", "redundantSynching", "RedundancyLost"),
        ("redundancy", "redundantActive", None),
        ("redundancy_sync", "configFail", "RedundancyLost"),
        ("FibOverload", "raised", "FibOverload"),
        ("acmeDoorOpen", "raised", "ElementReport"),
        ("last_backup", "2016-02-09", None),
    ],
)
def test_facts(fact: str, value: str, name: str | None) -> None:
    element = replace(VSR, facts=(FactState(fact, "slot 1", value, NOW),))
    assert names(element) == ([] if name is None else [name])


@pytest.mark.parametrize(
    ("words", "notification", "name"),
    [
        ("critical: tmnxSysLicenseInvalid: system: not of this system", f"{SYSTEM}59", None),
        ("warning: tmnxSysLicenseExpiresSoon: system: 9 days", f"{SYSTEM}60", "LicenceExpiring"),
        ("minor: tmnxEqWrongCard: slot 3: iom-v expected", f"{CHASSIS}10", "WrongCard"),
        ("major: tmnxEnvTempTooHigh: card 1: 80 C", f"{CHASSIS}2", "Overheated"),
        ("major: tmnxPeOutOfMemory: system", f"{CHASSIS}17", "OutOfMemory"),
        ("major: tmnxEqCardFailure: slot 1: no answer", f"{CHASSIS}7", None),
        ("The FIB of slot 3 is overloaded; FIB overload suspend", "", "FibOverload"),
        ("Number of routes reached its limit", "", "RoutesNearLimit"),
        ("Interface Ethernet1/0/0 is down", "", None),
        ("minor: acmeDoorOpen: rack 7", "1.3.6.1.4.1.99.1", "ElementReport"),
    ],
)
def test_active_alarms_of_the_element(words: str, notification: str, name: str | None) -> None:
    element = replace(VSR, facts=(FactState("active_alarm", words, notification, NOW),))
    assert names(element) == ([] if name is None else [name])


def test_a_report_is_as_severe_as_its_trap_catalogue_says() -> None:
    (fault,) = faults(replace(VSR, facts=(FactState("acmeFire", "", "critical", NOW),))).values()
    assert fault.severity is Severity.CRITICAL


def test_a_neighbour_that_is_unreachable_causes_its_loss() -> None:
    ospf = ObservedNeighbour("OSPF", "1/1/1", "192.0.2.9", if_index=11, state="LOST", since=NOW, element="ne-2")
    lldp = replace(ospf, protocol="LLDP", local_port="", remote_id="02:00:5e:00:53:01", remote_name="sr12", element="")
    found = {fault.resource_name: fault for fault in faults(replace(VSR, neighbours=(ospf, lldp))).values()}
    lost, unknown = (
        found[f"{VSR.name} {words}"] for words in ("OSPF neighbour on 1/1/1", "LLDP neighbour 02:00:5e:00:53:01")
    )
    assert lost.roots == (FaultKey("ne-2", "NodeUnreachable", ManagedObject(ObjectType.NETWORK_ELEMENT, "ne-2")),)
    assert (lost.severity, unknown.severity, unknown.roots) == (Severity.MAJOR, Severity.MINOR, ())
    assert unknown.details == ("neighbour=sr12", "state=LOST")


def test_the_port_of_a_router_interface_causes_the_loss_of_the_neighbour_on_it() -> None:
    router_interface = replace(INTERFACE, if_index=2, name="to-core", oper="DOWN", port_if_index=11, port_down=True)
    down = with_part(replace(VSR, interfaces=(router_interface,)), replace(PORT, oper_state="OUT_OF_SERVICE"))
    neighbour = ObservedNeighbour("OSPF", "to-core", "192.0.2.9", if_index=2, state="DOWN", since=NOW)
    found = faults(replace(down, neighbours=(neighbour,)))
    assert next(fault.root for key, fault in found.items() if key.fault_type == "NeighbourLost") == FaultKey(
        PORT.fdn, "PortDown"
    )
