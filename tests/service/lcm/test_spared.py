"""What Heat takes for failed after an update that failed at a server: Liberty's would make it anew with the next one.

Nova had no room for a resize. The VM runs on, and must still be the same one whatever is done next.
"""

from typing import Any

import pytest

from tests.installation import until
from tests.service.lcm.driving import Lifecycle
from tests.service.lcm.pictures import assert_recorded, held, of, picture
from vnfm.clouds.types import Flavor
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.given_up import settle_failed

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
    before = held(life, instance)
    op = life.handle(failed(life, instance), "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert held(life, instance) == before
    assert_recorded(life, instance)
    life.done(instance, Operation.SCALE, SCALE_OUT)
    assert picture(life, instance)["1"] == before.picture["1"]


def test_a_retry_tries_the_same_vm_again(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = picture(life, instance)
    op = failed(life, instance)
    for _ in range(2):
        op = life.handle(op, "retry")
        assert "No valid host found for resize" in op.problem["detail"]
        assert picture(life, instance) == before
    huge = life.cloud.flavors.find("huge")
    assert huge is not None
    life.cloud.flavors.delete(huge.id)
    life.cloud.flavors.create(Flavor("", "huge", 8, 8192, 20, {}))
    op = life.handle(op, "retry")
    assert op.state == "COMPLETED", life.story(op)
    assert of(picture(life, instance), "server", "1") == [before["1"].server]
    assert picture(life, instance)["1"].flavor == "huge"


def test_given_up_the_next_operation_spares_it(life: Lifecycle) -> None:
    instance = life.instantiated()
    before = picture(life, instance)
    op = life.handle(failed(life, instance), "fail")
    settle_failed(op.id)
    back = {"newFlavourId": "default", "additionalParams": {"data_path_flavor": None}}
    life.done(instance, Operation.CHANGE_FLAVOUR, back)
    assert picture(life, instance) == before
    assert_recorded(life, instance)


def test_beside_a_vm_that_is_stopped_heat_is_not_asked(life: Lifecycle) -> None:
    """It would take that one for failed."""
    instance = life.instantiated()
    life.done(instance, Operation.OPERATE, STOP_B)
    before = picture(life, instance)
    op = life.handle(failed(life, instance), "rollback")
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "SIBLING_AT_RISK"), life.story(op)
    assert "(control/B) for failed, which does not run" in op.problem["detail"]
    assert picture(life, instance) == before
    life.cloud.servers.start(before["B"].server)
    until(lambda: picture(life, instance)["B"].status == "ACTIVE" or None, 30, "the server is up")
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    after = picture(life, instance)
    assert of(after, "server", "A", "B", "1") == of(before, "server", "A", "B", "1")
