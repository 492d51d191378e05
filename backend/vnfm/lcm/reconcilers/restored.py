"""After a restore: what was under way in the backup is stopped where it stood, for a person to decide about.

Since the backup was taken it may have gone on, ended, or been taken back; only a look at the cloud tells.
"""

from datetime import datetime

from django.db import transaction

from vnfm.inventory.models import UnclaimedResource
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation, OperationState, StepState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.removal import end_removal
from vnfm.lcm.sagas.desired_state import discard_instantiation
from vnfm.lcm.services.operations import op_finish
from vnfm.lcm.services.transitions import op_transition

CODE = "RESTORED_FROM_BACKUP"
_STARTED = (StepState.RUNNING, StepState.WAITING)


@transaction.atomic
def operations_interrupt(taken_at: datetime) -> int:
    """Stop every operation that a worker would go on with; returns how many. Nothing else of the product may run."""
    ops = list(LcmOpOcc.objects.filter(state__in=DRIVEN_STATES).select_related("instance__vim", "instance__package"))
    for op in ops:
        _interrupt(op, taken_at)
    for row in UnclaimedResource.objects.filter(removal=UnclaimedResource.Removal.REQUESTED).select_related("vim"):
        words = f"Removing {row.kind} {row.name} was under way in the backup of {taken_at:%Y-%m-%d %H:%M} UTC."
        problem = Problem(409, CODE, "Restored from a backup", words, "Look at the cloud; then remove it again.")
        end_removal(row, UnclaimedResource.Removal.FAILED, problem)
    return len(ops)


def _interrupt(op: LcmOpOcc, taken_at: datetime) -> None:
    verb = Operation(op.operation).words
    words = (
        f"{verb} was under way in the backup of {taken_at:%Y-%m-%d %H:%M} UTC, from which all records were restored."
    )
    if op.state == OperationState.STARTING:
        step = "If it was carried out since, its stack is listed under the cloud's unclaimed resources: adopt it there."
        op_finish(op, OperationState.ROLLED_BACK, "restored", Problem(409, CODE, "Restored from a backup", words, step))
        if op.operation == Operation.INSTANTIATE and op.instance is not None:
            discard_instantiation(op.instance)
        return
    step = "Compare the instance with the cloud first. Retry goes on where it stood; or roll back; or mark it failed."
    op.steps.filter(state__in=_STARTED).update(state=StepState.FAILED, message="Interrupted by a restore.", attempts=0)
    problem = Problem(409, CODE, "Restored from a backup", words, step)
    op_transition(op, OperationState.FAILED_TEMP, "restored", problem)
