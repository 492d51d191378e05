"""A cloud that is away pauses an operation until its deadline; it can be cancelled before."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.step_control import away, half_way, wake
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import op_story
from vnfm.lcm.services.operations import op_cancel, op_handle_error

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path"}


pytestmark = pytest.mark.django_db(transaction=True)


def test_an_operation_waits_for_its_cloud_and_goes_on(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    with away(cloudsim):
        op = wake(op)
        assert (op.state, bool(op.waiting_since)) == ("STARTING", True)
        since = op.waiting_since
        assert wake(op).waiting_since == since
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    op = lifecycle.run(op.id)
    assert (op.state, op.waiting_since) == ("COMPLETED", None), lifecycle.story(op)


def test_a_step_waits_for_its_cloud_and_says_since_when(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    with away(cloudsim):
        op = wake(op)
        assert op.state == "PROCESSING"
        assert "Waiting for the cloud since" in op.steps.get(kind="create_stack@1").message
        assert any("has not answered since" in sentence.text for sentence in op_story(op))
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    assert lifecycle.run(op.id).state == "COMPLETED"


def test_at_the_deadline_planning_ends_without_any_change(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, settings: Any
) -> None:
    settings.OPERATION_DEADLINE_SECONDS = 0
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    with away(cloudsim):
        op = wake(op)
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert op.problem is not None
    assert op.problem["code"] == "VIM_UNREACHABLE"
    assert op.problem["causes"]
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.vim_id) == ("NOT_INSTANTIATED", None)


def test_at_the_deadline_a_step_stops_and_can_be_retried(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, settings: Any
) -> None:
    settings.OPERATION_DEADLINE_SECONDS = 0
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    with away(cloudsim):
        op = wake(op)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert lifecycle.handle(op, "retry").state == "COMPLETED"


def test_an_error_of_the_clouds_own_is_not_waited_for_till_the_deadline(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    looks = 0
    with away(cloudsim, status=500):
        while op.state == "PROCESSING":
            op = wake(op)
            looks += 1
    assert op.state == "FAILED_TEMP"
    assert looks == 24
    assert op.waiting_since is None


def test_cancelled_before_it_began_it_has_touched_nothing(lifecycle: Lifecycle) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op_cancel(op_id=op.id, mode=CancelMode.GRACEFUL, actor="test")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"], op.cancel_mode) == ("ROLLED_BACK", "CANCELLED", "")
    assert lifecycle.stacks_of(instance) == []
    lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())


def test_a_graceful_cancellation_lets_the_step_finish_and_then_stops(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = half_way(lifecycle, lifecycle.start(instance, Operation.SCALE, SCALE_OUT), "update_stack@1")
    op_cancel(op_id=op.id, mode=CancelMode.GRACEFUL, actor="test")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "CANCELLED")
    assert op.steps.get(kind="update_stack@1").state == "DONE"
    assert op.steps.get(kind="record_vnfcs@1").state == "PENDING"
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert lifecycle.servers_of(instance) == before


@pytest.mark.matrix(2)
@pytest.mark.parametrize(("task", "end", "servers"), [("rollback", "ROLLED_BACK", 3), ("retry", "COMPLETED", 4)])
def test_a_forceful_cancellation_stops_at_once_and_can_go_both_ways(
    lifecycle: Lifecycle, task: str, end: str, servers: int
) -> None:
    instance = lifecycle.instantiated()
    op = half_way(lifecycle, lifecycle.start(instance, Operation.SCALE, SCALE_OUT), "update_stack@1")
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "CANCELLED")
    assert op.steps.get(kind="update_stack@1").state == "FAILED"
    assert lifecycle.handle(op, task).state == end
    assert len(lifecycle.servers_of(instance)) == servers


def test_a_rollback_can_be_cancelled_and_continued(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = half_way(lifecycle, lifecycle.start(instance, Operation.SCALE, SCALE_OUT), "update_stack@1")
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = lifecycle.run(op.id)
    op_handle_error(op_id=op.id, task="rollback", actor="test")
    while not op.steps.filter(state="UNDOING").exists():
        op = wake(op)
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "CANCELLED")
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert lifecycle.servers_of(instance) == before


def test_the_story_has_the_requests_to_the_cloud(lifecycle: Lifecycle) -> None:
    instance = lifecycle.create()
    op = lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    texts = [sentence.text for sentence in op_story(op)]
    assert texts[0] == f"{instance.name}: instantiating was requested by test."
    assert any(text.startswith("Heat was sent POST /") and "req-" in text for text in texts), texts
    assert "It went from under way to completed: all steps done." in texts
    assert any(re.fullmatch(r"Step \d+ was done after \d+\.\d s(: .*[^.])?\.", text) for text in texts), texts
    assert not any(word in text for text in texts for word in ("PROCESSING", "COMPLETED", "DONE")), texts


def test_a_new_name_is_written_down_and_renames_no_server(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    names = {server.name for server in lifecycle.cloud.servers.list()}
    change = {"vnfInstanceName": "edge-7", "metadata": {"site": "Bern", "gone": None}}
    op = lifecycle.done(instance, Operation.MODIFY_INFO, change)
    assert (instance.name, instance.metadata, op.operation) == ("edge-7", {"site": "Bern"}, "MODIFY_INFO")
    before = lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert before.items() <= lifecycle.servers_of(instance).items()
    assert names <= {server.name for server in lifecycle.cloud.servers.list()}
