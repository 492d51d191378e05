"""After an operation was marked failed: the record follows what is really in the cloud."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F

from vnfm.clouds.errors import CloudError
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock, lease, tasks
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.lcm.domain.steps import FARTHEST, backoff
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers import traffic
from vnfm.lcm.reconcilers.attempt import answered, crash, is_away, waiting_out
from vnfm.lcm.reconcilers.driver import EARLY
from vnfm.lcm.sagas.base import Context
from vnfm.lcm.sagas.desired import abandon, abandon_unseen, stack_assigned
from vnfm.lcm.sagas.resources import record
from vnfm.lcm.selectors.instances import stack_name
from vnfm.lcm.selectors.resource_changes import resource_changes_of
from vnfm.lcm.services.operations import SETTLE
from vnfm.lcm.services.transitions import publish_op

CRASHES = 5
"""Failures in a row on our side before it is left as it is; in the cloud it is `attempt` that counts."""

log = structlog.get_logger(__name__)


def settle_failed(op_id: UUID) -> None:
    """Take over what stands, so that the instance can be looked at and terminated.

    Until this is done, or has failed for good, the operation keeps its `wake_at` and the instance takes no other
    (`selectors.live_operation`).
    """
    after = None
    with lease.hold(f"op:{op_id}") as held, structlog.contextvars.bound_contextvars(op_id=str(op_id)):
        if held is None:
            return
        op = LcmOpOcc.objects.select_related("instance__vim", "instance__package").filter(id=op_id).first()
        if op is None or op.state != OperationState.FAILED or op.wake_at is None or _is_early(op.wake_at - clock.now()):
            return
        with traffic.admitted(op.instance.vim_id if op.instance else None) as wait:
            after = wait or _settle(op)
        if after is not None:
            LcmOpOcc.objects.filter(id=op_id).update(wake_at=clock.now() + timedelta(seconds=after))
    if after is not None:
        tasks.enqueue_on_commit(SETTLE, op_id, after=after)


def _is_early(ahead: timedelta) -> bool:
    return EARLY < ahead <= FARTHEST


def _settle(op: LcmOpOcc) -> float | None:
    """Seconds until the next try; None when it is over, one way or the other."""
    doing = f"Taking over what {Operation(op.operation).words.lower()} left"
    attempts, began = op.settle_attempts + 1, clock.now()
    try:
        _take_over(op)
        changed = resource_changes_of(op, op.state)
    except DatabaseError:
        raise
    except CloudError as error:
        attempts -= is_away(error)
        problem, after = error.as_problem(doing), waiting_out(op, error, attempts, began)
    except Exception as error:
        log.exception("op.take_over_crashed")
        problem, after = crash(doing, error), backoff(attempts) if attempts < CRASHES else None
    else:
        answered(op)
        _end(op, changed=changed)
        return None
    if after is not None:
        LcmOpOcc.objects.filter(id=op.id).update(settle_attempts=attempts)
        return after
    log.error("op.not_taken_over", code=problem.code, detail=problem.detail)
    with transaction.atomic():
        if op.instance is not None:
            abandon_unseen(op, op.instance)
        _end(op, problem=_not_taken_over(op, problem).as_json())
    return None


def _not_taken_over(op: LcmOpOcc, why: Problem) -> Problem:
    before = (
        (Cause("vnfm", f"{Operation(op.operation).words} had stopped: {op.problem['detail']}"),) if op.problem else ()
    )
    return Problem(
        why.status,
        "NOT_TAKEN_OVER",
        "Not taken over",
        f"{why.detail} What is on record of the instance may not be what is in the cloud.",
        "Terminate the instance, or let go of it, and look for what is left among the cloud's unclaimed resources.",
        (*why.causes, *before),
    )


@transaction.atomic
def _end(op: LcmOpOcc, **values: Any) -> None:
    """Nothing stands in the instance's way any more."""
    kept = {"wake_at": None, "waiting_since": None, "stack_before": None, "record_before": None, "sealed_secrets": None}
    LcmOpOcc.objects.filter(id=op.id).update(version=F("version") + 1, **kept, **values)
    op.version += 1
    publish_op(op)
    if op.instance is not None:
        instance_changed(op.instance)


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
