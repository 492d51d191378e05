"""Heat's engine dies in the midst of an action: the stack stays in progress, and step, story and alarm say so."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.lcm.lifecycle import Lifecycle, assert_clean
from tests.service.lcm.step_control import half_way, wake
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.faults.models import OPEN, Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_instances
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import op_story
from vnfm.lcm.services.operations import op_cancel

pytestmark = pytest.mark.django_db(transaction=True)

OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
FORCEFUL = {"terminationType": "FORCEFUL"}
DIED = "has Heat's engine died?"


@pytest.fixture(autouse=True)
def short_limit(settings: Any, cloudsim: CloudsimProcess) -> Iterator[None]:
    settings.STACK_SILENT_SECONDS = 0.5
    yield
    cloudsim.control("POST", "/heat/resume")


def stalled(life: Lifecycle, cloudsim: CloudsimProcess, op: LcmOpOcc, kind: str) -> LcmOpOcc:
    """The engine dies while that step waits for it; drive until the step says so."""
    op = half_way(life, op, kind)
    assert cloudsim.control("POST", "/heat/die")["stopped"] == 1

    def says_so() -> bool:
        wake(op)
        return DIED in op.steps.get(kind=kind).message

    until(says_so, "the step says that nothing changes")
    return op


def alarms(instance: VnfInstance) -> list[str]:
    evaluate_instances(ids=[instance.id], now=clock.now())
    rows = Alarm.objects.filter(OPEN, managed_object_id=instance.id, fault_type="StackStalled", suppression="")
    return [" ".join(row.fault_details) for row in rows]


def scaling(life: Lifecycle, cloudsim: CloudsimProcess) -> tuple[VnfInstance, LcmOpOcc]:
    instance = life.instantiated()
    return instance, stalled(life, cloudsim, life.start(instance, Operation.SCALE, OUT), "update_stack@1")


def test_step_story_and_alarm_say_so_with_both_remedies(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance, op = scaling(lifecycle, cloudsim)
    stack_id = VnfInstance.objects.get(id=instance.id).stack_id
    [alarm] = alarms(instance)
    texts = (op.steps.get(kind="update_stack@1").message, " ".join(s.text for s in op_story(op)), alarm)
    for words in texts:
        assert "nothing since" in words
        assert DIED in words
        assert "Cancel by force, then retry" in words
        assert f"heat-manage reset_stack_status {stack_id}" in words


def test_it_goes_on_when_the_engine_is_back(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance, op = scaling(lifecycle, cloudsim)
    assert alarms(instance)
    cloudsim.control("POST", "/heat/resume")
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert alarms(instance) == []


def test_it_goes_on_by_itself_after_the_administrators_reset(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance, op = scaling(lifecycle, cloudsim)
    stack_id = VnfInstance.objects.get(id=instance.id).stack_id
    cloudsim.control("POST", f"/stacks/{stack_id}/reset_status")
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(lifecycle.servers_of(instance)) == len(VnfInstance.objects.get(id=instance.id).vnfcs.all())


@pytest.mark.parametrize("task", ["retry", "rollback"])
def test_cancel_and_retry_or_roll_back(lifecycle: Lifecycle, cloudsim: CloudsimProcess, task: str) -> None:
    instance, op = scaling(lifecycle, cloudsim)
    before = len(instance.vnfcs.all())
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = wake(op)
    assert op.state == "FAILED_TEMP"
    op = lifecycle.handle(op, task)
    assert op.state == ("COMPLETED" if task == "retry" else "ROLLED_BACK"), lifecycle.story(op)
    assert len(lifecycle.servers_of(instance)) == before + (task == "retry")
    assert alarms(instance) == []


def test_an_instantiation_and_a_termination(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = stalled(lifecycle, cloudsim, op, "create_stack@1")
    instance.refresh_from_db()
    cloudsim.control("POST", f"/stacks/{instance.stack_id}/reset_status")
    assert lifecycle.run(op.id).state == "COMPLETED"
    cloudsim.control("PUT", "/settings", {"action_seconds": 1.0})
    op = stalled(lifecycle, cloudsim, lifecycle.start(instance, Operation.TERMINATE, FORCEFUL), "delete_stack@1")
    cloudsim.control("PUT", "/settings", {"action_seconds": 0.01})
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = lifecycle.handle(wake(op), "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert_clean(lifecycle, instance)


def test_a_rolled_back_instantiation_is_deleted_although_the_deletion_stands_still(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = stalled(lifecycle, cloudsim, op, "create_stack@1")
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = lifecycle.handle(wake(op), "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_clean(lifecycle, instance)
