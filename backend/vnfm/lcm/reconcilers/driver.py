"""Drives operations: lease → grant and plan → find or submit → receipt → observe → next step, or the next `wake_at`.

A run's only input is the operation's id; it reads all rows again, so that the first run, a run after a crash
and a duplicate message are the same code. A worker never sleeps on a cloud (ADR-0001, ADR-0002).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Exists

from vnfm.clouds.errors import CloudError
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit import clock, seal
from vnfm.kit.durable import lease, tasks
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.grant_response import GrantDecision
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation, OperationState, StepState
from vnfm.lcm.domain.steps import FARTHEST, UNDO, Done, Outcome, Waiting
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.grant import obtain_grant
from vnfm.lcm.reconcilers.nfvo_grant import GrantPending, apply_decision, nfvo_decision
from vnfm.lcm.reconcilers.step_runner import (
    block,
    cancellation_due,
    cancelled_problem,
    crash_problem,
    is_unreachable,
    report_progress,
    retry_delay,
    run_step,
    save,
)
from vnfm.lcm.sagas.desired_state import discard_instantiation, settle
from vnfm.lcm.sagas.operations import plan_with_preview
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.sagas.step_kinds import STEP_KINDS, ends_when_cancelled, step_of_kind
from vnfm.lcm.selectors.operations import stored_problem
from vnfm.lcm.selectors.resource_changes import resource_snapshot
from vnfm.lcm.services.operations import DRIVE, op_exclude_gap, op_finish
from vnfm.lcm.services.request_reader import effective_secrets, with_secrets
from vnfm.lcm.services.transitions import StaleOperationError, op_transition
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.stack_input import stack_snapshot

LATE_EFFECT = timedelta(seconds=30)
"""The effect of a request without an answer may appear in the cloud for this time."""
LOST = "A request got no answer; looking whether the cloud made what it asked for"
CLOCK_SKEW = timedelta(milliseconds=100)
"""Clocks of the machines may differ by this before a message on time counts as a duplicate."""
_DEFERRED = (
    "params",
    "grant",
    "stack_before",
    "record_before",
    "changed",
    "instance__package__vnfd",
    "instance__package__findings",
    "instance__vim__resources",
    "instance__vim__features",
)
"""Large JSON that most runs do not need."""

log = structlog.get_logger(__name__)

Run = Callable[[LcmOpOcc], float | None]
"""One piece of work; returns seconds until the next, 0 to go on at once, None when there is nothing more to do."""


def drive(op_id: UUID) -> None:
    """Take the operation as far as it goes now. Safe to call at any time, in any process, any number of times.

    A step of the machine's clock shows only in the next call, as a delay that does not count (`op_exclude_gap`).
    """
    with clock.steady():
        after = _drive_when_due(op_id)
    if after is not None:
        tasks.enqueue_on_commit(DRIVE, op_id, after=after)


def _drive_when_due(op_id: UUID) -> float | None:
    due = LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES).values_list("wake_at", "instance__vim_id").first()
    if due is None or is_early(due[0]):
        return None
    op_exclude_gap(op_id=op_id, wake_at=due[0], now=clock.now())
    with structlog.contextvars.bound_contextvars(op_id=str(op_id)), vim_limiter.acquire(due[1]) as wait:
        if wait:
            _set_wake_at(op_id, clock.now() + timedelta(seconds=wait))
        return wait or _drive(op_id)


def _drive(op_id: UUID) -> float | None:
    """Run after run; returns seconds until the next, None when there is nothing more to do here."""
    with lease.hold(f"op:{op_id}") as owned:
        after: float | None = None if owned is None else 0.0
        while owned is not None and after == 0.0:
            op = _loaded(op_id)
            if op is None or op.state not in DRIVEN_STATES:
                return None
            until = clock.now() + lease.TTL
            if not _set_wake_at(op_id, until, owned):
                log.warning("op.lease_lost", fence=owned.fence)
                return None
            try:
                if owned.is_deadly:
                    _set_aside(op)
                    return None
                after = _RUNS[OperationState(op.state)](op)
            except StaleOperationError:
                after = 0.0
            if after and not _schedule_next(op_id, until, after):
                after = 0.0
        return after


def _set_aside(op: LcmOpOcc) -> None:
    """End the work at an operation that killed its worker twice: FAILED_TEMP, or refused while nothing is touched."""
    assert op.instance is not None, "an instance with a live operation is never deleted"
    problem = lease.worker_died(f"{Operation(op.operation).words} of {op.instance.name}")
    log.error("op.set_aside", state=op.state)
    if op.state == OperationState.STARTING:
        _refuse(op, problem)
        return
    under_way = (StepState.RUNNING, StepState.WAITING, StepState.UNDOING)
    step = op.steps.filter(state__in=under_way).first() or op.steps.exclude(state=StepState.DONE).first()
    if step is not None:
        block(op, step, problem)
    else:
        op_transition(op, OperationState.FAILED_TEMP, "its worker died twice", problem)


def _loaded(op_id: UUID) -> LcmOpOcc | None:
    """The operation without large JSON columns, which are read on first use."""
    found = LcmOpOcc.objects.select_related("instance__vim", "instance__package").filter(id=op_id)
    return found.defer(*_DEFERRED).first()


def is_early(wake_at: datetime | None) -> bool:
    """True for a duplicate of a message: the work that is due later needs only one chain of messages."""
    return wake_at is not None and CLOCK_SKEW < wake_at - clock.now() <= FARTHEST


def _set_wake_at(op_id: UUID, at: datetime, owned: lease.ActiveLease | None = None) -> bool:
    """Set the time after which the sweeper counts the operation as forgotten; False when it is not ours to drive."""
    driven = LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES)
    return bool((driven.filter(Exists(owned.row())) if owned else driven).update(wake_at=at))


def _schedule_next(op_id: UUID, until: datetime, after: float) -> bool:
    """Set the time of the next run; False when another process requested one (`op_wake`) during this run."""
    untouched = LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES, wake_at=until)
    return bool(untouched.update(wake_at=clock.now() + timedelta(seconds=after)))


def _start(op: LcmOpOcc) -> float | None:
    """STARTING: compute the plan, obtain the grant, store both. Changes nothing in the cloud."""
    assert op.instance is not None, "an instance with a live operation is never deleted"
    if op.cancel_mode:
        _refuse(op, cancelled_problem(op), "cancelled before anything was touched")
        return None
    doing, began = f"Planning for {op.instance.name} ({Operation(op.operation).words.lower()})", clock.now()
    try:
        decision = nfvo_decision(op)
        planned = _planned(op, op.instance, decision)
        grant = obtain_grant(op, planned, decision)
    except GrantPending as later:
        return later.seconds
    except ProblemError as error:
        _refuse(op, error.problem)
        return None
    except CloudError as error:
        attempts = op.plan_attempts + (not is_unreachable(error))
        after = retry_delay(op, error, attempts, began)
        if after is None:
            _refuse(op, error.as_problem(doing))
        else:
            LcmOpOcc.objects.filter(id=op.id).update(plan_attempts=attempts)
        return after
    except (DatabaseError, StaleOperationError):
        raise
    except Exception as error:
        log.exception("plan.crashed")
        _refuse(op, crash_problem(doing, error))
        return None
    _begin(op, op.instance, planned, grant)
    return 0.0


@transaction.atomic
def _begin(op: LcmOpOcc, instance: InstanceRecord, planned: Planned, grant: dict[str, Any]) -> None:
    """Store the plan with its steps, the grant, and the state before any change."""
    Step.objects.bulk_create(
        Step(op=op, seq=n, kind=s.kind, title=s.title, params=dict(s.params), one_way=s.one_way)
        for n, s in enumerate(planned.steps, 1)
    )
    op_transition(
        op,
        OperationState.PROCESSING,
        "granted and planned",
        plan=planned.plan.as_json(),
        grant=grant,
        grant_request=None,
        stack_before=stack_snapshot(instance),
        record_before=resource_snapshot(instance).as_json(),
        waiting_since=None,
    )


def _planned(op: LcmOpOcc, instance: InstanceRecord, decision: GrantDecision | None) -> Planned:
    """The plan, which Heat accepts, too."""
    secrets = seal.unseal(op.sealed_secrets) if op.sealed_secrets else {}
    request = with_secrets(parse_request(Operation(op.operation), op.params), secrets)
    granted_request = request if decision is None else apply_decision(op, request, decision)
    planning = Planning(granted_request, instance)
    return plan_with_preview(planning, partial(effective_secrets, op, instance))[0]


def _refuse(op: LcmOpOcc, problem: Problem, reason: str = "refused before anything was touched") -> None:
    with transaction.atomic():
        op_finish(op, OperationState.ROLLED_BACK, reason, problem)
        if op.operation == Operation.INSTANTIATE and op.instance is not None:
            discard_instantiation(op.instance)


def _advance(op: LcmOpOcc) -> float | None:
    """PROCESSING: run the first step that is not done."""
    step = op.steps.exclude(state=StepState.DONE).first()
    if step is None:
        with transaction.atomic():
            assert op.instance is not None
            settle(op, op.instance)
            op_finish(op, OperationState.COMPLETED, "all steps done")
        return None
    if cancellation_due(op, step, ends_itself=ends_when_cancelled(step.kind)):
        return None
    ctx = _context(op, step)
    return run_step(op, step, lambda: _forward(op, step, ctx), StepState.DONE)


def _forward(op: LcmOpOcc, step: Step, ctx: Context) -> Outcome:
    kind = step_of_kind(step.kind)
    if step.state in (StepState.PENDING, StepState.FAILED):
        ctx.elapsed = 0.0
        # One write with the new receipt: with the old one, a retry would find the old failure.
        retried = {"receipt": dict(kind.retry(ctx, step.receipt))} if step.receipt is not None else {}
        save(op, step, state=StepState.RUNNING, started_at=clock.now(), problem=None, finished_at=None, **retried)
    if step.receipt is None:
        receipt = kind.find(ctx)
        save(op, step, receipt=dict(receipt if receipt is not None else kind.submit(ctx)))
        ctx.elapsed = 0.0
    assert step.receipt is not None
    return kind.observe(ctx, step.receipt)


def _unwind(op: LcmOpOcc) -> float | None:
    """ROLLING_BACK: undo the submitted steps, last first."""
    pending = [StepState.DONE, StepState.RUNNING, StepState.WAITING, StepState.FAILED, StepState.UNDOING]
    step = op.steps.filter(state__in=pending).order_by("-seq").first()
    if step is None:
        with transaction.atomic():
            if op.operation == Operation.INSTANTIATE and op.instance is not None:
                discard_instantiation(op.instance)
            op_finish(op, OperationState.ROLLED_BACK, "everything undone", stored_problem(op))
        return None
    if cancellation_due(op, step):
        return None
    ctx = _context(op, step)
    return run_step(op, step, lambda: _backward(op, step, ctx), StepState.UNDONE)


def _backward(op: LcmOpOcc, step: Step, ctx: Context) -> Outcome:
    kind = step_of_kind(step.kind)
    receipt = step.receipt if step.receipt is not None else kind.find(ctx)
    if receipt is None:
        return Waiting(LOST) if _may_appear_late(step) else Done("Nothing had been made")
    if step.state != StepState.UNDOING:
        ctx.elapsed = 0.0
        receipt = {name: value for name, value in receipt.items() if name != UNDO}
        save(op, step, state=StepState.UNDOING, receipt=receipt, problem=None, started_at=clock.now())
    return kind.undo(ctx, receipt)


def _may_appear_late(step: Step) -> bool:
    """True if a request without an answer is so recent that its effect may still appear in the cloud."""
    since = (clock.now() - LATE_EFFECT).isoformat()
    return any(not call["status"] and call["at"] > since for call in step.calls)


def _context(op: LcmOpOcc, step: Step) -> Context:
    assert op.instance is not None, "an instance with a live operation is never deleted"
    if step.started_at is not None and step.started_at - clock.now() > CLOCK_SKEW:
        # The clock was set back: the step's time counts from now on, not only when that hour is over.
        save(op, step, started_at=clock.now())
    now = op.waiting_since or clock.now()
    elapsed = max(0.0, (now - step.started_at).total_seconds()) if step.started_at else 0.0
    return Context(op, op.instance, step.params, STEP_KINDS, elapsed, partial(report_progress, op, step))


_RUNS: dict[OperationState, Run] = {
    OperationState.STARTING: _start,
    OperationState.PROCESSING: _advance,
    OperationState.ROLLING_BACK: _unwind,
}
