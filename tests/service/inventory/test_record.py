"""Recording what an operation made: exactly that, again and again, and VNFCs keep who they are."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.factories.inventory import make_instance
from tests.factories.vims import make_vim
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.inventory.services import RecordedLink, RecordedPort, RecordedVnfc, forget_resources, record_vnfcs
from vnfm.kit.models import OutboxEvent

pytestmark = pytest.mark.django_db
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
PORT = RecordedPort("p-1", "net-1", "mgmt", "fa:16:3e:00:00:01", ("10.0.0.10",), "normal", "ACTIVE", "ovs")
CPM_A = RecordedVnfc("cpm", "server-a", "cpm-A", slot="A", status="ACTIVE", flavor="7", ports=(PORT,))
CPM_B = RecordedVnfc("cpm", "server-b", "cpm-B", slot="B", status="ACTIVE", flavor="7")
MGMT = RecordedLink("mgmt", "net-1", "management", created_by_stack=False)


@pytest.fixture
def instance() -> VnfInstance:
    return make_instance(vim=make_vim(resources={"flavors": [{"id": "7", "name": "vnf.control"}]}))


def events() -> int:
    return OutboxEvent.objects.filter(topic="vnf_instance.changed").count()


def record(instance: VnfInstance, *vnfcs: RecordedVnfc, at: datetime = NOW) -> dict[str, Vnfc]:
    record_vnfcs(instance=instance, vnfcs=vnfcs, links=[MGMT], now=at)
    return {row.slot: row for row in Vnfc.objects.filter(instance=instance)}


def test_a_record_is_complete_and_published_once(instance: VnfInstance) -> None:
    rows = record(instance, CPM_A, CPM_B)
    assert {(row.slot, row.server_id, row.status, row.flavor) for row in rows.values()} == {
        ("A", "server-a", "ACTIVE", "vnf.control"),
        ("B", "server-b", "ACTIVE", "vnf.control"),
    }
    assert rows["A"].status_since == NOW
    assert rows["A"].ports.get().ip_addresses == ["10.0.0.10"]
    assert instance.virtual_links.get().name == "management"
    assert (events(), instance.version) == (1, 2)


def test_recording_the_same_again_changes_and_publishes_nothing(instance: VnfInstance) -> None:
    before = record(instance, CPM_A, CPM_B)
    after = record(instance, CPM_A, CPM_B, at=NOW + timedelta(minutes=1))
    assert {row.id: (row.status_since, row.observed_at) for row in after.values()} == {
        row.id: (row.status_since, row.observed_at) for row in before.values()
    }
    assert events() == 1


def test_a_vnfc_outlives_its_server_when_another_takes_its_slot(instance: VnfInstance) -> None:
    before = record(instance, CPM_A, CPM_B)
    after = record(instance, CPM_A, replace(CPM_B, server_id="server-c"))
    assert after["B"].id == before["B"].id
    assert after["B"].server_id == "server-c"


def test_slots_may_be_swapped(instance: VnfInstance) -> None:
    before = record(instance, CPM_A, CPM_B)
    after = record(instance, replace(CPM_A, slot="B"), replace(CPM_B, slot="A"))
    assert {slot: row.id for slot, row in after.items()} == {"A": before["B"].id, "B": before["A"].id}


def test_an_unrecorded_server_is_removed_with_its_ports(instance: VnfInstance) -> None:
    record(instance, CPM_A, CPM_B)
    assert set(record(instance, CPM_B)) == {"B"}
    assert events() == 2


def test_an_operation_without_a_poll_keeps_the_watchers_observation(instance: VnfInstance) -> None:
    rows = record(instance, CPM_A)
    Vnfc.objects.filter(id=rows["A"].id).update(status="SHUTOFF", host="host-3")
    after = record(instance, replace(CPM_A, status="UNKNOWN", flavor=""))
    assert (after["A"].status, after["A"].host) == ("SHUTOFF", "host-3")
    assert events() == 1


def test_ports_follow(instance: VnfInstance) -> None:
    rows = record(instance, CPM_A)
    other = replace(PORT, port_id="p-2")
    record(instance, replace(CPM_A, ports=(replace(PORT, status="DOWN"), other)), at=NOW + timedelta(minutes=1))
    assert {port.port_id: port.status for port in rows["A"].ports.all()} == {"p-1": "DOWN", "p-2": "ACTIVE"}
    assert rows["A"].ports.get(port_id="p-1").status_since == NOW + timedelta(minutes=1)
    record(instance, CPM_A)
    assert [port.port_id for port in rows["A"].ports.all()] == ["p-1"]


def test_after_termination_nothing_is_on_record_and_forgetting_twice_is_silent(instance: VnfInstance) -> None:
    record(instance, CPM_A)
    VnfInstance.objects.filter(id=instance.id).update(
        stack_id="stack-1", stack_name="vsr", stack_status="CREATE_COMPLETE"
    )
    forget_resources(instance=instance)
    stored = VnfInstance.objects.get(id=instance.id)
    assert (stored.stack_id, stored.stack_name, stored.stack_status, stored.vnfcs.count()) == ("", "", "", 0)
    assert events() == 2
    forget_resources(instance=instance)
    assert events() == 2
