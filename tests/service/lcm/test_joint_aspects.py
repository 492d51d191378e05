"""One scaling aspect of several VDUs: they come, go, and are healed together, whatever group of Heat each is in, also
where they are servers of the same members of one group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories.catalog import onboarded
from tests.factories.corpus import joint_masters_and_workers
from tests.factories.packages import zipped
from tests.service.lcm.front_and_back import FILES, front_and_back_live
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation

if TYPE_CHECKING:
    from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = {
    "masterNode_flavor": "m1.tiny",
    "masterNode_image": "tiny",
    "masterNode_CP1_network": "public",
    "workerNode_flavor": "m1.tiny",
    "workerNode_image": "tiny",
    "workerNode_CP2_network": "public",
}
OUT = {"type": "SCALE_OUT", "aspectId": "master_instance", "numberOfSteps": 1}
IN = {**OUT, "type": "SCALE_IN"}


@pytest.fixture
def life(vim: Vim) -> Lifecycle:
    return Lifecycle(vim, onboarded(zipped(joint_masters_and_workers())))


def numbers(instance: VnfInstance) -> tuple[int, int]:
    """Masters and workers."""
    rows = list(Vnfc.objects.filter(instance=instance).values_list("vdu_id", flat=True))
    return rows.count("masterNode"), rows.count("workerNode")


def test_both_are_scaled_healed_and_scaled_back(life: Lifecycle) -> None:
    instance = life.create()
    request = {**life.instantiate_request(**SETTINGS), "flavourId": "simple"}
    life.done(instance, Operation.INSTANTIATE, request)
    assert numbers(instance) == (1, 2)
    op = life.done(instance, Operation.SCALE, OUT)
    assert numbers(instance) == (2, 4)
    assert {key: len(slots) for key, slots in op.plan["added"].items()} == {"masterNode": 1, "workerNode": 2}
    worker = Vnfc.objects.filter(instance=instance, vdu_id="workerNode").latest("slot")
    recreate = {"cause": "test", "vnfcInstanceId": [str(worker.id)], "additionalParams": {"method": "recreate"}}
    life.done(instance, Operation.HEAL, recreate)
    assert numbers(instance) == (2, 4)
    life.done(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": [{"aspectId": "master_instance", "scaleLevel": 0}]})
    assert numbers(instance) == (1, 2)


def test_named_vnfcs_that_go_are_of_all_its_vdus(life: Lifecycle) -> None:
    instance = life.create()
    life.done(instance, Operation.INSTANTIATE, {**life.instantiate_request(**SETTINGS), "flavourId": "simple"})
    life.done(instance, Operation.SCALE, OUT)
    named = [f"{vdu}/{slot}" for vdu, slot in (("masterNode", "1"), ("workerNode", "1"), ("workerNode", "3"))]
    with pytest.raises(ProblemError, match="1 VNFCs of workerNode are named, and the request removes 2"):
        life.start(instance, Operation.SCALE, {**IN, "additionalParams": {"vnfcToRemove": named[:2]}})
    life.done(instance, Operation.SCALE, {**IN, "additionalParams": {"vnfcToRemove": named}})
    left = sorted(Vnfc.objects.filter(instance=instance).values_list("vdu_id", "slot"))
    assert left == [("masterNode", "2"), ("workerNode", "2"), ("workerNode", "4")]


def test_servers_of_the_same_members_of_a_group_are_scaled_and_healed(vim: Vim) -> None:
    front_and_back_live(Lifecycle(vim, onboarded(zipped(FILES))))
