"""Healing by a Heat that must check (Liberty) and by one that can mark: same slot, ports and id, siblings untouched.

The four laws: it succeeds; failing at each call it can be retried, and rolled back as long as no server was deleted;
doing each step twice, after a crash, ends in exactly one server a slot; so does undoing twice.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.service.lcm.heals import assert_healed, gone, heal_request, recorded, took, wiring
from tests.service.lcm.lifecycle import SCALE_OUT, CrashError, Lifecycle, Meanwhile, crash, expire_lease
from tests.service.lcm.step_control import half_way
from tests.service.lcm.vnfc_status import STOP, desired, problem, statuses, vnfc_id
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.requests import HealVnfRequest, parse_request
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.selectors.operations import op_actions
from vnfm.lcm.services.operations import op_cancel, op_start
from vnfm.lcm.services.plans import plan_request
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def probed(lifecycle: Lifecycle) -> None:
    """The VIM's registration has found out what its Heat can do."""
    lifecycle.prepared("probed", lambda: probe_vim(lifecycle.vim.id, registry.provider(), clock.now()))
    lifecycle.vim.refresh_from_db()
    assert lifecycle.vim.capabilities["heat_mark_unhealthy"] is False


@pytest.fixture(params=["checks", "marks"])
def heat(request: pytest.FixtureRequest, lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> str:
    """Heat learns of a dead server in one of two ways: by a check of the stack (Liberty), or by a mark (Mitaka and
    later).
    """
    if request.param == "marks":
        mark(lifecycle, cloudsim)
    return str(request.param)


def mark(life: Lifecycle, cloudsim: CloudsimProcess) -> None:
    cloudsim.control("PUT", "/settings", {"heat_mark_unhealthy": True})
    life.prepared("probed", lambda: probe_vim(life.vim.id, registry.provider(), clock.now()))
    life.vim.refresh_from_db()
    assert life.vim.capabilities["heat_mark_unhealthy"] is True


# It succeeds


def test_gone_servers_come_back_in_their_slots_and_siblings_are_not_touched(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str, record_property: Callable[[str, object], None]
) -> None:
    """A single member and one of the group, at once; none is named."""
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    before = gone(lifecycle, cloudsim, instance, "B", "2")
    wires = {slot: wiring(instance, slot) for slot in before}
    rosters = instance.member_slots
    op = lifecycle.done(instance, Operation.HEAL, {"cause": "VmMissing"})
    record_property(f"seconds_of_a_heal_of_two_by_a_heat_that_{heat}", took(op))
    assert_healed(lifecycle, instance, before, "B", "2")
    assert {slot: wiring(instance, slot) for slot in before} == wires
    assert instance.member_slots == rosters
    kinds = [step.kind for step in op.steps.all()]
    assert ("start_siblings@1" in kinds) == (heat == "checks")
    lifecycle.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "data-path"})
    assert_healed(lifecycle, instance, {**before, "4": lifecycle.servers_of(instance)["4"]}, "B", "2")


@pytest.mark.matrix(1)
def test_a_stopped_sibling_keeps_its_server_and_is_stopped_afterwards(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.OPERATE, {**STOP, "vnfcInstanceId": [vnfc_id(instance, "1")]})
    before = gone(lifecycle, cloudsim, instance, "B")
    op = lifecycle.done(instance, Operation.HEAL, heal_request("B"))
    assert_healed(lifecycle, instance, before, "B")
    assert statuses(lifecycle, instance) == {"A": "ACTIVE", "B": "ACTIVE", "1": "SHUTOFF"}
    assert desired(instance) == {"A": "STARTED", "B": "STARTED", "1": "STOPPED"}
    started = any(call["path"].endswith("/action") for step in op.steps.all() for call in step.calls)
    assert started == (heat == "checks"), "where Heat can mark, no sibling has to run"


@pytest.mark.matrix(1)
def test_a_vnfc_that_is_to_be_stopped_is_healed_and_stopped(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.OPERATE, {**STOP, "vnfcInstanceId": [vnfc_id(instance, "B")]})
    before = gone(lifecycle, cloudsim, instance, "B")
    lifecycle.done(instance, Operation.HEAL, {})
    after = lifecycle.servers_of(instance)
    assert (after["A"], after["1"]) == (before["A"], before["1"])
    assert after["B"] != before["B"]
    assert statuses(lifecycle, instance) == {"A": "ACTIVE", "B": "SHUTOFF", "1": "ACTIVE"}
    assert recorded(instance) == statuses(lifecycle, instance)


