"""Drives operations: lease → grant and plan → find or submit → receipt → observe → next step, or a time to wake.

A run takes no input but the operation's id and looks at the rows again, so that the first run, a run after a crash
and a duplicate ring are the same code. A worker never sleeps on a cloud (ADR-0001, ADR-0002).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import DatabaseError, transaction

from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock, doorbell, lease, seal
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation, OperationState, StepState
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Waiting, backoff, pause
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.moves import StaleOperationError, op_move, progressed
from vnfm.lcm.requests import unmasked
from vnfm.lcm.sagas import artefacts, resources, stack  # noqa: F401  # registers the step kinds
from vnfm.lcm.sagas.base import Context, kind_of
from vnfm.lcm.sagas.desired import release, settle
from vnfm.lcm.sagas.planning import Planned, make_plan
from vnfm.lcm.services import DRIVE
from vnfm.vims import selectors as vims

PLAN_ATTEMPTS = 3
"""How often a grant is tried while the cloud is unreachable; nothing is touched yet, so we answer soon."""
STEP_ATTEMPTS = 24
"""Transient errors in a row, about ten minutes by their backoff, before a person is asked."""
STEP_SECONDS = 70 * 60.0
"""How long a step may wait: longer than the hour after which Heat itself gives a stack up."""
EARLY = timedelta(milliseconds=100)
"""How far clocks of the machines may be apart before a ring on time counts as a duplicate."""

log = structlog.get_logger(__name__)

Run = Callable[[LcmOpOcc], float | None]
"""One piece of work; returns seconds until the next, 0 to go on at once, None when there is nothing more to do."""


def drive(op_id: UUID) -> None:
    """Take the operation as far as it goes now. Safe to call at any time, by anybody, any number of times."""
    with lease.hold(f"op:{op_id}") as held, structlog.contextvars.bound_contextvars(op_id=str(op_id)):
        if held is None:
            return
        after: float | None = 0.0
        first = True
        while after == 0.0:
            op = LcmOpOcc.objects.select_related("instance__vim", "instance__package").filter(id=op_id).first()
            if op is None or op.state not in DRIVEN_STATES or (first and _is_early(op)):
                return
            first = False
            _due(op_id, clock.now() + lease.TTL)
            if not held.is_current():
                log.warning("op.lease_lost", fence=held.fence)
                return
            try:
                after = _RUNS[OperationState(op.state)](op)
            except StaleOperationError:
                after = 0.0
        if after is not None:
            _due(op_id, clock.now() + timedelta(seconds=after))
    if after is not None:
        doorbell.ring(DRIVE, op_id, after=after)


def _is_early(op: LcmOpOcc) -> bool:
    """Whether this ring is a duplicate: the one that is due will come; one chain of rings an operation is enough."""
    return op.wake_at is not None and op.wake_at > clock.now() + EARLY


def _due(op_id: UUID, at: datetime) -> None:
    """When the sweeper may take the operation for forgotten."""
    LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES).update(wake_at=at)


def _start(op: LcmOpOcc) -> float | None:
    """STARTING: ask for the grant, make the plan, store it. Nothing in the cloud is changed."""
    assert op.instance is not None, "an instance with a live operation is never deleted"
    attempts = op.plan_attempts + 1
    try:
        planned = _planned(op, op.instance)
    except ProblemError as error:
        _refuse(op, error.problem)
        return None
    except CloudError as error:
        if error.retryable and attempts < PLAN_ATTEMPTS:
            LcmOpOcc.objects.filter(id=op.id).update(plan_attempts=attempts)
            return backoff(attempts)
        _refuse(op, error.as_problem(f"Planning {op.operation} of {op.instance.name}"))
        return None
    except (DatabaseError, StaleOperationError):
        raise
    except Exception as error:
        log.exception("plan.crashed")
        _refuse(op, _crash(f"Planning {op.operation}", error))
        return None
    with transaction.atomic():
        Step.objects.bulk_create(
            Step(op=op, seq=seq, kind=spec.kind, title=spec.title, params=dict(spec.params))
            for seq, spec in enumerate(planned.steps, 1)
        )
        op_move(op, OperationState.PROCESSING, "granted and planned", plan=planned.plan.as_json())
    return 0.0


def _planned(op: LcmOpOcc, instance: VnfInstance) -> Planned:
    assert instance.vim is not None, "the instance got its VIM when the operation was accepted"
    cloud = registry.provider().connect(vims.connection_of(instance.vim))
    secrets = seal.unseal(instance.sealed_settings) if instance.sealed_settings else {}
    return make_plan(Operation(op.operation), unmasked(op.params, secrets), instance, cloud)


def _refuse(op: LcmOpOcc, problem: Problem) -> None:
    with transaction.atomic():
        op_move(op, OperationState.ROLLED_BACK, "refused before anything was touched", problem)
        if op.operation == Operation.INSTANTIATE and op.instance is not None:
            release(op.instance)


def _advance(op: LcmOpOcc) -> float | None:
    """PROCESSING: run the first step that is not done."""
    step = op.steps.exclude(state=StepState.DONE).first()
    if step is None:
        with transaction.atomic():
            assert op.instance is not None
            settle(op, op.instance)
            op_move(op, OperationState.COMPLETED, "all steps done")
        return None
    ctx = _context(op, step)
    return _attempt(op, step, lambda: _forward(op, step, ctx), StepState.DONE)


def _forward(op: LcmOpOcc, step: Step, ctx: Context) -> Outcome:
    kind = kind_of(step.kind)
    if step.state in (StepState.PENDING, StepState.FAILED):
        _save(op, step, state=StepState.RUNNING, started_at=clock.now(), problem=None, finished_at=None)
        ctx.elapsed = 0.0
        if step.receipt is not None:
            _save(op, step, receipt=dict(kind.again(ctx, step.receipt)))
    if step.receipt is None:
        receipt = kind.find(ctx)
        _save(op, step, receipt=dict(receipt if receipt is not None else kind.submit(ctx)))
        ctx.elapsed = 0.0
    assert step.receipt is not None
    return kind.observe(ctx, step.receipt)


def _unwind(op: LcmOpOcc) -> float | None:
    """ROLLING_BACK: undo what was submitted, last first."""
    pending = [StepState.DONE, StepState.RUNNING, StepState.WAITING, StepState.FAILED, StepState.UNDOING]
    step = op.steps.filter(state__in=pending).order_by("-seq").first()
    if step is None:
        with transaction.atomic():
            if op.operation == Operation.INSTANTIATE and op.instance is not None:
                release(op.instance)
            op_move(op, OperationState.ROLLED_BACK, "everything undone", _stored_problem(op))
        return None
    ctx = _context(op, step)
    return _attempt(op, step, lambda: _backward(op, step, ctx), StepState.UNDONE)


def _backward(op: LcmOpOcc, step: Step, ctx: Context) -> Outcome:
    kind = kind_of(step.kind)
    ctx.fresh = step.state != StepState.UNDOING
    receipt = step.receipt if step.receipt is not None else kind.find(ctx)
    if receipt is None:
        return Done("Nothing had been made")
    if ctx.fresh:
        _save(op, step, state=StepState.UNDOING, receipt=dict(receipt), problem=None, started_at=clock.now())
        ctx.elapsed = 0.0
    return kind.undo(ctx, receipt)


def _stored_problem(op: LcmOpOcc) -> Problem | None:
    return Problem.from_json(op.problem) if op.problem else None


def _context(op: LcmOpOcc, step: Step) -> Context:
    assert op.instance is not None, "an instance with a live operation is never deleted"
    elapsed = (clock.now() - step.started_at).total_seconds() if step.started_at else 0.0
    return Context(op, op.instance, step.params, elapsed)


def _attempt(op: LcmOpOcc, step: Step, run: Callable[[], Outcome], finished: StepState) -> float | None:
    """Run one look at a step and store what came of it."""
    with structlog.contextvars.bound_contextvars(step=step.kind):
        try:
            outcome = run()
        except CloudError as error:
            return _cloud_failed(op, step, error)
        except (DatabaseError, StaleOperationError):
            raise
        except Exception as error:
            log.exception("step.crashed")
            _block(op, step, _crash(step.title, error))
            return None
    if isinstance(outcome, Done):
        _save(op, step, state=finished, message=outcome.message, finished_at=clock.now(), attempts=0)
        return 0.0
    if isinstance(outcome, Blocked):
        _block(op, step, outcome.problem)
        return None
    return _wait(op, step, outcome)


def _wait(op: LcmOpOcc, step: Step, outcome: Waiting) -> float | None:
    state = StepState.UNDOING if step.state == StepState.UNDOING else StepState.WAITING
    receipt = {"receipt": dict(outcome.receipt)} if outcome.receipt is not None else {}
    _save(op, step, state=state, message=outcome.message, attempts=0, **receipt)
    assert step.started_at is not None
    elapsed = (clock.now() - step.started_at).total_seconds()
    if elapsed > STEP_SECONDS:
        _block(op, step, _timed_out(step, elapsed))
        return None
    return pause(elapsed)


def _timed_out(step: Step, elapsed: float) -> Problem:
    return Problem(
        504,
        "STEP_TIMED_OUT",
        "A step takes too long",
        f"{step.title} has waited for {elapsed / 60:.0f} minutes. Last seen: {step.message}.",
        "Look at the cloud for what holds it up. Retry waits on; or roll back.",
    )


def _cloud_failed(op: LcmOpOcc, step: Step, error: CloudError) -> float | None:
    problem = error.as_problem(step.title)
    if not error.retryable or step.attempts >= STEP_ATTEMPTS:
        _block(op, step, problem)
        return None
    after = backoff(step.attempts + 1)
    log.warning("step.transient_error", attempt=step.attempts + 1, after=after, error=error.message)
    _save(op, step, attempts=step.attempts + 1, message=f"{error.message}; trying again in {after:.0f} s")
    return after


def _crash(doing: str, error: Exception) -> Problem:
    return Problem(
        500,
        "STEP_CRASHED",
        "A step failed on our side",
        f"{doing}: {type(error).__name__}: {error}",
        "This is a fault of the product, logged with its trace. Retry, or roll back.",
    )


def _block(op: LcmOpOcc, step: Step, problem: Problem) -> None:
    log.info("step.blocked", code=problem.code, detail=problem.detail)
    with transaction.atomic():
        _save(op, step, state=StepState.FAILED, problem=problem.as_json(), message=problem.detail)
        op_move(op, OperationState.FAILED_TEMP, step.title, problem)


def _save(op: LcmOpOcc, step: Step, **values: object) -> None:
    """Store what changed of a step and tell; unchanged looks write nothing."""
    changed = {name: value for name, value in values.items() if getattr(step, name) != value}
    if not changed:
        return
    for name, value in changed.items():
        setattr(step, name, value)
    with transaction.atomic():
        step.save(update_fields=list(changed))
        progressed(op)


_RUNS: dict[OperationState, Run] = {
    OperationState.STARTING: _start,
    OperationState.PROCESSING: _advance,
    OperationState.ROLLING_BACK: _unwind,
}
