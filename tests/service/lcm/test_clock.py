"""Times that a clock wrote which has been set back or forward since."""

from datetime import timedelta

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers.driver import drive
from vnfm.lcm.reconcilers.sweep import sweep

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_operation_that_would_sleep_for_an_hour_is_woken(lifecycle: Lifecycle) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=clock.now() + timedelta(hours=1))
    drive(op.id)
    op.refresh_from_db()
    assert op.state != "STARTING", "a message is never early"
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=clock.now() + timedelta(hours=1))
    assert sweep(clock.now()) == 1, "without a message, the sweep enqueues it"
    assert sweep(clock.now()) == 0


def test_a_step_that_would_wait_for_an_hour_counts_from_now_on(lifecycle: Lifecycle) -> None:
    """Heat's times have whole seconds, so that an update waits for the next one: by the time since the step began."""
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    drive(op.id)
    step = op.steps.get(state="WAITING")
    Step.objects.filter(id=step.id).update(started_at=clock.now() + timedelta(hours=1))
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    drive(op.id)
    step.refresh_from_db()
    assert step.started_at is not None
    assert step.started_at <= clock.now()


HOUR = timedelta(hours=1)


@pytest.mark.parametrize("found_by", ["message", "sweep"])
def test_time_in_which_no_worker_looked_does_not_count(lifecycle: Lifecycle, found_by: str) -> None:
    """The clock was set forward by an hour: deadlines and patience are what they were before."""
    op = waiting_operation(lifecycle)
    step = op.steps.get(state="WAITING")
    Step.objects.filter(id=step.id).update(started_at=clock.now() - HOUR - timedelta(seconds=5))
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=clock.now() - HOUR, deadline=clock.now())
    if found_by == "sweep":
        assert sweep(clock.now()) == 1
    drive(op.id)
    step.refresh_from_db()
    op.refresh_from_db()
    assert step.started_at is not None
    assert clock.now() - step.started_at < timedelta(seconds=30), "5 seconds of it were watched"
    assert op.deadline > clock.now() + HOUR - timedelta(seconds=30)


def test_a_busy_workers_delay_counts(lifecycle: Lifecycle) -> None:
    op = waiting_operation(lifecycle)
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=clock.now() - timedelta(seconds=8))
    started_at = op.steps.get(state="WAITING").started_at
    drive(op.id)
    assert op.steps.order_by("seq").filter(started_at=started_at).exists()


def waiting_operation(lifecycle: Lifecycle) -> LcmOpOcc:
    op = lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())
    drive(op.id)
    assert op.steps.filter(state="WAITING").exists()
    return op
