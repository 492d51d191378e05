"""A scale-in that fails half-way: removed VNFCs are created again where the VNFD says so, and nowhere else."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import NEXT_VNFD, edited, zipped
from tests.service.lcm.cloud_snapshot import assert_recorded, cloud_snapshot, ids
from tests.service.lcm.lifecycle import SCALE_IN, SCALE_OUT, CrashError, Lifecycle, expire_lease
from vnfm.clouds.errors import Rejected
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.services.plans import plan_request

pytestmark = pytest.mark.django_db(transaction=True)

NO_SERVER = Rejected("sabotage", service="nova", http_status=400)
TWO = {**SCALE_IN, "numberOfSteps": 2}


def silent(vnfd: Any) -> None:
    """About what a rollback may do."""
    vnfd.update(vnfdId=NEXT_VNFD)
    del vnfd["rollback"]


@pytest.fixture
def strict(lifecycle: Lifecycle) -> Lifecycle:
    """Instantiate a package whose VNFD has no recreation on rollback."""
    lifecycle.package = onboarded(zipped(edited("vnfd.yaml", silent)))
    return lifecycle


def widened(life: Lifecycle) -> VnfInstance:
    """With the slots A, B, 1, 2 and 3."""
    instance = life.instantiated()
    life.done(instance, Operation.SCALE, SCALE_OUT)
    return instance


def failed(life: Lifecycle, instance: VnfInstance, break_cloud: Callable[..., Any], request: Any = TWO) -> LcmOpOcc:
    """A scale-in that failed after Heat had removed the VMs."""
    op = life.start(instance, Operation.SCALE, request)
    break_cloud("servers.show", NO_SERVER, after=False)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    return op


def previewed(life: Lifecycle, instance: VnfInstance) -> Any:
    preview = plan_request(
        request=parse_request(Operation.SCALE, SCALE_IN), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    return preview.result


def assert_back(life: Lifecycle, instance: VnfInstance, before: dict[str, str], *recreated: str) -> None:
    """In the slots of before, with other servers in some."""
    after = ids(cloud_snapshot(life, instance))
    assert after.keys() == before.keys()
    assert {slot for slot in after if after[slot] != before[slot]} == set(recreated)
    assert_recorded(life, instance)
    assert instance.scale_levels == {"data-path": 2}


def test_a_removed_vnfc_is_created_again_in_its_slot(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = widened(lifecycle)
    assert "A rollback creates removed VNFCs again" in " ".join(previewed(lifecycle, instance)["warnings"])
    before = ids(cloud_snapshot(lifecycle, instance))
    op = failed(lifecycle, instance, break_cloud)
    assert set(ids(cloud_snapshot(lifecycle, instance))) == {"A", "B", "1"}
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_back(lifecycle, instance, before, "2", "3")
    lifecycle.done(instance, Operation.SCALE, {**SCALE_OUT, "numberOfSteps": 1})
    assert set(ids(cloud_snapshot(lifecycle, instance))) == {"A", "B", "1", "2", "3", "4"}
    lifecycle.done(instance, Operation.SCALE, {**SCALE_IN, "numberOfSteps": 3})
    assert_recorded(lifecycle, instance)
    assert set(ids(cloud_snapshot(lifecycle, instance))) == {"A", "B", "1"}


def test_one_that_was_named_comes_back_to_its_own_slot(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = widened(lifecycle)
    before = ids(cloud_snapshot(lifecycle, instance))
    named = {**SCALE_IN, "additionalParams": {"vnfcToRemove": ["data-path/2"]}}
    op = failed(lifecycle, instance, break_cloud, named)
    assert set(ids(cloud_snapshot(lifecycle, instance))) == {"A", "B", "1", "3"}
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_back(lifecycle, instance, before, "2")


def test_refused_by_heat_nothing_was_removed(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = widened(lifecycle)
    before = ids(cloud_snapshot(lifecycle, instance))
    op = lifecycle.start(instance, Operation.SCALE, TWO)
    break_cloud("stacks.update", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.handle(lifecycle.run(op.id), "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_back(lifecycle, instance, before)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_crash_while_undoing_makes_no_twin(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], after: bool
) -> None:
    instance = widened(lifecycle)
    before = ids(cloud_snapshot(lifecycle, instance))
    op = failed(lifecycle, instance, break_cloud)
    break_cloud("stacks.update", CrashError(), after=after)
    with pytest.raises(CrashError):
        lifecycle.handle(op, "rollback")
    expire_lease(op.id)
    op = lifecycle.run(op.id)
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_back(lifecycle, instance, before, "2", "3")


def test_without_recreation_in_the_vnfd_a_scale_in_has_no_rollback(
    strict: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    instance = widened(strict)
    preview = previewed(strict, instance)
    assert "VNFCs that are removed cannot be put back." in [step["oneWay"] for step in preview["steps"]]
    op = failed(strict, instance, break_cloud)
    with pytest.raises(ProblemError, match=r"VNFCs that are removed cannot be put back\."):
        strict.handle(op, "rollback")
    op = strict.handle(op, "retry")
    assert op.state == "COMPLETED", strict.story(op)
    assert set(ids(cloud_snapshot(strict, instance))) == {"A", "B", "1"}
    assert_recorded(strict, instance)
