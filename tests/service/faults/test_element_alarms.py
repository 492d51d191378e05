"""Alarms of network elements follow their polled tables, and the alarms of their VMs and hosts."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from tests.factories.deployed import make_deployed, make_vnfc
from vnfm.elements.models import Adjacency, BgpPeer, ElementFact, Equipment, Interface, NetworkElement
from vnfm.faults.models import Alarm, Assessment
from vnfm.faults.reconcilers.evaluation import (
    RETRY_AFTER,
    evaluate_all,
    evaluate_elements,
    evaluate_instances,
    evaluate_stale_elements,
)
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit.models import OutboxEvent

pytestmark = pytest.mark.django_db
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


def at(seconds: int) -> datetime:
    return NOW + timedelta(seconds=seconds)


def make_element(name: str = "vsr-1", **fields: object) -> NetworkElement:
    defaults: dict[str, object] = {"kind": "VIRTUAL", "management_address": "10.0.0.1", "reachable": "True"}
    defaults |= {"resync_state": "DONE", "driver": "nokia-sros"}
    return NetworkElement.objects.create(name=name, **defaults | fields)


def add_part(element: NetworkElement, equipment_class: str, fdn: str, parent: str = "", **fields: object) -> Equipment:
    defaults: dict[str, object] = {"equipment_class": equipment_class, "name": fdn, "admin_state": "UP"}
    defaults |= {"oper_state": "IN_SERVICE", "since": NOW, "parent_fdn": parent}
    return Equipment.objects.create(element=element, fdn=fdn, **defaults | fields)


@pytest.fixture
def instance() -> VnfInstance:
    made = make_deployed()
    for slot in ("A", "B", "1"):
        make_vnfc(made, f"vm-{slot}", vdu="iom" if slot == "1" else "cpm", slot=slot)
    return made


@pytest.fixture
def element(instance: VnfInstance) -> NetworkElement:
    """A VSR whose cards are the VMs of `instance`."""
    made = make_element(vnf_instance=instance)
    for slot in ("A", "B", "1"):
        vnfc = Vnfc.objects.get(name=f"vm-{slot}")
        add_part(made, "CARD" if slot == "1" else "CPM", f"card-{slot}", slot=slot, vnfc=vnfc)
    add_part(made, "PORT", "port-1", "card-1", if_index=11)
    Interface.objects.create(
        element=made, if_index=11, name="1/1/1", admin="UP", oper="UP", addresses=["192.0.2.1/24"], since=NOW
    )
    BgpPeer.objects.create(element=made, peer_address="192.0.2.2", admin_state="UP", state="ESTABLISHED", since=NOW)
    return made


def fail(*fdns: str, oper: str = "FAILED") -> None:
    Equipment.objects.filter(fdn__in=fdns).update(oper_state=oper)


def stop(*slots: str, status: str = "SHUTOFF") -> None:
    Vnfc.objects.filter(slot__in=slots).update(status=status, status_since=NOW)


def evaluate(element: NetworkElement, seconds: int = 0) -> int:
    return evaluate_elements(ids=[element.id], now=at(seconds))


def alarm(fault_type: str) -> Alarm:
    return Alarm.objects.get(fault_type=fault_type, cleared_at=None)


def open_types() -> list[str]:
    return sorted(Alarm.objects.filter(cleared_at=None, suppression="").values_list("fault_type", flat=True))


def test_an_alarm_of_an_element(element: NetworkElement) -> None:
    fail("card-1")
    assert evaluate(element) == 1
    card = alarm("CardDown")
    assert (card.managed_object_type, card.managed_object_id, card.managed_object_name) == (
        "NETWORK_ELEMENT",
        element.id,
        "vsr-1",
    )
    assert (card.faulty_resource, card.faulty_resource_name) == ("card-1", "vsr-1 card-1")
    assert evaluate(element, 5) == 0
    fail("card-1", oper="IN_SERVICE")
    assert evaluate(element, 9) == 1
    assert open_types() == []


def test_a_stopped_vm_is_the_root_cause_of_its_card_port_and_peer(
    element: NetworkElement, instance: VnfInstance
) -> None:
    stop("1")
    fail("card-1", oper="PROVISIONED")
    fail("port-1", oper="OUT_OF_SERVICE")
    BgpPeer.objects.update(state="ACTIVE")
    evaluate_instances(ids=[instance.id], now=NOW)
    assert evaluate(element) == 0, "the element was evaluated with the instance that it runs on"
    assert open_types() == ["BgpPeerDown", "CardDown", "PortDown", "VmDown"]
    assert alarm("CardDown").root_cause == alarm("VmDown")
    assert alarm("PortDown").root_cause == alarm("CardDown")
    assert alarm("BgpPeerDown").root_cause == alarm("PortDown")
    stop("1", status="ACTIVE")
    fail("card-1", "port-1", oper="IN_SERVICE")
    evaluate_instances(ids=[instance.id], now=at(5))
    assert open_types() == ["BgpPeerDown"], "the alarm that stays has no root cause"
    assert alarm("BgpPeerDown").root_cause is None


def test_a_port_is_the_root_cause_of_the_peer_behind_its_router_interface(element: NetworkElement) -> None:
    Interface.objects.filter(element=element).update(addresses=[])
    router_interface = {"name": "to-core", "addresses": ["192.0.2.1/24"], "port_if_index": 11}
    Interface.objects.create(element=element, if_index=2, admin="UP", oper="UP", since=NOW, **router_interface)
    fail("port-1", oper="OUT_OF_SERVICE")
    Interface.objects.update(oper="DOWN")
    BgpPeer.objects.update(state="ACTIVE")
    evaluate(element)
    assert open_types() == ["BgpPeerDown", "PortDown"], "the router interface has no alarm next to its port"
    assert alarm("BgpPeerDown").root_cause == alarm("PortDown")
    assert alarm("PortDown").faulty_resource == "port-1"
    Equipment.objects.filter(fdn="port-1").update(admin_state="DOWN")
    Interface.objects.filter(if_index=11).update(admin="DOWN")
    evaluate(element, 5)
    assert open_types() == ["BgpPeerDown"], "the port is administratively down"
    assert alarm("BgpPeerDown").root_cause is None


def test_a_card_alarm_gets_a_root_cause_that_is_raised_later(element: NetworkElement, instance: VnfInstance) -> None:
    fail("card-1", oper="PROVISIONED")
    evaluate(element)
    assert alarm("CardDown").root_cause is None
    stop("1")
    evaluate_instances(ids=[instance.id], now=at(2))
    assert alarm("CardDown").root_cause == alarm("VmDown")
    events = OutboxEvent.objects.filter(aggregate_id=alarm("CardDown").id).order_by("id")
    assert [event.payload["event"] for event in events] == ["raised", "changed"]


def test_a_root_cause_gets_the_severity_of_its_consequences(element: NetworkElement, instance: VnfInstance) -> None:
    stop("A")
    fail("card-A")
    evaluate_instances(ids=[instance.id], now=NOW)
    assert alarm("VmDown").perceived_severity == alarm("CardDown").perceived_severity == "MAJOR", "the others are up"
    Equipment.objects.filter(fdn="card-B").update(oper_state="BOOTING")
    evaluate(element, 1)
    assert alarm("CardDown").perceived_severity == "CRITICAL"
    assert (alarm("VmDown").perceived_severity, alarm("VmDown").evaluated_severity) == ("CRITICAL", "MAJOR")


def test_both_control_vms_down_are_the_root_cause_of_unreachability(
    element: NetworkElement, instance: VnfInstance
) -> None:
    NetworkElement.objects.update(reachable="False", reachable_message="No answer.")
    evaluate(element)
    assert alarm("NodeUnreachable").root_cause is None, "all VMs run: it is the element or the management network"
    stop("A", "B")
    evaluate_instances(ids=[instance.id], now=at(2))
    root = alarm("NodeUnreachable").root_cause
    assert root is not None
    assert (root.fault_type, root.managed_object_id) == ("VmDown", instance.id)


def test_open_alarms_stay_under_the_loss_of_the_element(element: NetworkElement) -> None:
    fail("card-1")
    evaluate(element)
    NetworkElement.objects.update(reachable="False")
    fail("card-1", oper="IN_SERVICE")
    evaluate(element, 2)
    assert open_types() == ["CardDown", "NodeUnreachable"]
    assert alarm("CardDown").root_cause == alarm("NodeUnreachable")
    NetworkElement.objects.update(reachable="True")
    evaluate(element, 4)
    assert open_types() == []


def test_an_unreachable_element_is_the_root_cause_of_sessions_to_it(element: NetworkElement) -> None:
    other = make_element("sr-12", kind="PHYSICAL", management_address="192.0.2.2", reachable="False")
    BgpPeer.objects.update(state="IDLE")
    evaluate_elements(ids=[other.id], now=NOW)
    evaluate(element)
    assert alarm("BgpPeerDown").root_cause == alarm("NodeUnreachable")


def test_facts_raise_and_clear_alarms(element: NetworkElement) -> None:
    fact = ElementFact.objects.create(element=element, name="licence", value="invalid", since=NOW)
    evaluate(element)
    assert alarm("LicenceInvalid").fault_details == ["licence=invalid"]
    fact.delete()
    evaluate(element, 1)
    assert open_types() == []


def test_only_changed_elements_are_loaded(element: NetworkElement, django_assert_max_num_queries: object) -> None:
    fail("card-1")
    assert evaluate_stale_elements(now=NOW) == 1
    fail("card-1", oper="IN_SERVICE")
    with django_assert_max_num_queries(3):  # type: ignore[operator]
        assert evaluate_stale_elements(now=at(1)) == 0, "its version is the same"
    NetworkElement.objects.update(version=2)
    assert evaluate_stale_elements(now=at(2)) == 1


def test_a_deleted_element_leaves_no_open_alarm(element: NetworkElement) -> None:
    fail("card-1")
    evaluate(element)
    element.delete()
    evaluate_all(now=at(60))
    assert open_types() == []


def test_a_failing_object_does_not_stop_the_evaluation_of_others() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE faults_alarm ADD CHECK (managed_object_name <> 'vsr-3')")
    for number in range(1, 6):
        add_part(make_element(f"vsr-{number}"), "CARD", "card-1", oper_state="FAILED")
    assert evaluate_stale_elements(now=NOW) == 4
    alarmed = set(Alarm.objects.filter(fault_type="CardDown").values_list("managed_object_name", flat=True))
    assert alarmed == {"vsr-1", "vsr-2", "vsr-4", "vsr-5"}
    bad = NetworkElement.objects.get(name="vsr-3")
    postponed = Assessment.objects.get(managed_object_id=bad.id)
    assert (postponed.version, postponed.due_at) == (bad.version, NOW + RETRY_AFTER), "not at every round"
    assert evaluate_all(now=NOW) == 0


def test_a_lost_neighbour_is_a_consequence_of_its_port_unless_that_is_administratively_down(
    element: NetworkElement,
) -> None:
    for protocol, remote in (("OSPF", "192.0.2.2"), ("LLDP", "02:00:5e:00:53:01")):
        Adjacency.objects.create(
            element=element,
            protocol=protocol,
            local_port="1/1/1",
            if_index=11,
            remote_id=remote,
            state="FULL",
            since=NOW,
        )
    evaluate(element)
    assert open_types() == []
    Adjacency.objects.update(state="LOST")
    evaluate(element)
    found = Alarm.objects.filter(fault_type="NeighbourLost").order_by("faulty_resource_name")
    assert {(each.faulty_resource_name, each.perceived_severity, each.root_cause) for each in found} == {
        ("vsr-1 LLDP neighbour on 1/1/1", "MINOR", None),
        ("vsr-1 OSPF neighbour on 1/1/1", "MAJOR", None),
    }
    fail("port-1", oper="OUT_OF_SERVICE")
    Interface.objects.update(oper="DOWN")
    evaluate(element)
    assert {each.root_cause for each in found.all()} == {alarm("PortDown")}
    Interface.objects.update(admin="DOWN")
    Equipment.objects.filter(fdn="port-1").update(admin_state="DOWN")
    evaluate(element)
    assert open_types() == []


def test_a_neighbour_that_an_operation_removes_raises_nothing(element: NetworkElement) -> None:
    link = Adjacency.objects.create(
        element=element, protocol="OSPF", local_port="1/1/1", remote_id="192.0.2.2", state="DOWN", since=NOW
    )
    evaluate(element)
    assert open_types() == ["NeighbourLost"]
    Adjacency.objects.filter(id=link.id).update(loss_expected=True)
    evaluate(element)
    assert open_types() == []
