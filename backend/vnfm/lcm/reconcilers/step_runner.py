"""Runs a step once and stores its outcome: done, waiting, blocked, or a cloud to wait for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction

from vnfm.clouds import call_log
from vnfm.clouds.errors import CloudError, RateLimited
from vnfm.kit import clock, tracing
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.states import CancelMode, Operation, OperationState, StepState
from vnfm.lcm.domain.steps import (
    LONGEST_BACKOFF,
    Blocked,
    Done,
    Outcome,
    Receipt,
    Waiting,
    backoff,
    pause,
    requested_pause,
)
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.services.transitions import StaleOperationError, bump_progress, op_transition
from vnfm.metrics.catalogue import STEP_DURATION_SECONDS, STEP_RETRIES

STEP_ATTEMPTS = 24
"""Errors in a row of a cloud that does answer, about ten minutes by their backoff, before the operation stops."""
STEP_SECONDS = 70 * 60.0
"""The longest wait of a step: longer than the hour after which Heat itself fails a stack."""
UNREACHABLE = frozenset({0, 413, 429, 502, 503, 504})
"""HTTP statuses of a cloud that is out of reach, or asks us to wait; 0: it did not answer."""
MAX_STORED_CALLS = 50

log = structlog.get_logger(__name__)


def run_step(op: LcmOpOcc, step: Step, run: Callable[[], Outcome], finished: StepState) -> float | None:
    """Run the step's `observe` or `undo` once and store the outcome; returns as `driver.Run`."""
    began = clock.now()
    with (
        tracing.operation_span(step.kind, op.id, vnfm_operation=op.operation, vnfm_step=step.seq) as set_attributes,
        structlog.contextvars.bound_contextvars(step=step.kind),
        _recording_calls(step),
    ):
        try:
            outcome = run()
        except CloudError as error:
            set_attributes(vnfm_error=error.message, openstack_request_id=error.request_id)
            return _cloud_failed(op, step, error, began)
        except ProblemError as error:
            block(op, step, error.problem)
            return None
        except (DatabaseError, StaleOperationError):
            raise
        except Exception as error:
            log.exception("step.crashed")
            block(op, step, crash_problem(step.title, error))
            return None
    end_waiting(op, step)
    if isinstance(outcome, Done):
        save(op, step, state=finished, message=outcome.message, finished_at=clock.now(), attempts=0)
        _observe(step)
        return 0.0
    if isinstance(outcome, Blocked):
        block(op, step, outcome.problem, outcome.redo)
        return None
    return _wait(op, step, outcome)


def _observe(step: Step) -> None:
    if step.started_at is not None:
        seconds = (clock.now() - step.started_at).total_seconds()
        STEP_DURATION_SECONDS.observe(seconds, step.kind, StepState(step.state).value)


def _wait(op: LcmOpOcc, step: Step, outcome: Waiting) -> float | None:
    state = StepState.UNDOING if step.state == StepState.UNDOING else StepState.WAITING
    receipt = {"receipt": dict(outcome.receipt)} if outcome.receipt is not None else {}
    save(op, step, state=state, message=outcome.message, attempts=0, **receipt)
    assert step.started_at is not None
    elapsed = (clock.now() - step.started_at).total_seconds()
    if elapsed > STEP_SECONDS:
        block(op, step, _timed_out(step, elapsed))
        return None
    return max(pause(elapsed), outcome.at_least)


def _timed_out(step: Step, elapsed: float) -> Problem:
    return Problem(
        504,
        "STEP_TIMED_OUT",
        "A step takes too long",
        f"{step.title} has waited for {elapsed / 60:.0f} minutes. Last seen: {step.message}.",
        "Look at the cloud for what holds it up. Retry waits on; or roll back.",
    )


def report_progress(op: LcmOpOcc, step: Step, message: str, receipt: Receipt | None = None) -> None:
    """Report progress of a running step (`steps.base.ReportProgress`); a graceful cancel does not interrupt it."""
    if receipt is None:
        end_waiting(op, step)
    now = LcmOpOcc.objects.only("version", "cancel_mode").get(id=op.id)
    if not op.cancel_mode and now.cancel_mode == CancelMode.GRACEFUL and now.version == op.version + 1:
        op.cancel_mode, op.version = now.cancel_mode, now.version
    save(op, step, message=message, **({"receipt": dict(receipt)} if receipt is not None else {}))


def _cloud_failed(op: LcmOpOcc, step: Step, error: CloudError, began: datetime) -> float | None:
    attempts = step.attempts + (not is_unreachable(error))
    after = retry_delay(op, error, attempts, began)
    if after is None:
        block(op, step, error.as_problem(step.title))
        return None
    STEP_RETRIES.add(step.kind, type(error).__name__)
    message = f"{error.message}; trying again in {after:.0f} s"
    if op.waiting_since is not None:
        message = f"Waiting for the cloud since {op.waiting_since:%H:%M:%S} UTC: {message}"
    save(op, step, attempts=attempts, message=message)
    return after


def is_unreachable(error: CloudError) -> bool:
    """True if the cloud is out of reach, or asks us to wait; else it answers, with an error of its own."""
    return error.retryable and error.http_status in UNREACHABLE


