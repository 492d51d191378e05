"""An operation that waits for a stack is woken when a poll finds the stack at rest."""

from datetime import timedelta

import pytest

from tests.factories.deployed import make_deployed
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.operations import ops_wake

pytestmark = pytest.mark.django_db


def asleep(instance: VnfInstance, state: str) -> LcmOpOcc:
    hence = clock.now() + timedelta(minutes=1)
    fields = {"instance": instance, "instance_uuid": instance.id, "state": state, "deadline": hence, "wake_at": hence}
    return LcmOpOcc.objects.create(operation="SCALE", params={}, **fields)


@pytest.mark.parametrize(
    ("state", "stack", "woken"),
    [
        ("PROCESSING", "UPDATE_COMPLETE", True),
        ("ROLLING_BACK", "UPDATE_FAILED", True),
        ("PROCESSING", "MISSING", True),
        ("PROCESSING", "UPDATE_IN_PROGRESS", False),
        ("FAILED_TEMP", "UPDATE_COMPLETE", False),
    ],
)
def test_news_of_a_stack(state: str, stack: str, woken: bool) -> None:
    op, other = asleep(make_deployed(stack_status=stack), state), asleep(make_deployed(), "PROCESSING")
    ops_wake(instance_ids=[op.instance_uuid])
    for each, expected in ((op, woken), (other, False)):
        each.refresh_from_db()
        assert each.wake_at is not None
        assert (each.wake_at <= clock.now()) is expected