def test_a_server_in_error_is_rebooted_and_keeps_its_uuid(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    cloudsim.control("POST", f"/servers/{before['A']}/error", {"message": "qemu died"})
    op = lifecycle.done(instance, Operation.HEAL, {})
    assert lifecycle.servers_of(instance) == before
    assert set(statuses(lifecycle, instance).values()) == {"ACTIVE"}
    messages = {step.kind: step.message for step in op.steps.all()}
    assert "hard reboot brought it back" in messages["heal_in_place@1"]
    assert {messages[kind] for kind in ("delete_servers@1", "mark_unhealthy@1", "replace_failed@1")} == {"Not needed"}


def test_a_server_is_not_replaced_since_nova_forgot_a_reboot(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    cloudsim.control("POST", f"/servers/{before['1']}/error", {"message": "qemu died"})
    lie(cloudsim, method="POST", path=f"{before['1']}/action$", sent="reboot")
    lifecycle.done(instance, Operation.HEAL, {})
    assert lifecycle.servers_of(instance) == before
    assert statuses(lifecycle, instance)["1"] == "ACTIVE"


@pytest.mark.matrix(1)
def test_a_deletion_that_nova_forgot_is_requested_again(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    lie(cloudsim, method="DELETE", path=before["1"])
    lifecycle.done(instance, Operation.HEAL, heal_request("1", method="recreate"))
    assert_healed(lifecycle, instance, before, "1")


def lie(cloudsim: CloudsimProcess, **call: str) -> None:
    """Nova accepts the next such call, and does nothing."""
    cloudsim.control("POST", "/failures", {"service": "compute", "effect": "lie200", **call})


@pytest.mark.matrix(1)
@pytest.mark.parametrize("how", ["id", "name", "slot", "vdu/slot"])
def test_by_whatever_name_it_is_healed_even_if_nova_says_active(lifecycle: Lifecycle, how: str) -> None:
    instance = lifecycle.instantiated()
    before, vnfc = lifecycle.servers_of(instance), instance.vnfcs.get(slot="1")
    name = {"id": str(vnfc.id), "name": vnfc.name, "slot": "1", "vdu/slot": "data-path/1"}[how]
    request = {"vnfcInstanceId": [name]} if how == "id" else heal_request(name)
    op = lifecycle.done(instance, Operation.HEAL, request)
    assert [call["path"].rsplit("/", 2)[1] for step in op.steps.all() for call in step.calls] == [before["1"]]
    assert lifecycle.servers_of(instance) == before


def test_healthy_vnfcs_are_left_alone(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    op = op_start(instance_id=instance.id, request=HealVnfRequest(), actor="policy", automatic=True)
    op = lifecycle.run(op.id)
    assert (op.state, op.automatic) == ("COMPLETED", True), lifecycle.story(op)
    assert [(s.message, s.calls) for s in op.steps.all()] == [("All 3 VNFCs are in their desired state", [])]


@pytest.mark.matrix(1)
def test_a_new_server_on_request_for_one_that_runs(lifecycle: Lifecycle, heat: str) -> None:
    instance = lifecycle.instantiated()
    before, wires = lifecycle.servers_of(instance), wiring(instance, "1")
    lifecycle.done(instance, Operation.HEAL, heal_request("1", method="recreate"))
    assert_healed(lifecycle, instance, before, "1")
    assert wiring(instance, "1") == wires


def test_on_a_dead_host_a_reboot_times_out_and_a_new_server_is_created(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    """Nova takes the request and says ACTIVE all the time; our rights do not show us the host."""
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    host = cloudsim.control("GET", f"/servers/{before['1']}")["server"]["host"]
    cloudsim.control("POST", f"/hosts/{host}/kill")
    on_it = [s for s, i in before.items() if cloudsim.control("GET", f"/servers/{i}")["server"]["host"] == host]
    op = half_way(lifecycle, lifecycle.start(instance, Operation.HEAL, heal_request(*on_it)), "heal_in_place@1")
    Step.objects.filter(op=op, kind="heal_in_place@1").update(started_at=clock.now() - timedelta(minutes=5))
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert "hard reboot: not back after 180 s" in op.steps.get(kind="heal_in_place@1").message
    assert_healed(lifecycle, instance, before, *on_it)


def test_the_plan_has_an_action_for_each_vnfc_and_warnings(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    gone(lifecycle, cloudsim, instance, "B")
    preview = plan_request(
        request=parse_request(Operation.HEAL, heal_request("A", "B")),
        vnfd_id=None,
        instance_id=instance.id,
        actor="test",
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.result is not None, preview.problem
    actions = {r["name"]: r["action"] for r in preview.result["resources"]}
    assert actions == {
        "Slot A (Control VM)": "update",
        "Slot B (Control VM)": "replace",
        "Slot 1 (Data path VM)": "keep",
    }
    assert any("another UUID" in text for text in preview.result["warnings"])
    assert any("service is down" in text for text in preview.result["warnings"])
    assert [step["oneWay"] for step in preview.result["steps"] if step["oneWay"]] == [
        "A deleted server cannot be put back."
    ]


# Failing, crashing, undoing


HEAL_CALLS = ["servers.start", "servers.delete", "stacks.check", "stacks.update", "servers.stop"]
"""Every changing call of a heal that replaces a running server while a sibling is stopped."""


@pytest.fixture
def with_a_stopped_sibling(lifecycle: Lifecycle) -> tuple[VnfInstance, dict[str, str]]:
    """An instance whose slot 1 is stopped, and the servers that it has."""
    instance = lifecycle.instantiated()
    request = {**STOP, "vnfcInstanceId": [vnfc_id(instance, "1")]}
    lifecycle.prepared("slot 1 stopped", lambda: lifecycle.done(instance, Operation.OPERATE, request).id)
    instance.refresh_from_db()
    return instance, lifecycle.servers_of(instance)


@pytest.mark.matrix(2)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
@pytest.mark.parametrize("call", HEAL_CALLS)
def test_a_crash_at_any_call_ends_in_one_server_a_slot(
    lifecycle: Lifecycle,
    break_cloud: Callable[..., Any],
    with_a_stopped_sibling: tuple[VnfInstance, dict[str, str]],
    call: str,
    after: bool,
) -> None:
    instance, before = with_a_stopped_sibling
    wires = wiring(instance, "B")
    op = lifecycle.start(instance, Operation.HEAL, heal_request("B", method="recreate"))
    break_cloud(call, CrashError(), after=after)
    crash(lifecycle, op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "B")
    assert wiring(instance, "B") == wires
    assert statuses(lifecycle, instance)["1"] == "SHUTOFF"


@pytest.mark.matrix(1)
@pytest.mark.parametrize("call", HEAL_CALLS)
def test_a_refusal_of_any_call_can_be_retried(
    lifecycle: Lifecycle,
    break_cloud: Callable[..., Any],
    with_a_stopped_sibling: tuple[VnfInstance, dict[str, str]],
    call: str,
) -> None:
    instance, before = with_a_stopped_sibling
    op = lifecycle.start(instance, Operation.HEAL, heal_request("B", method="recreate"))
    break_cloud(call, Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    may_roll_back = next(a for a in op_actions(op) if a.action == "rollback")
    assert may_roll_back.enabled == (call == "servers.start"), "there is a way back until a server is deleted"
    assert may_roll_back.enabled or "cannot be put back" in may_roll_back.disabled_reason
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "B")
    assert statuses(lifecycle, instance)["1"] == "SHUTOFF"


@pytest.mark.matrix(2)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
@pytest.mark.parametrize("call", HEAL_CALLS)
def test_a_forceful_cancellation_during_any_call_can_be_retried(
    lifecycle: Lifecycle,
    provider: CloudProvider,
    with_a_stopped_sibling: tuple[VnfInstance, dict[str, str]],
    call: str,
    after: bool,
) -> None:
    instance, before = with_a_stopped_sibling
    op = lifecycle.start(instance, Operation.HEAL, heal_request("B", method="recreate"))
    meanwhile = Meanwhile(
        provider, call, lambda: op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test"), after=after
    )
    registry.install(meanwhile)
    op = lifecycle.run(op.id)
    assert (op.state, meanwhile.injected) == ("FAILED_TEMP", 1), lifecycle.story(op)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "B")
    assert statuses(lifecycle, instance)["1"] == "SHUTOFF"


def about_to_delete(life: Lifecycle, cloudsim: CloudsimProcess, instance: VnfInstance) -> LcmOpOcc:
    """A heal of slot B that waits before the deletion: Heat is busy until the failure rules are cleared."""
    op = half_way(life, life.start(instance, Operation.HEAL, heal_request("B", method="recreate")), "start_siblings@1")
    busy(life, cloudsim, instance)
    op = half_way(life, op, "delete_servers@1")
    assert "Nothing is deleted before its end" in op.steps.get(kind="delete_servers@1").message
    return op


def busy(life: Lifecycle, cloudsim: CloudsimProcess, instance: VnfInstance) -> None:
    """Heat is at a check that hangs."""
    rule = {"service": "compute", "method": "GET", "path": "/servers/", "effect": "hang", "callers": "internal"}
    cloudsim.control("POST", "/failures", rule)
    life.cloud.stacks.check(instance.stack_id)
    while not life.cloud.stacks.status(instance.stack_id).in_progress:
        time.sleep(0.05)


def test_a_busy_stack_is_waited_for_before_a_server_is_deleted(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, with_a_stopped_sibling: tuple[VnfInstance, dict[str, str]]
) -> None:
    instance, before = with_a_stopped_sibling
    op = about_to_delete(lifecycle, cloudsim, instance)
    assert lifecycle.servers_of(instance) == before
    cloudsim.control("DELETE", "/failures")
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    assert lifecycle.run(op.id).state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "B")


@pytest.mark.matrix(1)
@pytest.mark.parametrize("crashes", [False, True], ids=["once", "twice"])
def test_until_a_server_is_deleted_a_rollback_leaves_everything_as_it_was(
    lifecycle: Lifecycle,
    cloudsim: CloudsimProcess,
    break_cloud: Callable[..., Any],
    with_a_stopped_sibling: tuple[VnfInstance, dict[str, str]],
    crashes: bool,
) -> None:
    instance, before = with_a_stopped_sibling
    op = about_to_delete(lifecycle, cloudsim, instance)
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert statuses(lifecycle, instance)["1"] == "ACTIVE"
    if crashes:
        break_cloud("servers.stop", CrashError(), after=True)
        with pytest.raises(CrashError):
            lifecycle.handle(op, "rollback")
        expire_lease(op.id)
        op = lifecycle.run(op.id)
    else:
        op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert lifecycle.servers_of(instance) == before
    assert statuses(lifecycle, instance) == {"A": "ACTIVE", "B": "ACTIVE", "1": "SHUTOFF"}


@pytest.mark.matrix(2)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
@pytest.mark.parametrize("call", ["servers.delete", "stacks.mark_unhealthy", "stacks.update"])
def test_a_crash_while_marking_ends_in_one_server_per_slot(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Callable[..., Any], call: str, after: bool
) -> None:
    mark(lifecycle, cloudsim)
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = lifecycle.start(instance, Operation.HEAL, heal_request("1", method="recreate"))
    break_cloud(call, CrashError(), after=after)
    crash(lifecycle, op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "1")


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_crash_during_a_graceful_stop_leaves_the_server_unchanged(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Callable[..., Any], after: bool
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    cloudsim.control("POST", f"/servers/{before['B']}/error")
    op = lifecycle.start(instance, Operation.HEAL, {})
    break_cloud("servers.reboot", CrashError(), after=after)
    crash(lifecycle, op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert lifecycle.servers_of(instance) == before
    assert set(statuses(lifecycle, instance).values()) == {"ACTIVE"}


def test_an_action_that_nova_refuses_leads_to_the_next(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    cloudsim.control("POST", f"/servers/{before['1']}/error")
    break_cloud("servers.reboot", Rejected("not this one", service="nova", http_status=400), after=False)
    op = lifecycle.done(instance, Operation.HEAL, {})
    assert "hard reboot: Nova refuses: not this one" in op.steps.get(kind="heal_in_place@1").message
    assert_healed(lifecycle, instance, before, "1")


def test_trouble_with_one_server_does_not_have_another_rebooted_twice(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    for slot in ("A", "B"):
        cloudsim.control("POST", f"/servers/{before[slot]}/error")
    refused = {"method": "POST", "path": "/action$", "sent": "reboot", "skip": 1, "effect": "status", "status": 503}
    cloudsim.control("POST", "/failures", {"service": "compute", **refused})
    op = lifecycle.done(instance, Operation.HEAL, {})
    calls = [(c["path"].split("/")[-2], c["status"]) for c in op.steps.get(kind="heal_in_place@1").calls]
    assert calls == [(before["A"], 202), (before["B"], 503), (before["B"], 202)]
    assert lifecycle.servers_of(instance) == before


def test_the_only_requested_action_fails_with_novas_message_and_can_be_rolled_back(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    cloudsim.control("POST", f"/servers/{before['B']}/error")
    break_cloud("servers.reboot", Rejected("not this one", service="nova", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(instance, Operation.HEAL, heal_request("B", method="reboot")).id)
    assert (op.state, problem(op)["code"]) == ("FAILED_TEMP", "NOT_HEALED")
    assert "not this one" in problem(op)["causes"][0]["message"]
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert lifecycle.servers_of(instance) == before


# Heat would do more than what is meant


@pytest.mark.matrix(1)
def test_a_sibling_that_heat_would_replace_is_named_before_anything_is_touched(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "B", "1")
    op = lifecycle.run(lifecycle.start(instance, Operation.HEAL, heal_request("B")).id)
    if heat == "checks":
        assert (op.state, problem(op)["code"]) == ("ROLLED_BACK", "SIBLING_AT_RISK")
        assert "(data-path/1) is MISSING" in problem(op)["detail"]
        assert set(lifecycle.servers_of(instance)) == {"A"}
    else:
        assert op.state == "COMPLETED", lifecycle.story(op)
        missing = instance.vnfcs.get(slot="1")
        assert (missing.status, missing.server_id) == ("MISSING", before["1"]), "it stays on record, to be healed"
    lifecycle.done(instance, Operation.HEAL, {})
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1"}
    assert lifecycle.servers_of(instance)["A"] == before["A"]


def test_a_sibling_that_stops_just_before_the_check_is_not_replaced(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "B")
    op = lifecycle.start(instance, Operation.HEAL, {})
    break_cloud("stacks.check", CrashError(), after=False)
    crash(lifecycle, op.id)
    cloudsim.control("POST", f"/servers/{before['1']}/stop")
    op = lifecycle.run(op.id)
    assert (op.state, problem(op)["code"]) == ("FAILED_TEMP", "SIBLING_AT_RISK"), lifecycle.story(op)
    assert "(data-path/1)" in problem(op)["detail"]
    lifecycle.cloud.servers.start(before["1"])
    while lifecycle.cloud.servers.show(before["1"]).status != "ACTIVE":
        time.sleep(0.05)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "B")


def test_a_sibling_marked_as_failed_stops_the_heal_before_any_deletion(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    """Another user had the stack checked while a sibling was stopped."""
    mark(lifecycle, cloudsim)
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    cloudsim.control("POST", f"/servers/{before['A']}/stop")
    checked(lifecycle, instance)
    cloudsim.control("POST", f"/servers/{before['A']}/start")
    op = lifecycle.run(lifecycle.start(instance, Operation.HEAL, heal_request("1", method="recreate")).id)
    assert (op.state, problem(op)["code"]) == ("FAILED_TEMP", "SIBLING_AT_RISK"), lifecycle.story(op)
    assert lifecycle.servers_of(instance) == before
    checked(lifecycle, instance)
    assert lifecycle.handle(op, "retry").state == "COMPLETED"
    assert_healed(lifecycle, instance, before, "1")


def checked(life: Lifecycle, instance: VnfInstance) -> None:
    life.cloud.stacks.check(instance.stack_id)
    while not life.cloud.stacks.status(instance.stack_id).status.startswith("CHECK_"):
        time.sleep(0.05)
    while life.cloud.stacks.status(instance.stack_id).in_progress:
        time.sleep(0.05)


@pytest.mark.matrix(1)
def test_a_stack_that_failed_before_is_healed(lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str) -> None:
    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "B")
    checked(lifecycle, instance)
    assert lifecycle.cloud.stacks.status(instance.stack_id).status == "CHECK_FAILED"
    lifecycle.done(instance, Operation.HEAL, {})
    assert_healed(lifecycle, instance, before, "B")


def test_with_an_unknown_heat_version_marking_is_tried_first(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "1")
    lifecycle.vim.capabilities = {**lifecycle.vim.capabilities, "heat_mark_unhealthy": None}
    lifecycle.vim.save()
    op = lifecycle.done(instance, Operation.HEAL, {})
    assert [(c["method"], c["status"]) for c in op.steps.get(kind="mark_unhealthy@1").calls] == [
        ("PATCH", 405),
        ("POST", 200),
    ]
    assert_healed(lifecycle, instance, before, "1")


# No room for the new server


@pytest.mark.matrix(1)
def test_a_retry_replaces_a_new_server_that_does_not_boot(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "B", "1")
    op = out_of_room(lifecycle, cloudsim, instance)
    assert "No valid host" in str(problem(op)["causes"])
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_healed(lifecycle, instance, before, "B", "1")


@pytest.mark.matrix(1)
def test_marked_failed_half_way_it_is_healed_by_the_next(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    from vnfm.lcm.reconcilers.settle_failed import settle_failed

    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "B", "1")
    kept = {slot: wiring(instance, slot)[:3] for slot in before}
    op = lifecycle.handle(out_of_room(lifecycle, cloudsim, instance), "fail")
    settle_failed(op.id)
    instance.refresh_from_db()
    assert {slot: wiring(instance, slot)[:3] for slot in before} == kept, "a VNFC without server is still one"
    lifecycle.done(instance, Operation.HEAL, {})
    assert_healed(lifecycle, instance, before, "B", "1")


def out_of_room(life: Lifecycle, cloudsim: CloudsimProcess, instance: VnfInstance) -> LcmOpOcc:
    """A heal whose new servers find no host; there is room again when it has stopped."""
    hosts = [host["id"] for host in cloudsim.control("GET", "/hosts")["hosts"]]
    for host in hosts:
        cloudsim.control("POST", f"/hosts/{host}/disable")
    op = life.run(life.start(instance, Operation.HEAL, {}).id)
    assert op.state == "FAILED_TEMP", life.story(op)
    for host in hosts:
        cloudsim.control("POST", f"/hosts/{host}/enable")
    return op


@pytest.mark.matrix(1)
def test_leftovers_of_a_failed_operation_do_not_block(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, heat: str
) -> None:
    """A scale-out that Nova refused was given up: Heat knows a member without server, and the update makes it."""
    from vnfm.lcm.reconcilers.settle_failed import settle_failed

    instance = lifecycle.instantiated()
    refusal = {"method": "POST", "path": "/servers$", "effect": "status", "status": 403, "times": 9}
    cloudsim.control("POST", "/failures", {"service": "compute", "callers": "internal", **refusal})
    scaling = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    op = lifecycle.run(lifecycle.start(instance, Operation.SCALE, scaling).id)
    cloudsim.control("DELETE", "/failures")
    settle_failed(lifecycle.handle(op, "fail").id)
    instance.refresh_from_db()
    assert {vnfc.slot for vnfc in instance.vnfcs.all()} == {"A", "B", "1"}
    before = gone(lifecycle, cloudsim, instance, "B")
    lifecycle.done(instance, Operation.HEAL, heal_request("B"))
    assert_healed(lifecycle, instance, {**before, "2": lifecycle.servers_of(instance)["2"]}, "B")
    assert instance.member_slots["data-path"]["slots"] == {"0": "1", "1": "2"}


def test_where_heat_has_another_server_than_we_know_of_it_is_recorded_and_not_replaced(
    lifecycle: Lifecycle, heat: str
) -> None:
    """Another user had Heat replace it."""
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    instance.vnfcs.filter(slot="B").update(server_id=uuid4())
    lifecycle.done(instance, Operation.HEAL, {})
    assert_healed(lifecycle, instance, before)


# Refusals


def test_a_busy_stack_is_left_alone(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    before = gone(lifecycle, cloudsim, instance, "B")
    busy(lifecycle, cloudsim, instance)
    op = lifecycle.run(lifecycle.start(instance, Operation.HEAL, {}).id)
    assert (op.state, problem(op)["code"]) == ("ROLLED_BACK", "STACK_BUSY")
    assert "CHECK_IN_PROGRESS" in problem(op)["detail"]
    cloudsim.control("DELETE", "/failures")
    while lifecycle.cloud.stacks.status(instance.stack_id).in_progress:
        time.sleep(0.05)
    lifecycle.done(instance, Operation.HEAL, {})
    assert_healed(lifecycle, instance, before, "B")
