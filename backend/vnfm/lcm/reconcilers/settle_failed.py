"""Record what is really in the cloud after an operation was marked failed."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F

from vnfm.clouds.errors import CloudError, NotFound
from vnfm.inventory.services import instance_changed, stack_assign
from vnfm.kit import clock
from vnfm.kit.durable import lease, tasks
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.lcm.domain.steps import FARTHEST, backoff
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.driver import CLOCK_SKEW
from vnfm.lcm.reconcilers.step_runner import crash_problem, end_waiting, is_unreachable, retry_delay
from vnfm.lcm.router_steps.registration import RemoveElement
from vnfm.lcm.sagas import desired_state
from vnfm.lcm.sagas.step_kinds import STEP_KINDS
from vnfm.lcm.selectors.instances import stack_name
from vnfm.lcm.selectors.resource_changes import resource_changes_of
from vnfm.lcm.services.operations import SETTLE
from vnfm.lcm.services.transitions import publish_op
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.record import ForgetResources, record_instance

CRASHES = 5
"""Failures in a row on our side before it gives up; errors of the cloud are counted by `step_runner`."""

log = structlog.get_logger(__name__)


def settle_failed(op_id: UUID) -> None:
    """Record what a failed operation left in the cloud, so that the instance can be inspected and terminated.

    Until this is done, or has failed for good, the operation keeps its `wake_at` and the instance takes no other
    (`selectors.operations.live_operation`).
    """
    after = None
    with lease.hold(f"op:{op_id}") as owned, structlog.contextvars.bound_contextvars(op_id=str(op_id)):
        if owned is None:
            return
        op = LcmOpOcc.objects.select_related("instance__vim", "instance__package").filter(id=op_id).first()
        if op is None or op.state != OperationState.FAILED or op.wake_at is None or _is_early(op.wake_at - clock.now()):
            return
        with vim_limiter.acquire(op.instance.vim_id if op.instance else None) as wait:
            after = wait or _settle(op)
        if after is not None:
            LcmOpOcc.objects.filter(id=op_id).update(wake_at=clock.now() + timedelta(seconds=after))
    if after is not None:
        tasks.enqueue_on_commit(SETTLE, op_id, after=after)


def _is_early(ahead: timedelta) -> bool:
    return CLOCK_SKEW < ahead <= FARTHEST


def _settle(op: LcmOpOcc) -> float | None:
    """Seconds until the next try; None when it has succeeded or failed for good."""
    doing = f"Recording what {Operation(op.operation).words.lower()} left"
    attempts, began = op.settle_attempts + 1, clock.now()
    try:
        _record_remains(op)
        changed = resource_changes_of(op, op.state)
    except DatabaseError:
        raise
    except CloudError as error:
        attempts -= is_unreachable(error)
        problem, after = error.as_problem(doing), retry_delay(op, error, attempts, began)
    except Exception as error:
        log.exception("op.settle_crashed")
        problem, after = crash_problem(doing, error), backoff(attempts) if attempts < CRASHES else None
    else:
        end_waiting(op)
        _end(op, changed=changed)
        return None
    if after is not None:
        LcmOpOcc.objects.filter(id=op.id).update(settle_attempts=attempts)
        return after
    log.error("op.not_settled", code=problem.code, detail=problem.detail)
    with transaction.atomic():
        if op.instance is not None:
            desired_state.settle_failed_unobserved(op, op.instance)
        _end(op, problem=_not_recorded(op, problem).as_json())
    return None


def _not_recorded(op: LcmOpOcc, why: Problem) -> Problem:
    before = (
        (Cause("vnfm", f"{Operation(op.operation).words} had stopped: {op.problem['detail']}"),) if op.problem else ()
    )
    return Problem(
        why.status,
        "NOT_TAKEN_OVER",
        "What is left is not recorded",
        f"{why.detail} What is on record of the instance may not be what is in the cloud.",
        "Terminate the instance, or forget it, and look for the rest among the cloud's unclaimed resources.",
        (*why.causes, *before),
    )


@transaction.atomic
def _end(op: LcmOpOcc, **values: Any) -> None:
    """Free the instance for other operations."""
    cleared = {
        "wake_at": None,
        "waiting_since": None,
        "stack_before": None,
        "record_before": None,
        "sealed_secrets": None,
    }
    LcmOpOcc.objects.filter(id=op.id).update(version=F("version") + 1, **cleared, **values)
    op.version += 1
    publish_op(op)
    if op.instance is not None:
        instance_changed(op.instance)


def _record_remains(op: LcmOpOcc) -> None:
    instance = op.instance
    if instance is None:
        return
    if op.plan is None:
        desired_state.settle_failed(op, instance)
        return
    ctx = Context(op, instance, {}, STEP_KINDS)
    if op.operation == Operation.TERMINATE:
        _record_termination(ctx)
        return
    if op.operation == Operation.INSTANTIATE and not instance.stack_id:
        # Heat may have created the stack without an answer.
        name = stack_name(instance, instance.generation)
        stack = ctx.cloud.stacks.find(name)
        if stack is not None:
            stack_assign(instance=instance, stack_id=stack.id, stack_name=name)
    desired_state.settle_failed(op, instance)
    if instance.stack_id:
        record_instance(ctx)


def _record_termination(ctx: Context) -> None:
    """Complete the records of a termination whose stack is gone; with a stack, the instance stays as it is."""
    if ctx.instance.stack_id and _has_stack(ctx):
        return
    with transaction.atomic():
        ForgetResources().submit(ctx)
        RemoveElement().submit(ctx)
        desired_state.reset(ctx.instance)


def _has_stack(ctx: Context) -> bool:
    try:
        ctx.cloud.stacks.status(ctx.instance.stack_id)
    except NotFound:
        return False
    return True
