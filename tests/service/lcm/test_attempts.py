"""Every try of a step counts for itself: a retry does not look at the old failure, an outage takes no time and no
tries, and a cancellation is neither lost nor left behind."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.service.lcm.cloud_snapshot import cloud_snapshot, of
from tests.service.lcm.flavour_change import LARGE, SPECS, TO_LARGE
from tests.service.lcm.lifecycle import CrashError, Lifecycle, Saboteur
from tests.service.lcm.step_control import away, half_way, wake
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import until
from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError, RateLimited, Transient
from vnfm.clouds.types import Flavor
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.models import Lease
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.domain.steps import SHORTEST_REQUESTED
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.driver import drive
from vnfm.lcm.selectors.operations import op_actions
from vnfm.lcm.services.operations import op_cancel, op_handle_error
from vnfm.lcm.steps import stack
from vnfm.lcm.steps.stack import TICK, UpdateStack

pytestmark = pytest.mark.django_db(transaction=True)

OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
FORCEFUL = {"terminationType": "FORCEFUL"}
LOST_PUT = {"service": "orchestration", "method": "PUT", "path": "/stacks/[^/]+/[^/]+$", "effect": "lie200"}
NO_SERVERS = {
    "service": "compute",
    "callers": "internal",
    "method": "POST",
    "path": "/servers",
    "times": 50,
    "effect": "status",
    "status": 400,
}
BUSY = Transient("busy", service="heat", http_status=503)

Break = Callable[..., Saboteur]


class Meanwhile(Saboteur):
    """No failure: just before the call another user does something, once."""

    def __init__(self, call: str, deed: Callable[[], object]) -> None:
        super().__init__(registry.provider(), call, CrashError(), after=False)
        self._deed = deed

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        self.injected += 1
        if self.injected == 1:
            self._deed()
        return method(*args, **kwargs)


def test_an_operation_that_kills_two_workers_is_set_aside_and_can_be_retried(lifecycle: Lifecycle) -> None:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    lease = Lease.objects.filter(key=f"op:{op.id}")
    lease.update(owner="it died", deaths=0, expires_at=clock.now())
    assert wake(op).state == "PROCESSING"
    lease.update(owner="it died, too", deaths=1, expires_at=clock.now())
    op = wake(op)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert op.problem["code"] == "GIVEN_UP"
    assert "taken up twice, and each time its worker died" in op.problem["detail"]
    assert lifecycle.handle(op, "retry").state == "COMPLETED", lifecycle.story(op)


def failed(life: Lifecycle, cloudsim: CloudsimProcess, instance: VnfInstance) -> LcmOpOcc:
    """A scale-out that Heat has failed, since Nova made no servers; from now on it would."""
    cloudsim.control("POST", "/failures", NO_SERVERS)
    op = life.run(life.start(instance, Operation.SCALE, OUT).id)
    assert op.state == "FAILED_TEMP", life.story(op)
    cloudsim.control("DELETE", "/failures")
    return op


def rollback(op: LcmOpOcc) -> bool:
    return next(a.enabled for a in op_actions(op) if a.action == "rollback")


def test_a_retry_that_meets_a_busy_cloud_is_no_look_at_the_old_failure(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Break
) -> None:
    op = failed(lifecycle, cloudsim, lifecycle.instantiated())
    break_cloud("stacks.update", BUSY, after=False)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before Heat has it", "after"])
def test_a_retry_survives_a_crash(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Break, after: bool
) -> None:
    op = failed(lifecycle, cloudsim, lifecycle.instantiated())
    break_cloud("stacks.update", CrashError(), after=after)
    with pytest.raises(CrashError):
        lifecycle.handle(op, "retry")
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)


def test_a_second_rollback_that_meets_a_busy_cloud_goes_back(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Break
) -> None:
    instance = lifecycle.instantiated()
    before = cloud_snapshot(lifecycle, instance)
    op = failed(lifecycle, cloudsim, instance)
    cloudsim.control("POST", "/failures", LOST_PUT)
    op_handle_error(op_id=op.id, task="rollback", actor="test")
    op = lifecycle.run_out(op.id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert op.problem is not None
    assert op.problem["code"] == "UPDATE_NOT_BEGUN"
    break_cloud("stacks.update", BUSY, after=False)
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert cloud_snapshot(lifecycle, instance) == before


def test_an_update_that_heat_accepts_and_forgets_is_not_done(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    """Also where everything looks as it would after it: the stack was updated before, and no VNFC comes or goes."""
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    lifecycle.cloud.flavors.create(Flavor("", LARGE, 8, 16384, 20, SPECS))
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.CHANGE_FLAVOUR, TO_LARGE)
    cloudsim.control("POST", "/failures", LOST_PUT)
    back = {"newFlavourId": "default", "instantiationLevelId": "small"}
    op = lifecycle.run_out(lifecycle.start(instance, Operation.CHANGE_FLAVOUR, back).id)
    assert (op.state, op.problem and op.problem["code"]) == ("FAILED_TEMP", "UPDATE_NOT_BEGUN"), lifecycle.story(op)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert of(cloud_snapshot(lifecycle, instance), "flavor", "1") == ["vnf.dpdk"]


def test_heats_time_to_begin_counts_from_the_request_and_not_from_the_step(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, break_cloud: Break
) -> None:
    """As after a request whose answer was lost with the database, a minute later: it is repeated."""
    op = lifecycle.start(lifecycle.instantiated(), Operation.SCALE, OUT)
    break_cloud("stacks.update", BUSY, after=False)
    op = lifecycle.look(op.id)
    op.steps.filter(state="RUNNING").update(started_at=clock.now() - timedelta(minutes=2))
    cloudsim.control("POST", "/failures", LOST_PUT)
    for _ in range(3):
        LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
        op = lifecycle.look(op.id)
    assert op.state == "PROCESSING", lifecycle.story(op)
    assert "has accepted the update and not begun it" in lifecycle.story(op)


@pytest.fixture
def by_whole_seconds(lifecycle: Lifecycle, cloudsim: CloudsimProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heat's times are whole seconds, and updates within one have the same, as in a real cloud."""
    monkeypatch.setattr(stack, "TICK", TICK)
    cloudsim.control("PUT", "/settings", {"distinct_update_times": False})


