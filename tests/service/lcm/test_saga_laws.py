"""The four laws of every saga (ADR-0002): it succeeds; failing at each call leaves a clean slate; doing each step twice
changes nothing; undoing each step twice changes nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.lcm.lifecycle import CrashError, Lifecycle
from vnfm.clouds.errors import Rejected
from vnfm.clouds.types import Flavor
from vnfm.inventory.models import VnfInstance
from vnfm.kit.models import Lease
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import VimArtefact

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 2}
SCALE_IN = {"type": "SCALE_IN", "aspectId": "data-path", "numberOfSteps": 1}
FORCEFUL = {"terminationType": "FORCEFUL"}

INSTANTIATE_CALLS = ["images.create", "images.upload", "stacks.create"]
SCALE_CALLS = ["stacks.update"]
TERMINATE_CALLS = ["stacks.delete"]

pytestmark = pytest.mark.django_db(transaction=True)


def crash(life: Lifecycle, op_id: Any) -> None:
    """Drive into the crash, then let the dead worker's lease expire."""
    with pytest.raises(CrashError):
        life.run(op_id)
    expire_lease(op_id)


def expire_lease(op_id: Any) -> None:
    """Time passes: the dead worker's lease expires, and the sweeper finds the operation overdue."""
    Lease.objects.filter(key=f"op:{op_id}").update(expires_at="2000-01-01T00:00:00Z")
    LcmOpOcc.objects.filter(id=op_id).update(wake_at="2000-01-01T00:00:00Z")


def assert_clean(life: Lifecycle, instance: VnfInstance) -> None:
    instance.refresh_from_db()
    assert life.stacks_of(instance) == []
    assert life.servers_of(instance) == {}
    assert instance.instantiation_state == "NOT_INSTANTIATED"
    assert (instance.stack_id, instance.vim, instance.member_slots) == ("", None, {})
    assert not instance.vnfcs.exists()
    assert not instance.virtual_links.exists()


def test_the_whole_life_succeeds(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == lifecycle.servers_of(instance)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1"}
    before = lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}
    assert before.items() <= lifecycle.servers_of(instance).items(), "a sibling was touched"
    lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2"}
    lifecycle.done(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": [{"aspectId": "data-path", "scaleLevel": 2}]})
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}, "the freed slot comes back"
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(lifecycle, instance)


@pytest.mark.parametrize("call", INSTANTIATE_CALLS)
def test_a_failed_instantiation_rolls_back_to_a_clean_slate(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], call: str
) -> None:
    instance = lifecycle.create()
    break_cloud(call, Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    assert "sabotage" in op.problem["causes"][0]["message"]
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_clean(lifecycle, instance)
    assert lifecycle.images() == []


@pytest.mark.parametrize("call", INSTANTIATE_CALLS)
def test_a_failed_instantiation_can_be_retried(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], call: str
) -> None:
    instance = lifecycle.create()
    break_cloud(call, Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP"
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(lifecycle.stacks_of(instance)) == 1


@pytest.mark.parametrize("call", INSTANTIATE_CALLS)
def test_a_crash_after_the_effect_makes_no_twin(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], call: str
) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    break_cloud(call, CrashError(), after=True)
    crash(lifecycle, op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(lifecycle.stacks_of(instance)) == 1
    assert len(lifecycle.images()) == 1
    assert len(lifecycle.servers_of(instance)) == 3


@pytest.mark.parametrize("call", ["stacks.delete", "images.delete"])
def test_a_crash_while_undoing_ends_in_the_same_clean_slate(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], call: str
) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    break_cloud(call, CrashError(), after=True)
    with pytest.raises(CrashError):
        lifecycle.handle(op, "rollback")
    expire_lease(op.id)
    op = lifecycle.run(op.id)
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert_clean(lifecycle, instance)
    assert lifecycle.images() == []


@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_crash_while_scaling_out_adds_exactly_the_requested_vnfcs(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], after: bool
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = lifecycle.start(instance, Operation.SCALE, SCALE_OUT)
    break_cloud("stacks.update", CrashError(), after=after)
    crash(lifecycle, op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}
    assert before.items() <= lifecycle.servers_of(instance).items()


