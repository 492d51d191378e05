"""Sums over all operations, made by the database."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Count, QuerySet

from vnfm.kit.durable.backlog import Backlog, backlog_of
from vnfm.lcm.domain.states import DRIVEN_STATES, FINAL_STATES, Operation, OperationState, StepState
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.selectors.operations import UNDER_WAY


def operation_counts() -> list[tuple[str, str, int]]:
    """Operation, state, and the number of operations in it."""
    rows = LcmOpOcc.objects.values_list("operation", "state").annotate(number=Count("id"))
    return list(rows.order_by("operation", "state"))


def operation_backlog(now: datetime) -> Backlog:
    """Operations that are due to be driven."""
    return backlog_of(LcmOpOcc.objects.filter(wake_at__lte=now, state__in=[*DRIVEN_STATES]), "wake_at")


def changing_instances() -> set[UUID]:
    """The instances on which an operation is under way that does not wait for a decision."""
    rows = LcmOpOcc.objects.filter(UNDER_WAY).exclude(state=OperationState.FAILED_TEMP)
    return set(rows.values_list("instance_uuid", flat=True))


def end_times(op_ids: Collection[UUID]) -> dict[UUID, datetime]:
    """Return when those of these operations ended that are over."""
    over = LcmOpOcc.objects.filter(id__in=op_ids, state__in=FINAL_STATES)
    return dict(over.values_list("id", "state_entered_time"))


def first_completed(operation: Operation, **params: str) -> datetime | None:
    """When the first operation of that kind, with these parameters as stored, was completed."""
    return _first(_completed(operation).filter(**{f"params__{name}": value for name, value in params.items()}))


def first_instantiated_with(step_kind: str) -> datetime | None:
    """When the first instantiation was completed that did a step of that kind."""
    rows = Step.objects.filter(op__in=_completed(Operation.INSTANTIATE), kind=step_kind, state=StepState.DONE)
    return rows.order_by("id").values_list("op__state_entered_time", flat=True).first()


def _completed(operation: Operation) -> QuerySet[LcmOpOcc]:
    return LcmOpOcc.objects.filter(state=OperationState.COMPLETED, operation=operation)


def _first(rows: QuerySet[LcmOpOcc]) -> datetime | None:
    """The order is that of an index: the query ends at the first row."""
    return rows.order_by("start_time").values_list("state_entered_time", flat=True).first()
