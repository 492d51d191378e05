"""Operations in one line each: those under way, and those that ended last."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from vnfm.kit.problem import Problem
from vnfm.lcm.domain.states import FINAL_STATES, OperationState, StepState, operation_actions
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.selectors.operations import UNDER_WAY
from vnfm.overview.facts import OperationAtWork

SHOWN = 20
_AT_WORK = (StepState.RUNNING, StepState.WAITING, StepState.UNDOING, StepState.FAILED)
_HEAVY = ("plan", "grant", "grant_asked", "stack_before", "record_before", "changed", "sealed_secrets")


def under_way() -> list[OperationAtWork]:
    """The latest of those that run or wait for a decision."""
    return _told(LcmOpOcc.objects.filter(UNDER_WAY).order_by("-start_time", "id"))


def ended() -> list[OperationAtWork]:
    """Those that ended last."""
    over = LcmOpOcc.objects.filter(state__in=FINAL_STATES).exclude(UNDER_WAY)
    return _told(over.order_by("-state_entered_time", "id"))


def number_under_way() -> int:
    return LcmOpOcc.objects.filter(UNDER_WAY).count()


def _told(rows: QuerySet[LcmOpOcc]) -> list[OperationAtWork]:
    ops = list(rows.defer(*_HEAVY).annotate(instance_name=F("instance__name"))[:SHOWN])
    ids = [op.id for op in ops]
    done = Count("id", filter=Q(state=StepState.DONE))
    counted = {
        op: (number, finished)
        for op, number, finished in Step.objects.filter(op__in=ids)
        .order_by()
        .values_list("op")
        .annotate(number=Count("id"), finished=done)
    }
    current = _current(ids)
    return [_line(op, *counted.get(op.id, (0, 0)), current.get(op.id, "")) for op in ops]


def _current(ids: Iterable[UUID]) -> dict[UUID, str]:
    rows = Step.objects.filter(op__in=ids, state__in=_AT_WORK).order_by("-seq")
    return dict(rows.values_list("op_id", "title"))


def _line(op: LcmOpOcc, steps: int, done: int, step: str) -> OperationAtWork:
    problem = Problem.from_json(op.problem) if op.problem else None
    actions = operation_actions(OperationState(op.state), cancel_pending=bool(op.cancel_mode))
    return OperationAtWork(
        id=str(op.id),
        operation=op.operation,
        params=op.params,
        state=op.state,
        instance_id=str(op.instance_uuid),
        instance_name=getattr(op, "instance_name", None) or "",
        started_at=op.start_time,
        state_since=op.state_entered_time,
        steps=steps,
        steps_done=done,
        step=step,
        waiting_since=op.waiting_since,
        deadline=op.deadline,
        cancelling=bool(op.cancel_mode),
        cancellable=any(action.action == "cancel" and action.enabled for action in actions),
        problem=(problem.detail or problem.title) if problem is not None else "",
    )
