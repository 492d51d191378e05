"""After an operation was marked failed: the record follows what is really in the cloud."""

from uuid import UUID

import structlog

from vnfm.clouds.errors import CloudError
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.base import Context
from vnfm.lcm.sagas.desired import abandon
from vnfm.lcm.sagas.resources import record

log = structlog.get_logger(__name__)


def settle_failed(op_id: UUID) -> None:
    """Take over what stands, so that the instance can be looked at and terminated. Idempotent."""
    op = LcmOpOcc.objects.select_related("instance__vim", "instance__package").filter(id=op_id).first()
    if op is None or op.instance is None or op.state != OperationState.FAILED:
        return
    abandon(op, op.instance)
    if op.plan is not None and op.operation != Operation.TERMINATE and op.instance.stack_id:
        try:
            record(Context(op, op.instance, {}))
        except CloudError as error:
            log.warning("op.record_after_failure_missing", op_id=str(op_id), error=error.message)
            if error.retryable:
                return
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
