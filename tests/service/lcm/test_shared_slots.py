"""Load balancers and pairs of mobile gateways in the slots of one chassis, on a simulated cloud: also when it fails."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import VMG, shipped_zip
from tests.service.lcm.cloud_snapshot import assert_recorded, cloud_snapshot, ids
from tests.service.lcm.full_lifecycle import small
from tests.service.lcm.lifecycle import CrashError, Lifecycle, crash
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds.errors import Rejected
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)

NO_SERVER = Rejected("sabotage", service="nova", http_status=400)


@pytest.fixture
def life(lifecycle: Lifecycle) -> Lifecycle:
    lifecycle.package = onboarded(shipped_zip(VMG))
    return lifecycle


@pytest.fixture
def instance(life: Lifecycle) -> VnfInstance:
    """LBs in slots 1 and 2, MGs in 3 and 4."""
    return life.instantiated(**small(vnfd_of(life.package)))


def scaling(kind: str, aspect: str, *remove: str) -> dict[str, Any]:
    named = {"additionalParams": {"vnfcToRemove": list(remove)}} if remove else {}
    return {"type": kind, "aspectId": aspect, **named}


OUT_LB, IN_LB = scaling("SCALE_OUT", "lb"), scaling("SCALE_IN", "lb")
OUT_MG, IN_MG = scaling("SCALE_OUT", "mg-groups"), scaling("SCALE_IN", "mg-groups")


def cards(life: Lifecycle, instance: VnfInstance) -> dict[str, str]:
    """Slot to kind of card, and of an MG its role and mate, as the servers say."""
    assert_recorded(life, instance)
    servers = [s.metadata for s in life.cloud.servers.list() if s.metadata.get("vnf_instance") == str(instance.id)]
    assert len({one["slot"] for one in servers}) == len(servers), "two cards in one slot"
    words = {one["slot"]: [one["vdu"], one.get("role", ""), one.get("mate", "")] for one in servers}
    return {slot: " ".join(filter(None, said)) for slot, said in words.items() if slot not in "AB"}


SMALLEST = {"1": "lb", "2": "lb", "3": "mg working 4", "4": "mg protect 3"}


def test_slots_are_shared_by_both_vdus(life: Lifecycle, instance: VnfInstance) -> None:
    assert cards(life, instance) == SMALLEST
    life.done(instance, Operation.SCALE, OUT_MG)
    life.done(instance, Operation.SCALE, OUT_LB)
    second = {"5": "mg working 6", "6": "mg protect 5", "7": "lb"}
    assert cards(life, instance) == {**SMALLEST, **second}
    life.done(instance, Operation.SCALE, scaling("SCALE_IN", "mg-groups", "mg/3", "mg/4"))
    assert cards(life, instance) == {"1": "lb", "2": "lb", **second}
    life.done(instance, Operation.SCALE, OUT_LB)
    life.done(instance, Operation.SCALE, OUT_MG)
    third = {"3": "lb", "4": "mg working 8", "8": "mg protect 4"}
    assert cards(life, instance) == {"1": "lb", "2": "lb", **second, **third}
    life.done(instance, Operation.SCALE, IN_MG)
    assert cards(life, instance).keys() == {"1", "2", "3", "4", "7", "8"}, "the pair with the highest working slot"


def test_a_group_that_was_removed_comes_back_to_its_slots(
    life: Lifecycle, instance: VnfInstance, break_cloud: Callable[..., Any]
) -> None:
    life.done(instance, Operation.SCALE, OUT_MG)
    before, servers = cards(life, instance), ids(cloud_snapshot(life, instance))
    op = life.start(instance, Operation.SCALE, scaling("SCALE_IN", "mg-groups", "mg/3", "mg/4"))
    break_cloud("servers.show", NO_SERVER, after=False)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert cards(life, instance) == before
    after = ids(cloud_snapshot(life, instance))
    assert {slot for slot in after if after[slot] != servers[slot]} == {"3", "4"}
    life.done(instance, Operation.SCALE, OUT_LB)
    assert cards(life, instance) == {**before, "7": "lb"}


def test_a_scale_in_frees_the_slots_of_a_scale_out(
    life: Lifecycle, instance: VnfInstance, break_cloud: Callable[..., Any]
) -> None:
    levels = {"scaleInfo": [{"aspectId": "lb", "scaleLevel": 1}, {"aspectId": "mg-groups", "scaleLevel": 1}]}
    op = life.start(instance, Operation.SCALE_TO_LEVEL, levels)
    break_cloud("servers.show", NO_SERVER, after=False)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert cards(life, instance) == SMALLEST
    life.done(instance, Operation.SCALE, OUT_MG)
    assert cards(life, instance) == {**SMALLEST, "5": "mg working 6", "6": "mg protect 5"}


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_retry_after_a_crash_makes_no_twin(
    life: Lifecycle, instance: VnfInstance, break_cloud: Callable[..., Any], after: bool
) -> None:
    levels = {"scaleInfo": [{"aspectId": "lb", "scaleLevel": 1}, {"aspectId": "mg-groups", "scaleLevel": 1}]}
    op = life.start(instance, Operation.SCALE_TO_LEVEL, levels)
    break_cloud("stacks.update", CrashError(), after=after)
    crash(life, op.id)
    op = life.run(op.id)
    assert op.state == "COMPLETED", life.story(op)
    assert cards(life, instance) == {**SMALLEST, "5": "lb", "6": "mg working 7", "7": "mg protect 6"}


def test_a_full_chassis_has_no_free_slot_until_a_scale_in(life: Lifecycle, instance: VnfInstance) -> None:
    life.done(instance, Operation.SCALE, {**OUT_MG, "numberOfSteps": 8})
    levels = [{"aspectId": "lb", "scaleLevel": 1}, {"aspectId": "mg-groups", "scaleLevel": 7}]
    with pytest.raises(ProblemError, match="1 more asked for, and no free slots are left"):
        life.start(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": levels})
    life.done(instance, Operation.SCALE, IN_MG)
    life.done(instance, Operation.SCALE, OUT_LB)
    assert cards(life, instance)["19"] == "lb"
