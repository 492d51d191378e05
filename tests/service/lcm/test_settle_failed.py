"""The remains of an operation that was marked failed are taken over, or given up for good: the instance stays
usable."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_element
from tests.service.lcm.lifecycle import ANY, FORCEFUL, SCALE_OUT, CrashError, Lifecycle, Saboteur, assert_clean
from tests.service.lcm.stack_watch import listed, remove, stack, watch_twice
from tests.service.lcm.step_control import away
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected, Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.durable import lease
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.forget import forget_exported, forget_instance
from vnfm.lcm.reconcilers.removal import remove_unclaimed
from vnfm.lcm.reconcilers.settle_failed import CRASHES, settle_failed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def failed(lifecycle: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider) -> LcmOpOcc:
    """An instantiation that has made its stack and was marked failed then; its take-over is due."""
    instance = lifecycle.create()
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    registry.install(provider)
    op = lifecycle.handle(op, "fail")
    assert (op.state, bool(op.wake_at)) == ("FAILED", True)
    return op


def settled(op: LcmOpOcc) -> LcmOpOcc:
    """After one try, now."""
    LcmOpOcc.objects.filter(id=op.id, wake_at__isnull=False).update(wake_at=clock.now())
    settle_failed(op.id)
    op.refresh_from_db()
    return op


def instance_of(op: LcmOpOcc) -> VnfInstance:
    return VnfInstance.objects.get(id=op.instance_uuid)


def test_a_crash_is_retried_a_few_times_and_then_reported(
    lifecycle: Lifecycle, failed: LcmOpOcc, operator_api: APIClient
) -> None:
    plan = failed.plan
    LcmOpOcc.objects.filter(id=failed.id).update(plan={"of": "another release"})
    for _ in range(CRASHES - 1):
        assert settled(failed).wake_at is not None
    assert settled(failed).wake_at is None
    assert failed.problem is not None
    assert failed.problem["code"] == "NOT_TAKEN_OVER"
    assert "sabotage" in str(failed.problem["causes"]), "why it had stopped is not lost"
    assert (failed.sealed_secrets, failed.stack_before, failed.record_before) == (None, None, None)
    LcmOpOcc.objects.filter(id=failed.id).update(plan=plan)
    instance = instance_of(failed)
    assert instance.instantiation_state == "INSTANTIATED"
    assert operator_api.get(f"/api/v1/vnf_instances/{instance.id}").status_code == 200
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(lifecycle, instance)


def test_a_crash_that_goes_away_leaves_no_trace(failed: LcmOpOcc) -> None:
    plan, problem = failed.plan, failed.problem
    LcmOpOcc.objects.filter(id=failed.id).update(plan={"of": "another release"})
    assert settled(failed).wake_at is not None
    LcmOpOcc.objects.filter(id=failed.id).update(plan=plan)
    assert settled(failed).wake_at is None
    assert failed.problem == problem
    assert instance_of(failed).vnfcs.count() == 3


@pytest.mark.parametrize("way_out", ["terminate", "forget"])
def test_a_secret_that_cannot_be_unsealed_does_not_block_forgetting(
    lifecycle: Lifecycle, failed: LcmOpOcc, way_out: str
) -> None:
    lost = b"sealed under a key that was lost"
    LcmOpOcc.objects.filter(id=failed.id).update(sealed_secrets=lost)
    for _ in range(CRASHES):
        settled(failed)
    assert (failed.wake_at, failed.problem and failed.problem["code"]) == (None, "NOT_TAKEN_OVER")
    VnfInstance.objects.filter(id=failed.instance_uuid).update(sealed_settings=lost)
    instance = instance_of(failed)
    if way_out == "terminate":
        lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    else:
        exported = forget_exported(instance_id=instance.id, confirm=instance.name, actor="test")
        assert exported.stack_name in lifecycle.stacks_of(instance)


def test_a_cloud_that_is_away_is_waited_for_until_the_deadline(
    failed: LcmOpOcc, cloudsim: CloudsimProcess, settings: Any
) -> None:
    with away(cloudsim):
        for _ in range(CRASHES + 1):
            assert settled(failed).wake_at is not None
        assert failed.waiting_since is not None
        LcmOpOcc.objects.filter(id=failed.id).update(deadline=clock.now())
        assert settled(failed).wake_at is None
    assert (failed.waiting_since, failed.problem and failed.problem["code"]) == (None, "NOT_TAKEN_OVER")


@pytest.mark.parametrize("after", [True, False], ids=["gone", "there"])
def test_a_failed_termination_is_complete_if_its_stack_is_gone(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], provider: CloudProvider, after: bool
) -> None:
    instance = lifecycle.instantiated()
    make_element(vnf_instance=instance)
    op = lifecycle.start(instance, Operation.TERMINATE, FORCEFUL)
    break_cloud("stacks.delete", Rejected("sabotage", service="heat", http_status=400), after=after)
    assert lifecycle.run(op.id).state == "FAILED_TEMP"
    registry.install(provider)
    if after:
        until(lambda: not lifecycle.stacks_of(instance), "the stack is deleted")
    op = settled(lifecycle.handle(op, "fail"))
    assert (op.state, op.wake_at) == ("FAILED", None)
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=clock.now())  # as if the worker had died before it said so
    assert (settled(op).wake_at, op.problem and op.problem["code"]) == (None, "VIM_REJECTED")
    assert NetworkElement.objects.filter(vnf_instance=instance).exists() is not after
    if after:
        assert_clean(lifecycle, instance)
        lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    else:
        instance.refresh_from_db()
        assert instance.instantiation_state == "INSTANTIATED"
        assert instance.vnfcs.count() == 3
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)


def test_a_ring_that_comes_too_early_is_not_followed(failed: LcmOpOcc, break_cloud: Callable[..., Any]) -> None:
    break_cloud("servers.show", Transient("broken", http_status=500), after=False)
    due = settled(failed).wake_at
    assert due is not None
    settle_failed(failed.id)
    failed.refresh_from_db()
    assert (failed.wake_at, failed.settle_attempts) == (due, 1)


def test_a_cloud_with_enough_to_do_is_left_alone(
    lifecycle: Lifecycle, failed: LcmOpOcc, break_cloud: Callable[..., Any], operator_api: APIClient, settings: Any
) -> None:
    """A cloud that hangs must not hold all threads of a worker."""
    stack(lifecycle, "leftover", "vnfm")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["leftover"]
    assert remove(operator_api, item).status_code == 202
    settings.VIM_CONCURRENCY = 1
    asked = break_cloud(ANY, CrashError(), after=False)
    with vim_limiter.acquire(lifecycle.vim.id) as wait:
        assert not wait
        before = clock.now()
        assert (due := settled(failed).wake_at) is not None
        assert due > before
        remove_unclaimed(item["id"])
    assert asked.injected == 0
    assert listed(operator_api, lifecycle)["leftover"]["removal"]["state"] == "REQUESTED"


class Meanwhile(Saboteur):
    """No failure: at the first call of the cloud the instance is forgotten."""

    def __init__(self, provider: CloudProvider, instance: VnfInstance) -> None:
        super().__init__(provider, ANY, CrashError(), after=False)
        self._instance = instance
        self.refusals: list[str] = []

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if not self.refusals:
            for forget in (
                lambda: forget_instance(instance_id=self._instance.id, actor="test"),
                lambda: forget_exported(instance_id=self._instance.id, confirm=self._instance.name, actor="test"),
            ):
                with pytest.raises(ProblemError) as caught:
                    forget()
                self.refusals.append(caught.value.problem.code)
        return method(*args, **kwargs)


def test_an_instance_is_not_forgotten_while_its_remains_are_recorded(failed: LcmOpOcc, provider: CloudProvider) -> None:
    instance = instance_of(failed)
    meanwhile = Meanwhile(provider, instance)
    registry.install(meanwhile)
    assert settled(failed).wake_at is None
    assert meanwhile.refusals == ["OPERATION_RUNNING"] * 2
    assert instance.vnfcs.count() == 3


def test_the_remains_of_a_forgotten_instance_are_not_recorded(failed: LcmOpOcc, lifecycle: Lifecycle) -> None:
    """Also with a cloud that is away: who lets go does not wait for it."""
    LcmOpOcc.objects.filter(id=failed.id).update(sealed_secrets=b"sealed", stack_before={}, record_before={})
    instance = instance_of(failed)
    forget_instance(instance_id=instance.id, actor="test")
    assert settled(failed).wake_at is None
    assert (failed.sealed_secrets, failed.stack_before, failed.record_before) == (None, None, None)
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.stack_id, instance.vim) == ("NOT_INSTANTIATED", "", None)
    assert not instance.vnfcs.exists()


def test_an_instance_with_a_leased_operation_is_not_forgotten(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(instance, Operation.SCALE, SCALE_OUT).id)
    with lease.hold(f"op:{op.id}"), pytest.raises(ProblemError, match="stopped at an error"):
        forget_instance(instance_id=instance.id, actor="test")
    forget_instance(instance_id=instance.id, actor="test")
    op.refresh_from_db()
    assert (op.state, op.wake_at, op.stack_before) == ("FAILED", None, None)
    assert not Step.objects.filter(op=op, state="UNDONE").exists()
