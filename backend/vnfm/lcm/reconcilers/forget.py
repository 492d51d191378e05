"""Letting go of an instance without asking the cloud: what exists there stays, and is nobody's."""

from uuid import UUID

from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.inventory.export import StackExport, stack_export
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import forget_resources, instances_lock
from vnfm.kit import seal
from vnfm.kit.problem import FieldError, conflict, unprocessable
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
    instances_lock([instance_id])
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
    audit(actor=actor, action="instance_forget", target=str(instance_id), detail={"stack": stack})
    return stack


@transaction.atomic
def forget_exported(*, instance_id: UUID, confirm: str, actor: str) -> StackExport:
    """Forget an instance and hand out what is needed to go on with its stack by hand, secrets masked.

    Raises 404, 422 when `confirm` is not the instance's name, 409 when it is not instantiated or an operation runs.
    """
    instances_lock([instance_id])
    instance = selectors.instance_get(instance_id=instance_id)
    if confirm != instance.name:
        message = f"To let go of it, repeat its name: {instance.name}."
        raise unprocessable("NOT_CONFIRMED", message, [FieldError("/confirm", message)], "Repeat its name.")
    if instance.instantiation_state != VnfInstance.InstantiationState.INSTANTIATED:
        raise conflict(
            "WRONG_STATE", f"The instance is {instance.instantiation_state}.", "It has nothing to let go of."
        )
    secrets = seal.unseal(instance.sealed_settings) if instance.sealed_settings else {}
    exported = stack_export(instance=instance, hidden=secrets.keys())
    forget_instance(instance_id=instance_id, actor=actor)
    return exported
