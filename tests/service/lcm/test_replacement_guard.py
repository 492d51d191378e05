"""Servers that Heat marks as failed after a failed update: Liberty's Heat would replace them with the next update.

Nova had no room for a resize. The VM runs on, and must still be the same one whatever is done next.
"""

from typing import Any

import pytest

from tests.service.lcm.cloud_snapshot import assert_recorded, cloud_snapshot, of, rollback_state
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.installation import until
from vnfm.clouds.types import Flavor
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.settle_failed import settle_failed

pytestmark = pytest.mark.django_db(transaction=True)

TO_HUGE = {"newFlavourId": "default", "additionalParams": {"data_path_flavor": "huge"}}
SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
STOP_B = {"changeStateTo": "STOPPED", "stopType": "FORCEFUL", "vnfcInstanceId": ["control/B"]}


@pytest.fixture
def life(lifecycle: Lifecycle, cloudsim: Any) -> Lifecycle:
    """A cloud with a flavor for which no host has room."""
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    lifecycle.cloud.flavors.create(Flavor("", "huge", 2000, 8192, 20, {}))
    return lifecycle


def failed(life: Lifecycle, instance: VnfInstance) -> LcmOpOcc:
    op = life.run(life.start(instance, Operation.CHANGE_FLAVOUR, TO_HUGE).id)
    assert op.state == "FAILED_TEMP", life.story(op)
    assert "No valid host found for resize" in op.problem["detail"]
    return op


def test_a_rollback_gives_the_same_vms_back(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = rollback_state(life, instance)
    op = life.handle(failed(life, instance), "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert rollback_state(life, instance) == before
    assert_recorded(life, instance)
    life.done(instance, Operation.SCALE, SCALE_OUT)
    assert cloud_snapshot(life, instance)["1"] == before.cloud_snapshot["1"]


def test_a_retry_tries_the_same_vm_again(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    op = failed(life, instance)
    for _ in range(2):
        op = life.handle(op, "retry")
        assert "No valid host found for resize" in op.problem["detail"]
        assert cloud_snapshot(life, instance) == before
    huge = life.cloud.flavors.find("huge")
    assert huge is not None
    life.cloud.flavors.delete(huge.id)
    life.cloud.flavors.create(Flavor("", "huge", 8, 8192, 20, {}))
    op = life.handle(op, "retry")
    assert op.state == "COMPLETED", life.story(op)
    assert of(cloud_snapshot(life, instance), "server", "1") == [before["1"].server]
    assert cloud_snapshot(life, instance)["1"].flavor == "huge"


def test_marked_failed_the_next_operation_keeps_the_server(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = cloud_snapshot(life, instance)
    op = life.handle(failed(life, instance), "fail")
    settle_failed(op.id)
    back = {"newFlavourId": "default", "additionalParams": {"data_path_flavor": None}}
    life.done(instance, Operation.CHANGE_FLAVOUR, back)
    assert cloud_snapshot(life, instance) == before
    assert_recorded(life, instance)


def test_with_a_stopped_vm_no_check_is_requested(life: Lifecycle) -> None:
    """It would take that one for failed."""
    instance = life.instantiated()
    life.done(instance, Operation.OPERATE, STOP_B)
    before = cloud_snapshot(life, instance)
    op = life.handle(failed(life, instance), "rollback")
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "SIBLING_AT_RISK"), life.story(op)
    assert "(control/B) as failed, which is not running" in op.problem["detail"]
    assert cloud_snapshot(life, instance) == before
    life.cloud.servers.start(before["B"].server)
    until(lambda: cloud_snapshot(life, instance)["B"].status == "ACTIVE" or None, 30, "the server is up")
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    after = cloud_snapshot(life, instance)
    assert of(after, "server", "A", "B", "1") == of(before, "server", "A", "B", "1")
