"""Previews and operations that the cloud refuses."""

from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.services.plans import plan_request


def preview(life: Lifecycle, **params: Any) -> Any:
    plan = plan_request(
        request=parse_request(Operation.INSTANTIATE, life.instantiate_request(**params)),
        vnfd_id=life.package.vnfd_id,
        instance_id=None,
        actor="test",
    )
    compute_preview(plan.id)
    plan.refresh_from_db()
    return plan


def refused(life: Lifecycle, **params: Any) -> Any:
    """The operation that ends ROLLED_BACK at once, having left nothing."""

    instance = life.create()
    op = life.run(life.start(instance, Operation.INSTANTIATE, life.instantiate_request(**params)).id)
    assert op.state == "ROLLED_BACK", life.story(op)
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.vim_id) == ("NOT_INSTANTIATED", None)
    assert life.stacks_of(instance) == []
    return op
