"""An operation records a cloud that is not as it should be."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.lcm.lifecycle import CrashError, Lifecycle, Meanwhile, crash
from vnfm.clouds import registry
from vnfm.clouds.ports import CloudProvider
from vnfm.clouds.types import StackInput
from vnfm.inventory.domain.drift import later
from vnfm.inventory.reconcilers.vim_poll import poll_vim
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.steps.stack_input import stack_snapshot, stack_tags

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_vnfc_whose_server_is_gone_stays_on_record_with_its_networks(lifecycle: Lifecycle, cloudsim: Any) -> None:
    """It keeps its slot and is there to be healed; an operation that is about others is not held up by it."""
    instance = lifecycle.instantiated()
    links = sorted(instance.virtual_links.values_list("vl_id", "network_id", "name", "created_by_stack"))
    lost = instance.vnfcs.get(slot="1")
    cloudsim.control("POST", f"/servers/{lost.server_id}/delete")
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['2']}/delete")
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    found = {vnfc.slot: vnfc for vnfc in instance.vnfcs.all()}
    assert {slot: vnfc.status for slot, vnfc in found.items()} == {
        "A": "ACTIVE",
        "B": "ACTIVE",
        "1": "MISSING",
        "2": "MISSING",
        "3": "ACTIVE",
    }
    assert (found["1"].id, found["1"].server_id, found["1"].ports.count()) == (lost.id, lost.server_id, 4)
    assert instance.member_slots["data-path"]["slots"] == {"0": "1", "1": "2", "2": "3"}
    assert sorted(instance.virtual_links.values_list("vl_id", "network_id", "name", "created_by_stack")) == links


def test_a_new_vnfc_whose_server_disappears_is_reported(
    lifecycle: Lifecycle, cloudsim: Any, break_cloud: Callable[..., Any]
) -> None:
    instance = lifecycle.instantiated()
    op = lifecycle.start(instance, Operation.SCALE, SCALE_OUT)
    break_cloud("servers.show", CrashError(), after=False)
    crash(lifecycle, op.id)
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['2']}/delete")
    op = lifecycle.run_out(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "UNLIKE_PLANNED"), lifecycle.story(op)
    assert {vnfc.slot for vnfc in instance.vnfcs.all()} == {"A", "B", "1"}


@pytest.mark.matrix(1)
@pytest.mark.parametrize("direction", ["SCALE_OUT", "SCALE_IN"])
def test_a_retry_repeats_an_update_without_effect(lifecycle: Lifecycle, cloudsim: Any, direction: str) -> None:
    instance = lifecycle.instantiated()
    request = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    lifecycle.done(instance, Operation.SCALE, request)
    lie = {"service": "orchestration", "method": "PUT", "path": "/stacks/[^/]+/[^/]+$", "effect": "lie200"}
    cloudsim.control("POST", "/failures", lie)
    op = lifecycle.run_out(lifecycle.start(instance, Operation.SCALE, {**request, "type": direction}).id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "UPDATE_NOT_BEGUN")
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    slots = {"SCALE_OUT": {"A", "B", "1", "2", "3"}, "SCALE_IN": {"A", "B", "1"}}
    assert set(lifecycle.servers_of(instance)) == slots[direction]


def test_a_request_that_reaches_heat_late_is_drift(lifecycle: Lifecycle, provider: CloudProvider) -> None:
    """Its answer was lost and it was repeated; then it takes the stack back while the operation writes down what is."""
    instance = lifecycle.instantiated()
    before = stack_snapshot(instance)
    assert before is not None
    late = StackInput(**before, tags=stack_tags(instance))

    def arrive() -> None:
        lifecycle.cloud.stacks.update(instance.stack_id, late)

    op = lifecycle.start(instance, Operation.SCALE, SCALE_OUT)
    registry.install(Meanwhile(provider, "stacks.resources", arrive, after=False))
    op = lifecycle.run(op.id)
    registry.install(provider)
    poll_vim(vim=lifecycle.vim, cloud=lifecycle.cloud, now=clock.now(), urgent=True)
    instance.refresh_from_db()
    assert later(instance.stack_updated_at, instance.stack_left_at), lifecycle.story(op)
