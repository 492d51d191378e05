"""Reads of operations; no cloud is called."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from vnfm.clouds.errors import REFUSED
from vnfm.history import traffic
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit import clock
from vnfm.kit.problem import Problem, not_found
from vnfm.lcm.domain.states import (
    DRIVEN_STATES,
    LIVE_STATES,
    Action,
    Operation,
    OperationState,
    StepState,
    operation_actions,
)
from vnfm.lcm.domain.story import OperationHistory, Sentence, StepHistory, TrafficLoss, TransitionHistory, story
from vnfm.lcm.models import LcmOpOcc, OpTransition, PlanPreview, Step


def op_get(*, op_id: UUID) -> LcmOpOcc:
    """Raises 404 when there is none."""
    op = LcmOpOcc.objects.select_related("instance").filter(id=op_id).first()
    if op is None:
        raise not_found("LCM operation occurrence", op_id)
    return op


def stored_problem(op: LcmOpOcc) -> Problem | None:
    return Problem.from_json(op.problem) if op.problem else None


UNDER_WAY = Q(state__in=LIVE_STATES) | Q(state=OperationState.FAILED, wake_at__isnull=False)
"""Live, or marked failed while what it left in the cloud is still to be recorded."""


def live_operation(instance: InstanceRecord) -> LcmOpOcc | None:
    """The one operation that the instance may have under way."""
    return LcmOpOcc.objects.filter(UNDER_WAY, instance=instance.id).first()


def instantiation_params(instance: InstanceRecord) -> Mapping[str, Any]:
    """The request by which the instance was last instantiated, as stored; an empty one where none is kept."""
    rows = LcmOpOcc.objects.filter(instance=instance.id, operation=Operation.INSTANTIATE).order_by("-start_time")
    return rows.values_list("params", flat=True).first() or {}


def operations_stopped_by(code: str) -> QuerySet[LcmOpOcc]:
    """Operations, with the names of their instances, that wait for a decision after a problem of that code."""
    rows = LcmOpOcc.objects.filter(state=OperationState.FAILED_TEMP, problem__code=code).select_related("instance")
    return rows.only("operation", "instance_uuid", "instance__name").order_by("start_time")


def describe_running(live: LcmOpOcc) -> str:
    """The operation that is in the way of another."""
    words = Operation(live.operation).words
    if live.state == OperationState.FAILED:
        return f"{words} ({live.id}) was marked failed and what it left in the cloud is still being taken over"
    return f"{words} ({live.id}) is {OperationState(live.state).words}"


_RUNNING = (OperationState.STARTING, OperationState.PROCESSING, OperationState.ROLLING_BACK)


def operation_runs_on(vim_id: UUID) -> bool:
    """True if an operation is changing something on that VIM; one that waits for a person is not."""
    return LcmOpOcc.objects.filter(state__in=_RUNNING, instance__vim=vim_id).exists()


@dataclass(frozen=True, slots=True)
class RecoveryLimits:
    """The effects of a stopped operation that limit retry, rollback and fail."""

    one_way: str = ""
    """The reason why the work so far cannot be undone."""
    unwinding: bool = False
    """A rollback has begun."""
    problem: str = ""
    """Code of what stopped it."""


def recovery_limits(ops: Iterable[LcmOpOcc]) -> dict[UUID, RecoveryLimits]:
    """The limits of those operations that are stopped, in two queries."""
    stopped = [op.id for op in ops if op.state == OperationState.FAILED_TEMP]
    if not stopped:
        return {}
    moves = OpTransition.objects.filter(op__in=stopped).exclude(source=F("target"))
    last = moves.order_by("op", "-id").distinct("op").values_list("op_id", "source", "op__problem__code")
    problems: dict[UUID, str] = {}
    unwinding: set[UUID] = set()
    for op_id, source, code in last:
        problems[op_id] = code or ""
        if source == OperationState.ROLLING_BACK:
            unwinding.add(op_id)
    one_way: dict[UUID, str] = {}
    begun = Step.objects.filter(op__in=stopped).exclude(state=StepState.PENDING)
    for row in begun.only("op_id", "state", "one_way", "receipt", "calls"):
        if row.one_way and _may_have_effect(row):
            one_way.setdefault(row.op_id, row.one_way)
        if row.state in (StepState.UNDOING, StepState.UNDONE):
            unwinding.add(row.op_id)
    return {
        op_id: RecoveryLimits(one_way.get(op_id, ""), op_id in unwinding, problems.get(op_id, "")) for op_id in stopped
    }


def _may_have_effect(step: Step) -> bool:
    """True if the step may have had an effect: it had none if the cloud refused all its calls.

    A worker that was killed recorded neither a receipt nor its calls.
    """
    if step.receipt is None:
        return not step.calls or any(call["status"] not in REFUSED for call in step.calls)
    return not step.receipt.get("untouched")


def op_actions(op: LcmOpOcc, limits: RecoveryLimits | None = None) -> list[Action]:
    """Cancel, retry, rollback and fail, each enabled or not. Lists pass the `limits`, which they read for all rows."""
    if limits is None:
        limits = recovery_limits([op]).get(op.id, RecoveryLimits())
    return operation_actions(
        OperationState(op.state),
        one_way=limits.one_way,
        unwinding=limits.unwinding,
        cancel_mode=op.cancel_mode,
        problem=limits.problem,
    )


def op_story(op: LcmOpOcc) -> list[Sentence]:
    """Tell the operation in sentences."""
    ended = None if op.state in DRIVEN_STATES else op.state_entered_time
    now = clock.now()
    counted = traffic.totals(op.instance_uuid, op.start_time, ended or now)
    history = OperationHistory(
        operation=op.operation,
        instance=op.instance.name if op.instance else str(op.instance_uuid),
        state=op.state,
        grant=op.grant,
        grant_request=op.grant_request,
        problem=op.problem,
        transitions=[TransitionHistory(t.source, t.target, t.reason, t.at) for t in op.transitions.order_by("id")],
        steps=[
            StepHistory(s.seq, s.title, s.state, s.message, s.started_at, s.finished_at, s.problem, s.calls)
            for s in op.steps.all()
        ],
        waiting_since=op.waiting_since,
        due_at=(op.wake_at or op.start_time) if op.state in DRIVEN_STATES else None,
        now=now,
        traffic=[TrafficLoss(each.path, int(each.sent), int(each.lost), each.gap) for each in counted],
        traffic_until=ended,
    )
    return story(history)


def plan_get(*, plan_id: UUID) -> PlanPreview:
    """Raises 404 when there is none (any more: previews are kept for a day)."""
    preview = PlanPreview.objects.filter(id=plan_id).first()
    if preview is None:
        raise not_found("plan", plan_id)
    return preview
