"""The last resort for an instance whose cloud is gone for good: let go of it without asking the cloud."""

from uuid import UUID

from django.db import transaction

from vnfm.inventory.services import forget_resources
from vnfm.kit.problem import conflict
from vnfm.lcm import selectors
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.moves import op_move
from vnfm.lcm.sagas.desired import let_go


@transaction.atomic
def forget_instance(*, instance_id: UUID, actor: str) -> str:
    """Make the instance NOT_INSTANTIATED and take its resources off the record; returns the stack that was let go.

    Whatever still exists in the cloud stays there and is nobody's. Raises 404, and 409 while a worker drives an
    operation of the instance.
    """
    instance = selectors.instance_get(instance_id=instance_id)
    live = selectors.live_operation(instance)
    if live is not None and live.state == OperationState.FAILED_TEMP:
        op_move(live, OperationState.FAILED, f"instance forgotten by {actor}")
    elif live is not None and live.state != OperationState.FAILED:
        raise conflict("OPERATION_RUNNING", f"{live.operation} {live.id} is {live.state}.", "Wait until it stops.")
    instance.operations.filter(state=OperationState.FAILED).update(wake_at=None)
    stack = instance.stack_name
    forget_resources(instance=instance)
    let_go(instance)
    return stack
