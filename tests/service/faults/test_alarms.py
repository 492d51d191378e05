"""Alarms follow what was observed: raised, changed and cleared once each, in one transaction with their event."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connections
from django.db.models import F

from tests.factories.deployed import make_deployed, make_reachable_vim, make_vnfc
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.alarms import evaluate_all, evaluate_instances, evaluate_vim
from vnfm.faults.services import KEEP_CLEARED, alarms_prune
from vnfm.inventory.models import VimLook, Vnfc, VnfInstance
from vnfm.inventory.services import forget_resources
from vnfm.kit.models import OutboxEvent
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


@pytest.fixture
def instance() -> VnfInstance:
    made = make_deployed()
    make_vnfc(made, "cpm-A", vdu="cpm")
    make_vnfc(made, "cpm-B", vdu="cpm")
    make_vnfc(made, "iom-1")
    return made


def stop(instance: VnfInstance, name: str, status: str = "SHUTOFF") -> None:
    Vnfc.objects.filter(instance=instance, name=name).update(status=status, status_since=NOW)


def look(instance: VnfInstance, later: int = 0) -> int:
    assert instance.vim_id is not None
    return evaluate_vim(vim_id=instance.vim_id, changed=(), now=NOW + timedelta(seconds=later))


def shown() -> set[tuple[str, str, str]]:
    rows = Alarm.objects.filter(cleared_at__isnull=True, suppressed_by__isnull=True)
    return {(row.fault_type, row.faulty_resource_name, row.perceived_severity) for row in rows}


def told() -> list[tuple[str, str]]:
    rows = OutboxEvent.objects.filter(topic="alarm.changed").order_by("id")
    return [(row.payload["event"], row.payload["severity"]) for row in rows]


def operation(instance: VnfInstance, state: str = "PROCESSING") -> LcmOpOcc:
    return LcmOpOcc.objects.create(
        instance=instance, instance_uuid=instance.id, operation="SCALE", state=state, params={}, deadline=NOW
    )


def test_a_stopped_vm_raises_an_alarm_and_its_start_clears_it(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    assert look(instance) == 1
    alarm = Alarm.objects.get()
    assert (alarm.fault_type, alarm.perceived_severity) == ("VmDown", "CRITICAL")
    assert (alarm.managed_object_id, alarm.managed_object_name) == (instance.id, instance.name)
    assert alarm.raised_at == NOW
    stop(instance, "iom-1", "ACTIVE")
    assert look(instance, later=5) == 1
    alarm.refresh_from_db()
    assert (alarm.perceived_severity, alarm.cleared_at) == ("CLEARED", NOW + timedelta(seconds=5))
    assert told() == [("raised", "CRITICAL"), ("cleared", "CLEARED")]


def test_the_event_tells_who_and_when(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    look(instance)
    event = OutboxEvent.objects.get(topic="alarm.changed")
    alarm = Alarm.objects.get()
    assert (event.aggregate_id, event.version) == (alarm.id, 1)
    assert event.payload == {
        "severity": "CRITICAL",
        "faultType": "VmDown",
        "managedObjectId": str(instance.id),
        "event": "raised",
        "at": NOW.isoformat(),
    }


def test_looking_again_changes_nothing(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    look(instance)
    assert [look(instance, later=second) for second in (5, 10)] == [0, 0]
    assert told() == [("raised", "CRITICAL")]


def test_severity_follows_the_mates(instance: VnfInstance) -> None:
    stop(instance, "cpm-A")
    look(instance)
    assert shown() == {("VmDown", "cpm-A", "MAJOR")}
    stop(instance, "cpm-B")
    look(instance, later=5)
    assert shown() == {("VmDown", "cpm-A", "CRITICAL"), ("VmDown", "cpm-B", "CRITICAL")}
    stop(instance, "cpm-B", "ACTIVE")
    look(instance, later=10)
    assert shown() == {("VmDown", "cpm-A", "MAJOR")}
    assert Alarm.objects.get(faulty_resource_name="cpm-A").changed_at == NOW + timedelta(seconds=10)


def test_a_fault_that_comes_back_is_a_new_alarm(instance: VnfInstance) -> None:
    for later, status in enumerate(["SHUTOFF", "ACTIVE", "SHUTOFF"]):
        stop(instance, "iom-1", status)
        look(instance, later)
    assert Alarm.objects.count() == 2
    assert shown() == {("VmDown", "iom-1", "CRITICAL")}


def test_what_a_running_operation_explains_is_recorded_and_told_only_if_it_outlives_it(instance: VnfInstance) -> None:
    running = operation(instance)
    stop(instance, "iom-1")
    look(instance)
    assert (shown(), told()) == (set(), [])
    assert Alarm.objects.get().suppressed_by == running.id
    LcmOpOcc.objects.update(state="COMPLETED")
    look(instance, later=5)
    assert told() == [("raised", "CRITICAL")]
    assert Alarm.objects.get().raised_at == NOW + timedelta(seconds=5)


def test_what_passes_within_the_operation_is_never_told(instance: VnfInstance) -> None:
    operation(instance)
    stop(instance, "iom-1")
    look(instance)
    stop(instance, "iom-1", "ACTIVE")
    look(instance, later=5)
    assert told() == []
    assert Alarm.objects.get().cleared_at is not None


def test_an_operation_that_waits_for_a_decision_explains_its_stack_but_no_vm(instance: VnfInstance) -> None:
    operation(instance, "FAILED_TEMP")
    VnfInstance.objects.filter(id=instance.id).update(stack_status="UPDATE_FAILED")
    stop(instance, "iom-1")
    look(instance)
    assert shown() == {("VmDown", "iom-1", "CRITICAL")}


def test_drift_is_a_warning_that_an_operation_neither_takes_back_nor_raises(instance: VnfInstance) -> None:
    VimLook.objects.create(vim=instance.vim, servers_at=NOW)
    Vnfc.objects.filter(name="iom-1").update(server_name="mine")
    assert look(instance) == 0, "an instance that has not changed is not even loaded"
    assert evaluate_instances(ids=[instance.id], now=NOW) == 1
    assert shown() == {("StackDrift", instance.stack_name, "WARNING")}
    alarm = Alarm.objects.get()
    assert (alarm.event_type, alarm.probable_cause) == ("PROCESSING_ERROR_ALARM", "corruptData")
    assert alarm.fault_details == ["iom-1 is called mine in the cloud."]
    operation(instance, "STARTING")
    Vnfc.objects.filter(name="cpm-A").update(server_name="mine too")
    assert look(instance, later=5) == 0
    LcmOpOcc.objects.update(state="COMPLETED")
    assert look(instance, later=10) == 1
    assert len(Alarm.objects.get().fault_details) == 2
    Vnfc.objects.update(name=F("server_name"))
    assert look(instance, later=15) == 1
    assert [event for event, _ in told()] == ["raised", "changed", "cleared"]


def test_a_lost_vim_raises_one_alarm_an_instance_and_hides_nothing_that_was_open(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    look(instance)
    Vim.objects.filter(id=instance.vim_id).update(
        reachable="False", reachable_reason="Unreachable", reachable_since=NOW + timedelta(seconds=5)
    )
    evaluate_all(now=NOW + timedelta(seconds=5))
    assert {row[0] for row in shown()} == {"VimUnreachable", "VmDown"}
    root = Alarm.objects.get(fault_type="VimUnreachable")
    assert root.managed_object_id == instance.id
    assert Alarm.objects.get(fault_type="VmDown").root_cause == root
    assert evaluate_all(now=NOW + timedelta(seconds=6)) == 0
    Vim.objects.filter(id=instance.vim_id).update(reachable="True", reachable_reason="Answers")
    look(instance, later=10)
    assert shown() == {("VmDown", "iom-1", "CRITICAL")}
    assert Alarm.objects.get(fault_type="VmDown").root_cause is None


def test_a_vim_lost_for_heat_alone_still_tells_of_vms(instance: VnfInstance) -> None:
    Vim.objects.filter(id=instance.vim_id).update(reachable="False", reachable_reason="Failing", reachable_since=NOW)
    VimLook.objects.create(vim=instance.vim, servers_at=NOW + timedelta(seconds=5))
    stop(instance, "iom-1")
    evaluate_all(now=NOW + timedelta(seconds=5))
    assert {row[0] for row in shown()} == {"VimUnreachable", "VmDown"}


def test_a_terminated_instance_and_one_that_was_deleted_leave_no_open_alarm(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    look(instance)
    forget_resources(instance=instance)
    VnfInstance.objects.filter(id=instance.id).update(instantiation_state="NOT_INSTANTIATED")
    look(instance, later=5)
    assert shown() == set()
    Alarm.objects.update(cleared_at=None, managed_object_id=uuid4())
    evaluate_all(now=NOW)
    assert shown() == set()


def test_port_alarms_wait_for_the_agent(instance: VnfInstance) -> None:
    row = make_vnfc(instance, "iom-2", port="DOWN")
    row.ports.update(status_since=NOW)
    assert look(instance, later=5) == 0
    assert look(instance, later=60) == 1
    assert shown() == {("PortDown", "iom-2 mgmt", "MAJOR")}


@pytest.mark.django_db(transaction=True)
def test_many_at_once_raise_one_alarm() -> None:
    instance = make_deployed()
    make_vnfc(instance, "iom-1", status="SHUTOFF")
    together = Barrier(4)

    def evaluate(_: int) -> None:
        try:
            together.wait()
            evaluate_instances(ids=[instance.id], now=NOW)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(evaluate, range(4)))
    assert Alarm.objects.count() == 1
    assert told() == [("raised", "CRITICAL")]


def test_a_healthy_network_costs_a_fixed_number_of_queries(django_assert_max_num_queries: object) -> None:
    vim = make_reachable_vim()
    for number in range(30):
        make_vnfc(make_deployed(vim, name=f"vnf-{number}-quiet"), "iom-1")
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        assert evaluate_vim(vim_id=vim.id, changed=(), now=NOW) == 0


def test_cleared_alarms_leave_the_list_after_thirty_days(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    look(instance)
    assert alarms_prune(now=NOW + 2 * KEEP_CLEARED) == 0
    stop(instance, "iom-1", "ACTIVE")
    look(instance)
    assert alarms_prune(now=NOW + KEEP_CLEARED - timedelta(seconds=1)) == 0
    assert alarms_prune(now=NOW + KEEP_CLEARED + timedelta(seconds=1)) == 1
