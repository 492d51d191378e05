"""After an operation was marked failed: the record follows what is really in the cloud."""

from datetime import timedelta
from uuid import UUID

import structlog

from vnfm.clouds.errors import CloudError
from vnfm.kit import clock, lease
from vnfm.lcm.affected import changed_by
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.base import Context
from vnfm.lcm.sagas.desired import abandon, stack_assigned
from vnfm.lcm.sagas.resources import record
from vnfm.lcm.sagas.stack import stack_name

AGAIN = timedelta(seconds=15)
"""When to look again after a cloud that did not answer."""

log = structlog.get_logger(__name__)


def settle_failed(op_id: UUID) -> None:
    """Take over what stands, so that the instance can be looked at and terminated.

    Until this is done the operation keeps its `wake_at` and the instance takes no other (`selectors.live_operation`).
    """
    with lease.hold(f"op:{op_id}") as held:
        if held is None:
            return
        op = LcmOpOcc.objects.select_related("instance__vim", "instance__package").filter(id=op_id).first()
        if op is None or op.state != OperationState.FAILED or op.wake_at is None:
            return
        try:
            _take_over(op)
        except CloudError as error:
            log.warning("op.settle_failed", op_id=str(op_id), error=error.message)
            if error.retryable:
                LcmOpOcc.objects.filter(id=op.id).update(wake_at=clock.now() + AGAIN)
                return
        LcmOpOcc.objects.filter(id=op.id).update(
            changed=changed_by(op, op.state), wake_at=None, stack_before=None, record_before=None, sealed_secrets=None
        )


def _take_over(op: LcmOpOcc) -> None:
    instance = op.instance
    if instance is None:
        return
    if op.plan is None or op.operation == Operation.TERMINATE:
        abandon(op, instance)
        return
    ctx = Context(op, instance, {})
    if op.operation == Operation.INSTANTIATE and not instance.stack_id:
        # Heat may have made the stack and its answer got lost.
        name = stack_name(instance, instance.generation)
        stack = ctx.cloud.stacks.find(name)
        if stack is not None:
            stack_assigned(instance, stack.id, name)
    abandon(op, instance)
    if instance.stack_id:
        record(ctx)