def retry_delay(op: LcmOpOcc, error: CloudError, attempts: int, began: datetime) -> float | None:
    """Seconds until the next try after a run that began at `began` and met `error`; None when a retry is useless.

    A cloud that is out of reach or asks us to slow down is waited for until the operation's deadline; one that answers
    with errors of its own gets STEP_ATTEMPTS, of which this is number `attempts` in a row.
    """
    if not error.retryable:
        return None
    away = is_unreachable(error)
    asked = error.retry_after if isinstance(error, RateLimited) else None
    vim_limiter.record_failure(op.instance.vim_id if op.instance else None, asked, away=away)
    if clock.now() >= op.deadline if away else attempts >= STEP_ATTEMPTS:
        return None
    if away and op.waiting_since is None:
        op.waiting_since = began
        LcmOpOcc.objects.filter(id=op.id).update(waiting_since=op.waiting_since)
    after = requested_pause(asked) if asked is not None else _outage_delay(op) if away else backoff(attempts)
    log.warning("cloud.transient_error", attempt=attempts, after=after, error=error.message)
    return after


def _outage_delay(op: LcmOpOcc) -> float:
    """Wait as long again as the cloud has been away, within bounds: longer outages get fewer tries."""
    assert op.waiting_since is not None, "noted with the first failure"
    return min(LONGEST_BACKOFF, max(1.0, (clock.now() - op.waiting_since).total_seconds()))


def end_waiting(op: LcmOpOcc, step: Step | None = None) -> None:
    """The cloud has answered: end the wait for it, and do not count its outage as time of the step."""
    vim_limiter.record_success(op.instance.vim_id if op.instance else None)
    if op.waiting_since is None:
        return
    if step is not None and step.started_at is not None:
        step.started_at += max(timedelta(), clock.now() - max(op.waiting_since, step.started_at))
        Step.objects.filter(id=step.id).update(started_at=step.started_at)
    op.waiting_since = None
    LcmOpOcc.objects.filter(id=op.id).update(waiting_since=None)


@contextmanager
def _recording_calls(step: Step) -> Iterator[None]:
    """Store the changing requests of this run, whatever their outcome."""
    with call_log.record_calls() as calls:
        try:
            yield
        finally:
            if calls:
                noted = [asdict(call) | {"at": call.at.isoformat()} for call in calls]
                step.calls = [*step.calls, *noted][-MAX_STORED_CALLS:]
                Step.objects.filter(id=step.id).update(calls=step.calls)


def cancellation_due(op: LcmOpOcc, step: Step, *, ends_itself: bool = False) -> bool:
    """True if a cancellation stops the operation before the next run of `step`; if so, moves it to FAILED_TEMP.

    A graceful one lets a step that has begun finish (SOL003 5.4.17.3.1); one that `ends_itself` is let in either mode.
    """
    begun = step.state in (StepState.RUNNING, StepState.WAITING, StepState.UNDOING)
    if not op.cancel_mode or (begun and (ends_itself or op.cancel_mode == CancelMode.GRACEFUL)):
        return False
    with transaction.atomic():
        if begun and step.state != StepState.UNDOING:
            message = f"No longer waited for. Last seen: {step.message}"
            save(op, step, state=StepState.FAILED, message=message, attempts=0)
        op_transition(op, OperationState.FAILED_TEMP, "cancelled", cancelled_problem(op))
    return True


def cancelled_problem(op: LcmOpOcc) -> Problem:
    how = "by force" if op.cancel_mode == CancelMode.FORCEFUL else "gracefully"
    return Problem(
        409,
        "CANCELLED",
        "Cancelled",
        f"{Operation(op.operation).words} was cancelled {how}.",
        "Retry goes on where it stopped; or roll back; or mark it failed and leave everything as it is."
        if op.state != OperationState.STARTING
        else "Nothing was touched.",
    )


def crash_problem(doing: str, error: Exception) -> Problem:
    return Problem(
        500,
        "STEP_CRASHED",
        "A step failed on our side",
        f"{doing}: {type(error).__name__}: {error}",
        "This is a fault of the product, logged with its trace. Retry, or roll back.",
    )


def block(op: LcmOpOcc, step: Step, problem: Problem, redo: tuple[str, ...] = ()) -> None:
    """Fail the step, and the operation with it until it is retried; the steps of `redo` are to be done again."""
    log.info("step.blocked", code=problem.code, detail=problem.detail)
    with transaction.atomic():
        done = op.steps.filter(kind__in=redo, seq__lt=step.seq, state=StepState.DONE)
        done.update(state=StepState.FAILED, message=f"Not done after all: {problem.detail}")
        save(op, step, state=StepState.FAILED, problem=problem.as_json(), message=problem.detail, attempts=0)
        op_transition(op, OperationState.FAILED_TEMP, step.title, problem)
    _observe(step)


def save(op: LcmOpOcc, step: Step, **values: object) -> None:
    """Store and publish the changed values of a step; without a change nothing is written."""
    changed = {name: value for name, value in values.items() if getattr(step, name) != value}
    if not changed:
        return
    for name, value in changed.items():
        setattr(step, name, value)
    with transaction.atomic():
        step.save(update_fields=list(changed))
        bump_progress(op)