def test_a_failed_scale_out_rolls_back_and_the_next_one_still_fits(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = lifecycle.start(instance, Operation.SCALE, SCALE_OUT)
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    instance.refresh_from_db()
    assert lifecycle.servers_of(instance) == before
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == before
    assert instance.scale_levels == {"data-path": 0}
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert set(lifecycle.servers_of(instance)) == {"A", "B", "1", "2", "3"}


def test_removal_offers_no_rollback(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = lifecycle.instantiated()
    op = lifecycle.start(instance, Operation.TERMINATE, FORCEFUL)
    break_cloud("stacks.delete", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP"
    with pytest.raises(Exception, match="cannot be taken back"):
        lifecycle.handle(op, "rollback")
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED"
    assert_clean(lifecycle, instance)


def test_an_operation_marked_failed_leaves_an_instance_that_can_be_terminated(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    from vnfm.lcm.reconcilers.settle_failed import settle_failed

    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    break_cloud("servers.show", Rejected("sabotage", service="nova", http_status=400), after=False)
    op = lifecycle.run(op.id)
    op = lifecycle.handle(op, "fail")
    assert op.state == "FAILED"
    settle_failed(op.id)
    instance.refresh_from_db()
    assert instance.instantiation_state == "INSTANTIATED"
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(lifecycle, instance)


def test_a_sibling_that_is_stopped_does_not_hold_up_a_scale_out(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    stopped = lifecycle.servers_of(instance)["1"]
    lifecycle.cloud.servers.stop(stopped)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert lifecycle.servers_of(instance)["1"] == stopped
    assert {vnfc.slot: vnfc.status for vnfc in instance.vnfcs.all()}["1"] == "SHUTOFF"


def test_scaling_out_keeps_flavor_and_image_of_what_runs(lifecycle: Lifecycle, cloudsim: Any) -> None:
    """A smaller flavor that fits has come since: it is for new instances, not for a reason to resize running VMs."""
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    flavors = {slot: lifecycle.cloud.servers.show(server_id).flavor for slot, server_id in before.items()}
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    lifecycle.cloud.flavors.create(Flavor("", "aaa.smaller", vcpus=4, memory_mib=8192, disk_gib=10))
    VimArtefact.objects.all().delete()
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    after = lifecycle.servers_of(instance)
    assert before.items() <= after.items()
    assert {slot: lifecycle.cloud.servers.show(after[slot]).flavor for slot in before} == flavors


def test_a_flavor_is_created_when_agreed_and_removed_when_rolled_back(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], cloudsim: Any
) -> None:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    for flavor in lifecycle.cloud.flavors.list():
        if flavor.memory_mib >= 8192:
            lifecycle.cloud.flavors.delete(flavor.id)
    instance = lifecycle.create()
    refused = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert refused.state == "ROLLED_BACK"
    assert "createFlavors" in refused.problem["detail"]
    break_cloud("stacks.create", Rejected("sabotage", service="heat", http_status=400), after=False)
    agreed = lifecycle.instantiate_request(createFlavors=True)
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, agreed).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    made = [f.name for f in lifecycle.cloud.flavors.list() if f.name.startswith("vnfm-")]
    assert len(made) == 2
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert [f.name for f in lifecycle.cloud.flavors.list() if f.name.startswith("vnfm-")] == []
    lifecycle.done(instance, Operation.INSTANTIATE, agreed)


def test_a_graceful_termination_shuts_down_first(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    op = lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "GRACEFUL"})
    assert op.steps.get(kind="stop_servers@1").message == "All servers are down"
    assert_clean(lifecycle, instance)


def test_a_failed_maker_of_the_image_does_not_hold_up_the_others(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any]
) -> None:
    first, second = lifecycle.create(), lifecycle.create()
    break_cloud("images.upload", Rejected("sabotage", service="glance", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(first, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP"
    lifecycle.done(second, Operation.INSTANTIATE, lifecycle.instantiate_request())
    assert len(lifecycle.images()) == 1
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert len(lifecycle.images()) == 1, "the second instance stands on it"


def test_an_instance_whose_cloud_is_gone_for_good_can_be_let_go(lifecycle: Lifecycle) -> None:
    from django.core.management import call_command

    instance = lifecycle.instantiated()
    (stack,) = lifecycle.stacks_of(instance)
    call_command("instance_forget", str(instance.id))
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.vim, instance.stack_id) == ("NOT_INSTANTIATED", None, "")
    assert not instance.vnfcs.exists()
    assert lifecycle.stacks_of(instance) == [stack], "what is in the cloud stays there"
