"""Alarms follow the observed state: raised, changed and cleared once each, in one transaction with their event."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connections
from django.db.models import F

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed, make_reachable_vim, make_vnfc
from tests.factories.packages import SHIPPED, shipped_zip
from vnfm.faults.domain.policy import KEEP_CLEARED
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_all, evaluate_instances, evaluate_vim
from vnfm.faults.services.housekeeping import alarms_prune
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance
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


def evaluate_changed(instance: VnfInstance, later: int = 0) -> int:
    assert instance.vim_id is not None
    return evaluate_vim(vim_id=instance.vim_id, changed=[instance.id], now=NOW + timedelta(seconds=later))


def evaluate_unchanged(instance: VnfInstance, later: int = 0) -> int:
    """A poll in which the instance did not change."""
    assert instance.vim_id is not None
    return evaluate_vim(vim_id=instance.vim_id, changed=(), now=NOW + timedelta(seconds=later))


def open_alarms() -> set[tuple[str, str, str]]:
    rows = Alarm.objects.filter(cleared_at__isnull=True, suppression="")
    return {(row.fault_type, row.faulty_resource_name, row.perceived_severity) for row in rows}


def events() -> list[tuple[str, str]]:
    rows = OutboxEvent.objects.filter(topic="alarm.changed").order_by("id")
    return [(row.payload["event"], row.payload["severity"]) for row in rows]


def operation(instance: VnfInstance, state: str = "PROCESSING") -> LcmOpOcc:
    return LcmOpOcc.objects.create(
        instance=instance, instance_uuid=instance.id, operation="SCALE", state=state, params={}, deadline=NOW
    )


def test_a_stopped_vm_raises_an_alarm_and_its_start_clears_it(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    assert evaluate_changed(instance) == 1
    alarm = Alarm.objects.get()
    assert (alarm.fault_type, alarm.perceived_severity) == ("VmDown", "CRITICAL")
    assert (alarm.managed_object_id, alarm.managed_object_name) == (instance.id, instance.name)
    assert alarm.raised_at == NOW
    stop(instance, "iom-1", "ACTIVE")
    assert evaluate_changed(instance, later=5) == 1
    alarm.refresh_from_db()
    assert (alarm.perceived_severity, alarm.cleared_at) == ("CLEARED", NOW + timedelta(seconds=5))
    assert events() == [("raised", "CRITICAL"), ("cleared", "CLEARED")]


def test_the_event_names_object_and_time(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    evaluate_changed(instance)
    event = OutboxEvent.objects.get(topic="alarm.changed")
    alarm = Alarm.objects.get()
    assert (event.aggregate_id, event.version) == (alarm.id, 1)
    assert event.payload == {
        "severity": "CRITICAL",
        "faultType": "VmDown",
        "managedObjectType": "VNF_INSTANCE",
        "managedObjectId": str(instance.id),
        "faultyResource": alarm.faulty_resource,
        "event": "raised",
        "at": NOW.isoformat(),
    }


def test_evaluating_again_changes_nothing(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    evaluate_changed(instance)
    assert [evaluate_changed(instance, later=second) for second in (5, 10)] == [0, 0]
    assert events() == [("raised", "CRITICAL")]


def test_severity_follows_the_other_vnfcs_of_the_vdu(instance: VnfInstance) -> None:
    stop(instance, "cpm-A")
    evaluate_changed(instance)
    assert open_alarms() == {("VmDown", "cpm-A", "MAJOR")}
    stop(instance, "cpm-B")
    evaluate_changed(instance, later=5)
    assert open_alarms() == {("VmDown", "cpm-A", "CRITICAL"), ("VmDown", "cpm-B", "CRITICAL")}
    stop(instance, "cpm-B", "ACTIVE")
    evaluate_changed(instance, later=10)
    assert open_alarms() == {("VmDown", "cpm-A", "MAJOR")}
    assert Alarm.objects.get(faulty_resource_name="cpm-A").changed_at == NOW + timedelta(seconds=10)


def test_of_gateways_in_pairs_only_the_mate_takes_over() -> None:
    roster = {"slots": {"0": "3", "1": "4", "2": "5", "3": "6"}, "nextIndex": 4}
    package = onboarded(shipped_zip(SHIPPED.parents[1] / "vmg-saegw" / "8.0"))
    vmg = make_deployed(package=package, flavour_id="default", member_slots={"mg": roster})
    for slot in "3456":
        make_vnfc(vmg, f"mg-{slot}", vdu="mg", slot=slot)
    stop(vmg, "mg-3")
    stop(vmg, "mg-5")
    evaluate_changed(vmg)
    assert open_alarms() == {("VmDown", "mg-3", "MAJOR"), ("VmDown", "mg-5", "MAJOR")}
    stop(vmg, "mg-4", "ERROR")
    evaluate_changed(vmg, later=5)
    lost = {("VmDown", "mg-3", "CRITICAL"), ("VmError", "mg-4", "CRITICAL")}
    assert open_alarms() == {*lost, ("VmDown", "mg-5", "MAJOR")}


def test_a_fault_that_comes_back_is_a_new_alarm(instance: VnfInstance) -> None:
    for later, status in enumerate(["SHUTOFF", "ACTIVE", "SHUTOFF"]):
        stop(instance, "iom-1", status)
        evaluate_changed(instance, later)
    first, second = Alarm.objects.order_by("raised_at")
    assert open_alarms() == {("VmDown", "iom-1", "CRITICAL")}
    assert (first.occurrences, second.occurrences, second.occurrences_a_day) == (1, 2, 2)
    assert second.first_raised_at == first.raised_at == NOW
    assert second.raised_at == NOW + timedelta(seconds=2)


def test_episodes_more_than_a_day_apart_are_not_counted_together(instance: VnfInstance) -> None:
    for hours, status in ((0, "SHUTOFF"), (1, "ACTIVE"), (26, "SHUTOFF")):
        stop(instance, "iom-1", status)
        evaluate_changed(instance, 3600 * hours)
    assert list(Alarm.objects.order_by("raised_at").values_list("occurrences", "occurrences_a_day")) == [(1, 1), (1, 1)]


def test_an_alarm_during_an_operation_is_published_only_if_it_outlasts_it(instance: VnfInstance) -> None:
    running = operation(instance)
    stop(instance, "iom-1")
    evaluate_changed(instance)
    assert (open_alarms(), events()) == (set(), [])
    assert Alarm.objects.get().suppressed_by == running.id
    LcmOpOcc.objects.update(state="COMPLETED")
    evaluate_changed(instance, later=5)
    assert events() == [("raised", "CRITICAL")]
    assert Alarm.objects.get().raised_at == NOW + timedelta(seconds=5)


def test_an_alarm_that_clears_during_an_operation_is_never_published(instance: VnfInstance) -> None:
    operation(instance)
    stop(instance, "iom-1")
    evaluate_changed(instance)
    stop(instance, "iom-1", "ACTIVE")
    evaluate_changed(instance, later=5)
    assert events() == []
    assert Alarm.objects.get().cleared_at is not None


def test_an_operation_in_failed_temp_suppresses_stack_failed_but_no_vm_alarm(instance: VnfInstance) -> None:
    operation(instance, "FAILED_TEMP")
    VnfInstance.objects.filter(id=instance.id).update(stack_status="UPDATE_FAILED")
    stop(instance, "iom-1")
    evaluate_changed(instance)
    assert open_alarms() == {("VmDown", "iom-1", "CRITICAL")}


def test_an_operation_neither_clears_nor_raises_a_drift_alarm(instance: VnfInstance) -> None:
    VimPollState.objects.create(vim=instance.vim, servers_at=NOW)
    evaluate_instances(ids=[instance.id], now=NOW)
    Vnfc.objects.filter(name="iom-1").update(server_name="mine")
    assert evaluate_unchanged(instance) == 0, "an instance that has not changed is not even loaded"
    assert evaluate_instances(ids=[instance.id], now=NOW) == 1
    assert open_alarms() == {("StackDrift", instance.stack_name, "WARNING")}
    alarm = Alarm.objects.get()
    assert (alarm.event_type, alarm.probable_cause) == ("PROCESSING_ERROR_ALARM", "corruptData")
    assert alarm.fault_details == ["iom-1 is called mine in the cloud."]
    operation(instance, "STARTING")
    Vnfc.objects.filter(name="cpm-A").update(server_name="mine too")
    assert evaluate_unchanged(instance, later=5) == 0
    LcmOpOcc.objects.update(state="COMPLETED")
    assert evaluate_unchanged(instance, later=10) == 1
    assert len(Alarm.objects.get().fault_details) == 2
    Vnfc.objects.update(name=F("server_name"))
    assert evaluate_unchanged(instance, later=15) == 1
    assert [event for event, _ in events()] == ["raised", "changed", "cleared"]


def lose(instance: VnfInstance, later: int) -> None:
    since = NOW + timedelta(seconds=later)
    lost = {"reachable": "False", "reachable_reason": "Unreachable", "reachable_since": since}
    Vim.objects.filter(id=instance.vim_id).update(**lost)


def test_the_alarm_of_a_lost_vim_is_the_root_cause_of_those_of_its_instances(instance: VnfInstance) -> None:
    other = make_deployed(instance.vim)
    stop(instance, "iom-1")
    evaluate_changed(instance)
    lose(instance, 5)
    evaluate_all(now=NOW + timedelta(seconds=5))
    of_vim = Alarm.objects.get(managed_object_type="VIM")
    assert (of_vim.fault_type, of_vim.managed_object_id) == ("VimUnreachable", instance.vim_id)
    assert of_vim.managed_object_name == instance.vim.name  # type: ignore[union-attr]  # it has one
    own = Alarm.objects.get(fault_type="VimUnreachable", managed_object_id=instance.id)
    assert own.root_cause == Alarm.objects.get(managed_object_id=other.id).root_cause == of_vim
    assert Alarm.objects.get(fault_type="VmDown").root_cause == own, "an open alarm stays open under it"
    assert evaluate_all(now=NOW + timedelta(seconds=6)) == 0
    Vim.objects.filter(id=instance.vim_id).update(reachable="True", reachable_reason="Answers")
    evaluate_unchanged(instance, later=10)
    assert open_alarms() == {("VmDown", "iom-1", "CRITICAL")}, "an alarm that stays has no root cause"
    assert Alarm.objects.get(fault_type="VmDown").root_cause is None


def test_a_promoted_root_cause_is_not_demoted(instance: VnfInstance) -> None:
    lose(instance, 0)
    Vim.objects.update(reachable_reason="CredentialsRefused")
    evaluate_all(now=NOW)
    of_vim = Alarm.objects.get(managed_object_type="VIM")
    assert (of_vim.perceived_severity, of_vim.original_severity) == ("MAJOR", "MAJOR")
    stop(instance, "iom-1", "ERROR")
    Vim.objects.update(reachable_reason="Failing", reachable="True")
    evaluate_all(now=NOW + timedelta(seconds=5))
    lose(instance, 6)
    Vim.objects.update(reachable_reason="CredentialsRefused")
    evaluate_all(now=NOW + timedelta(seconds=6))
    own = Alarm.objects.get(fault_type="VimAuthFailed", managed_object_id=instance.id, cleared_at=None)
    assert own.perceived_severity == "CRITICAL", "it takes the severity of the VmError under it"
    of_vim = Alarm.objects.get(managed_object_type="VIM", cleared_at=None)
    assert (of_vim.original_severity, of_vim.previous_severity) == ("MAJOR", "MAJOR")
    assert (of_vim.perceived_severity, of_vim.highest_severity) == ("CRITICAL", "CRITICAL")
    own.refresh_from_db()
    assert own.evaluated_severity == "MAJOR"


def test_a_promotion_that_a_crash_prevented_is_repaired(instance: VnfInstance) -> None:
    lose(instance, 0)
    evaluate_all(now=NOW)
    Alarm.objects.filter(managed_object_type="VIM").update(evaluated_severity="CRITICAL", perceived_severity="WARNING")
    Alarm.objects.filter(managed_object_type="VNF_INSTANCE").update(perceived_severity="MAJOR")
    evaluate_all(now=NOW + timedelta(seconds=60))
    root = Alarm.objects.get(managed_object_type="VIM")
    assert (root.promoted_severity, root.perceived_severity) == ("CRITICAL", "CRITICAL")


def test_a_vim_without_heat_still_has_vm_alarms(instance: VnfInstance) -> None:
    lose(instance, 0)
    VimPollState.objects.create(vim=instance.vim, servers_at=NOW + timedelta(seconds=5))
    stop(instance, "iom-1")
    evaluate_all(now=NOW + timedelta(seconds=5))
    assert {row[0] for row in open_alarms()} == {"VimUnreachable", "VmDown"}


def test_terminated_and_deleted_instances_leave_no_open_alarm(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    evaluate_changed(instance)
    forget_resources(instance=instance)
    VnfInstance.objects.filter(id=instance.id).update(instantiation_state="NOT_INSTANTIATED")
    evaluate_changed(instance, later=5)
    assert open_alarms() == set()
    Alarm.objects.update(cleared_at=None, managed_object_id=uuid4())
    evaluate_all(now=NOW)
    assert open_alarms() == set()


def test_port_alarms_respect_the_grace_period(instance: VnfInstance) -> None:
    row = make_vnfc(instance, "iom-2", port="DOWN")
    row.ports.update(status_since=NOW)
    assert evaluate_changed(instance, later=5) == 0
    assert evaluate_unchanged(instance, later=19) == 0
    assert evaluate_unchanged(instance, later=20) == 1, "time alone made it a fault"
    assert open_alarms() == {("PortDown", "iom-2 mgmt", "MAJOR")}


@pytest.mark.django_db(transaction=True)
def test_concurrent_evaluations_raise_one_alarm() -> None:
    instance = make_deployed()
    make_vnfc(instance, "iom-1", status="SHUTOFF")
    barrier = Barrier(4)

    def evaluate(_: int) -> None:
        try:
            barrier.wait()
            evaluate_instances(ids=[instance.id], now=NOW)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(evaluate, range(4)))
    assert Alarm.objects.count() == 1
    assert events() == [("raised", "CRITICAL")]


def test_a_healthy_network_costs_a_fixed_number_of_queries(django_assert_max_num_queries: object) -> None:
    vim = make_reachable_vim()
    for number in range(30):
        make_vnfc(make_deployed(vim, name=f"vnf-{number}-quiet"), "iom-1")
    with django_assert_max_num_queries(26):  # type: ignore[operator]
        assert evaluate_vim(vim_id=vim.id, changed=(), now=NOW) == 0


def test_unchanged_alarms_cost_a_poll_no_query(django_assert_max_num_queries: object) -> None:
    vim = make_reachable_vim()
    for number in range(30):
        make_vnfc(make_deployed(vim, name=f"vnf-{number}-loud"), "iom-1", status="ERROR")
    VimPollState.objects.create(vim=vim, servers_at=NOW)
    assert evaluate_vim(vim_id=vim.id, changed=(), now=NOW) == 30
    with django_assert_max_num_queries(9) as queries:  # type: ignore[operator]
        assert evaluate_vim(vim_id=vim.id, changed=(), now=NOW) == 0
    assert not any("inventory_vnfc" in query["sql"] for query in queries), "none of them is loaded"


def test_cleared_alarms_are_archived_by_their_policy(instance: VnfInstance) -> None:
    stop(instance, "iom-1")
    evaluate_changed(instance)
    assert alarms_prune(now=NOW + 2 * KEEP_CLEARED) == 0
    stop(instance, "iom-1", "ACTIVE")
    evaluate_changed(instance)
    assert alarms_prune(now=NOW + KEEP_CLEARED - timedelta(seconds=1)) == 0
    alarm = Alarm.objects.get()
    assert alarms_prune(now=NOW + KEEP_CLEARED + timedelta(seconds=1)) == 1
    archived = OutboxEvent.objects.get(topic="alarm.archived")
    assert archived.aggregate_id == alarm.id
    assert archived.payload["record"]["faulty_resource_name"] == "iom-1"
