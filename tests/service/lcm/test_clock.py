"""Times that a clock wrote which has been set back since."""

from datetime import timedelta

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
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
