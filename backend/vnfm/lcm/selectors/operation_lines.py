"""LCM operations in one line each: those under way, and those that ended last."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from vnfm.kit.problem import Problem
from vnfm.lcm.domain.operation_lines import OperationLine, OperationLines
from vnfm.lcm.domain.states import FINAL_STATES, Operation, OperationState, StepState, operation_actions
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.selectors.operations import UNDER_WAY

LIMIT = 20
_AT_WORK = (StepState.RUNNING, StepState.WAITING, StepState.UNDOING, StepState.FAILED)
_HEAVY = ("plan", "grant", "grant_request", "stack_before", "record_before", "changed", "sealed_secrets")


def operation_lines() -> OperationLines:
    return OperationLines(under_way(), number_under_way(), ended())


def under_way() -> list[OperationLine]:
    """The latest operations that run or wait for a decision."""
    return _lines(LcmOpOcc.objects.filter(UNDER_WAY).order_by("-start_time", "id"))


def ended() -> list[OperationLine]:
    """The operations that ended last."""
    rows = LcmOpOcc.objects.filter(state__in=FINAL_STATES).exclude(UNDER_WAY)
    return _lines(rows.order_by("-state_entered_time", "id"))


def number_under_way() -> int:
    return LcmOpOcc.objects.filter(UNDER_WAY).count()


def _lines(rows: QuerySet[LcmOpOcc]) -> list[OperationLine]:
    ops = list(rows.defer(*_HEAVY).annotate(instance_name=F("instance__name"))[:LIMIT])
    ids = [op.id for op in ops]
    done = Count("id", filter=Q(state=StepState.DONE))
    counted = {
        op: (number, finished)
        for op, number, finished in Step.objects.filter(op__in=ids)
        .order_by()
        .values_list("op")
        .annotate(number=Count("id"), finished=done)
    }
    current = _current_steps(ids)
    return [_line(op, *counted.get(op.id, (0, 0)), current.get(op.id, "")) for op in ops]


def _current_steps(ids: Iterable[UUID]) -> dict[UUID, str]:
    rows = Step.objects.filter(op__in=ids, state__in=_AT_WORK).order_by("-seq")
    return dict(rows.values_list("op_id", "title"))


def _line(op: LcmOpOcc, steps: int, done: int, step: str) -> OperationLine:
    problem = Problem.from_json(op.problem) if op.problem else None
    actions = operation_actions(OperationState(op.state), cancel_mode=op.cancel_mode)
    return OperationLine(
        id=op.id,
        operation=Operation(op.operation),
        operation_params=op.params,
        operation_state=OperationState(op.state),
        vnf_instance_id=op.instance_uuid,
        vnf_instance_name=getattr(op, "instance_name", None) or "",
        started_by=op.started_by,
        start_time=op.start_time,
        state_entered_time=op.state_entered_time,
        steps=steps,
        steps_done=done,
        step=step,
        waiting_since=op.waiting_since,
        deadline=op.deadline,
        is_cancel_pending=bool(op.cancel_mode),
        cancellable=any(action.action == "cancel" and action.enabled for action in actions),
        problem=(problem.detail or problem.title) if problem is not None else "",
    )