def test_an_update_waits_until_heats_clock_can_show_it(lifecycle: Lifecycle, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.SCALE, OUT)
    monkeypatch.setattr(stack, "TICK", 3600.0)
    op = lifecycle.look(lifecycle.start(instance, Operation.SCALE, OUT).id)
    assert op.steps.get(kind=UpdateStack.kind).message == "About to request the update from Heat"
    monkeypatch.setattr(stack, "TICK", 0.0)
    assert lifecycle.run(op.id).state == "COMPLETED"


@pytest.mark.usefixtures("by_whole_seconds")
def test_an_update_long_after_the_last_one_is_requested_at_once(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    ended = lifecycle.done(instance, Operation.SCALE, OUT).steps.get(kind=UpdateStack.kind).finished_at
    assert ended is not None
    quiet = ended + timedelta(seconds=TICK)
    until(lambda: clock.now() > quiet or None, 10 * TICK, "Heat's clock shows another time")
    update = lifecycle.done(instance, Operation.SCALE, OUT).steps.get(kind=UpdateStack.kind)
    assert update.receipt is not None
    assert "seen" not in update.receipt, "it waited for Heat's clock"


def test_an_outage_uses_up_no_tries(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    with away(cloudsim):
        for _ in range(30):
            op = wake(op)
    with away(cloudsim, status=500):
        op = wake(op)
    assert op.state == "PROCESSING", lifecycle.story(op)


def test_an_outage_takes_no_time_of_the_step(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    with away(cloudsim):
        op = wake(op)
    assert op.waiting_since is not None
    earlier = timedelta(minutes=80)
    LcmOpOcc.objects.filter(id=op.id).update(waiting_since=op.waiting_since - earlier)
    step = op.steps.get(kind="create_stack@1")
    assert step.started_at is not None
    op.steps.filter(id=step.id).update(started_at=step.started_at - earlier)
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    step.refresh_from_db()
    assert clock.now() - step.started_at < timedelta(minutes=1)


def test_a_retry_has_all_its_tries(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    with away(cloudsim, status=500):
        while op.state == "PROCESSING":
            op = wake(op)
        op_handle_error(op_id=op.id, task="retry", actor="test")
        op = wake(op)
        assert op.state == "PROCESSING", lifecycle.story(op)


def test_a_refused_one_way_step_can_be_rolled_back(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    """A termination cannot be undone once it has begun; one that Heat refused has not begun."""
    instance = lifecycle.instantiated()
    rule = {"service": "orchestration", "method": "DELETE", "path": "/stacks/", "effect": "status", "status": 400}
    cloudsim.control("POST", "/failures", rule)
    op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
    assert rollback(op)
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"


def test_a_one_way_step_with_a_possible_effect_cannot_be_rolled_back(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    rule = {"service": "orchestration", "method": "DELETE", "path": "/stacks/", "effect": "status", "status": 500}
    cloudsim.control("POST", "/failures", {**rule, "when": "after", "times": 1000})
    instance = lifecycle.instantiated()
    op = lifecycle.start(instance, Operation.TERMINATE, FORCEFUL)
    while not op.steps.filter(kind="delete_stack@1", attempts__gt=0).exists():
        op = wake(op)
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    op = wake(op)
    assert op.state == "FAILED_TEMP"
    assert not rollback(op)


def test_a_create_whose_answer_was_lost_is_found_by_its_name(lifecycle: Lifecycle, break_cloud: Break) -> None:
    """Heat had not shown the stack yet when it was looked for: only the second request learns of it."""
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    break_cloud("stacks.create", Transient("no answer", service="heat", http_status=0), after=True)
    op = lifecycle.look(op.id)
    registry.install(_Forgetful(registry.provider()))
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(lifecycle.stacks_of(instance)) == 1


def test_a_cloud_without_a_pause_gets_one_request_a_second(lifecycle: Lifecycle, break_cloud: Break) -> None:
    instance = lifecycle.create()
    at_once = RateLimited("slow down", service="heat", http_status=429)
    at_once.retry_after = 0.0
    saboteur = break_cloud("stacks.create", at_once, after=False)
    op, began = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()), clock.now()
    op = lifecycle.look(op.id)
    assert (saboteur.injected, lifecycle.stacks_of(instance)) == (1, [])
    assert op.wake_at is not None
    assert op.wake_at >= began + timedelta(seconds=SHORTEST_REQUESTED)
    assert lifecycle.run(op.id).state == "COMPLETED", lifecycle.story(op)


class _Forgetful(Saboteur):
    """Does not find a stack by its name the first time."""

    def __init__(self, provider: Any) -> None:
        super().__init__(provider, "stacks.find", CloudError(""), after=False)

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        self.injected += 1
        return None if self.injected == 1 else method(*args, **kwargs)


def test_a_cancellation_during_a_look_is_heeded_at_once(lifecycle: Lifecycle) -> None:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")
    version = op.version

    def cancel() -> None:
        op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")

    registry.install(Meanwhile("stacks.status", cancel))
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    drive(op.id)
    op.refresh_from_db()
    assert (op.state, op.problem and op.problem["code"]) == ("FAILED_TEMP", "CANCELLED")
    assert op.version > version, "an old ETag must not be accepted"


def test_a_cancellation_that_comes_too_late_leaves_nothing_behind(lifecycle: Lifecycle) -> None:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = half_way(lifecycle, op, "create_stack@1")

    def cancel() -> None:
        if op.steps.filter(kind="record_vnfcs@1", state="RUNNING").exists():
            op_cancel(op_id=op.id, mode=CancelMode.GRACEFUL, actor="test")

    registry.install(Meanwhile("networks.ports", cancel))
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    op = lifecycle.run(op.id)
    assert (op.state, op.cancel_mode, op.wake_at) == ("COMPLETED", "", None), lifecycle.story(op)


STUBBORN = {
    "service": "compute",
    "callers": "internal",
    "method": "DELETE",
    "path": "/servers",
    "effect": "status",
    "status": 400,
}


def test_a_failed_deletion_of_a_stack_is_requested_again(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    cloudsim.control("POST", "/failures", {**STUBBORN, "times": 1})
    op = lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert lifecycle.stacks_of(instance) == []
    receipt = op.steps.get(kind="delete_stack@1").receipt
    assert receipt is not None
    assert receipt["failures"] == 1


def test_a_rollback_requests_a_failed_deletion_again(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    cloudsim.control("POST", "/failures", NO_SERVERS)
    op = lifecycle.run(lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    cloudsim.control("DELETE", "/failures")
    network = {**STUBBORN, "service": "network", "path": "/networks", "times": 1}
    cloudsim.control("POST", "/failures", network)
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK", lifecycle.story(op)


def test_a_stack_that_heat_cannot_delete_is_reported_with_heats_reason(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    instance = lifecycle.instantiated()
    cloudsim.control("POST", "/failures", {**STUBBORN, "times": 50})
    op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert op.problem is not None
    assert op.problem["code"] == "STACK_FAILED"
    cloudsim.control("DELETE", "/failures")
    assert lifecycle.handle(op, "retry").state == "COMPLETED", lifecycle.story(op)
