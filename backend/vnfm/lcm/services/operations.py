"""Start, retry, roll back, fail and cancel operations (SOL003 5.4.3 to 5.4.17): one transaction each, no cloud call."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Least

from vnfm.catalog import selectors as catalog
from vnfm.elements.services.mediation_policies import policies_resolve
from vnfm.elements.services.registration import instance_elements, slots_clear_leaving
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock, seal, tasks, tracing
from vnfm.kit.problem import Problem, conflict, unprocessable
from vnfm.lcm.domain.management_subnet import management_subnet
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.requests import (
    CreateSnapshotRequest,
    InstantiateRequest,
    Request,
    SnapshotRequest,
    parse_request,
)
from vnfm.lcm.domain.states import (
    DRIVEN_STATES,
    ERROR_HANDLING,
    FINAL_STATES,
    CancelMode,
    Operation,
    OperationState,
    StepState,
)
from vnfm.lcm.domain.validation import validate
from vnfm.lcm.models import LcmOpOcc, OpTransition, Step
from vnfm.lcm.selectors.instances import instance_get
from vnfm.lcm.selectors.operations import op_actions, op_get, stored_problem
from vnfm.lcm.services.instances import Precondition, instance_lock, require_action, unconditional
from vnfm.lcm.services.management_defaults import with_management_defaults
from vnfm.lcm.services.request_reader import read_request, redacted, request_secrets, resolve_vim, target_package
from vnfm.lcm.services.snapshots import snapshot_begin, snapshot_end, snapshot_require
from vnfm.lcm.services.transitions import StaleOperationError, op_transition, publish_op
from vnfm.vims.models import Vim

DRIVE, SETTLE = "lcm.drive", "lcm.settle_failed"
LATEST = timedelta(seconds=10)
"""How late a busy worker may drive an operation: the sweeper enqueues it again before that."""


def op_start(
    *,
    instance_id: UUID,
    operation: Operation,
    request: Mapping[str, Any],
    actor: str,
    may_register_vim: bool = False,
    automatic: bool = False,
    precondition: Precondition = unconditional,
    on_accepted: Callable[[LcmOpOcc], None] = lambda _: None,
) -> LcmOpOcc:
    """Accept an operation (SOL003 5.4.3-5.4.11) with the JSON of its request: the driver carries it out.

    Raises 404, 409 in the wrong state or while another operation runs (naming it), 422 with every reason at its field
    when the VNFD does not allow the request. Credentials of a cloud that is not registered yet are probed first, for up
    to 15 s, and only `may_register_vim` lets them become a VIM (403 otherwise). `automatic` when no person started it;
    `on_accepted` runs within the transaction.
    """
    instance = instance_get(instance_id=instance_id)
    precondition(instance.version)
    require_action(instance, operation.task)
    parsed = parse_request(operation, request)
    require_valid(instance, parsed)
    vim = None
    if isinstance(parsed, InstantiateRequest):
        vim = resolve_vim(parsed.vim_connections, may_register=may_register_vim)
    with transaction.atomic():
        op = _accept(instance_id, parsed, request, vim, actor, automatic=automatic, precondition=precondition)
        on_accepted(op)
    with tracing.operation_span("accepted", op.id, vnfm_operation=op.operation):
        return op  # a span that links the trace of the request to the operation's


def require_valid(instance: VnfInstance, request: Request) -> None:
    """Raise 422 with every reason at its field when the VNFD does not allow the request, 409 when the snapshot that it
    names is in the wrong state; no cloud needs to be asked.
    """
    if isinstance(request, SnapshotRequest):
        snapshot_require(request)
    target = validate(read_request(request, instance))
    if isinstance(target, Rejection):
        text = " ".join(error.message for error in target.errors)
        raise unprocessable("REQUEST_REFUSED", text, target.errors, "Correct the named fields.")
    if isinstance(request, InstantiateRequest):
        policies_resolve(request.policies, "/additionalParams")


def _accept(
    instance_id: UUID,
    request: Request,
    body: Mapping[str, Any],
    vim: Vim | None,
    actor: str,
    *,
    automatic: bool,
    precondition: Precondition,
) -> LcmOpOcc:
    instance = instance_lock(instance_id)
    precondition(instance.version)
    require_action(instance, request.operation.task)
    require_valid(instance, request)
    if vim is not None and isinstance(request, InstantiateRequest):
        instance.vim = vim
        instance.vim_connection_id = next(iter(request.vim_connections), "")
        instance.generation += 1
        instance.save(update_fields=["vim", "vim_connection_id", "generation"])
    if isinstance(request, InstantiateRequest):
        body, request = with_management_defaults(body, request, instance)
        require_valid(instance, request)
        subnet = management_subnet(catalog.vnfd_of(instance.package), request.settings)
        VnfInstance.objects.filter(id=instance.id).update(
            management_subnet=subnet, management_declined=request.declines_management
        )
    op = _create_op(instance, request, body, actor, automatic=automatic)
    if isinstance(request, CreateSnapshotRequest):
        assert request.snapshot_id is not None, "only a plan names none"
        snapshot_begin(request.snapshot_id, instance, op)
    OpTransition.objects.create(op=op, target=op.state, reason=f"requested by {actor}")
    publish_op(op, previous="")
    instance_changed(instance)
    tasks.enqueue_on_commit(DRIVE, op.id)
    return op


def _create_op(
    instance: VnfInstance, request: Request, body: Mapping[str, Any], actor: str, *, automatic: bool
) -> LcmOpOcc:
    """The op occ of the request, due at once; the request's secrets are stored apart from it, sealed."""
    vnfd = catalog.vnfd_of(target_package(request, instance.package))
    secrets = request_secrets(request, vnfd)
    now = clock.now()
    return LcmOpOcc.objects.create(
        instance=instance,
        instance_uuid=instance.id,
        vim_connection_id=instance.vim_connection_id,
        operation=request.operation,
        state=OperationState.STARTING,
        params=redacted(body, vnfd),
        sealed_secrets=seal.seal(secrets) if secrets else None,
        automatic=automatic,
        started_by=actor,
        start_time=now,
        state_entered_time=now,
        wake_at=now,
        deadline=_deadline(),
    )


def _deadline() -> datetime:
    return clock.now() + timedelta(seconds=settings.OPERATION_DEADLINE_SECONDS)


@transaction.atomic
def op_finish(op: LcmOpOcc, target: OperationState, reason: str, problem: Problem | None = None, **values: Any) -> None:
    """Move `op` to a final state: it takes no card out any more, so a card that vanishes from now on is missing.

    Raises as `op_transition`.
    """
    assert target in FINAL_STATES
    op_transition(op, target, reason, problem, **values)
    if op.operation == Operation.CREATE_SNAPSHOT:
        snapshot_end(op, target)
    for element in instance_elements(op.instance) if op.instance is not None else ():
        slots_clear_leaving(element_id=element.id)


@transaction.atomic
def op_handle_error(*, op_id: UUID, task: str, actor: str, precondition: Precondition = unconditional) -> LcmOpOcc:
    """Retry, rollback or fail an operation in FAILED_TEMP (SOL003 5.4.14-16); 409 with the reason when it cannot be."""
    op = op_get(op_id=op_id)
    precondition(op.version)
    _require_task(op, task)
    target = ERROR_HANDLING[task]
    try:
        if target == OperationState.FAILED:
            # Due until `settle_failed` has recorded what is left.
            due = {"wake_at": clock.now(), "deadline": _deadline()}
            op_finish(op, target, f"{task} by {actor}", stored_problem(op), **due)
        else:
            op_transition(op, target, f"{task} by {actor}", deadline=_deadline())
    except StaleOperationError as error:
        raise conflict("STALE", "The operation has moved on meanwhile.", "Look again.") from error
    tasks.enqueue_on_commit(SETTLE if target == OperationState.FAILED else DRIVE, op.id)
    return op


def _require_task(op: LcmOpOcc, task: str) -> None:
    action = next(a for a in op_actions(op) if a.action == task)
    if not action.enabled:
        raise conflict("WRONG_STATE", f"Cannot {task} now. {action.disabled_reason}", operationState=op.state)


@transaction.atomic
def op_cancel(*, op_id: UUID, mode: CancelMode, actor: str, precondition: Precondition = unconditional) -> LcmOpOcc:
    """Cancel an operation (SOL003 5.4.17), or a graceful cancellation by force; 409 with the reason when it cannot be.

    The driver stops it: ROLLED_BACK when nothing was changed yet, FAILED_TEMP otherwise.
    """
    # The driver may be about to end the operation: it waits for this row, or we read its end.
    list(LcmOpOcc.objects.select_for_update(no_key=True).filter(id=op_id).values_list("id"))
    op = op_get(op_id=op_id)
    precondition(op.version)
    _require_task(op, "cancel")
    if op.cancel_mode and mode == CancelMode.GRACEFUL:
        words = "Cannot cancel now. It is being cancelled already."
        raise conflict("WRONG_STATE", words, "FORCEFUL does not wait for its step.", operationState=op.state)
    OpTransition.objects.create(
        op=op, source=op.state, target=op.state, reason=f"{mode} cancellation requested by {actor}"
    )
    op.cancel_mode = mode
    op.version += 1
    LcmOpOcc.objects.filter(id=op.id).update(cancel_mode=mode, wake_at=clock.now(), version=op.version)
    publish_op(op)
    tasks.enqueue_on_commit(DRIVE, op.id)
    return op


@transaction.atomic
def op_exclude_gap(*, op_id: UUID, wake_at: datetime | None, now: datetime) -> None:
    """Do not count the time from `wake_at` until now, when it is longer than a busy worker is late: no worker looked.

    None ran, or the clock was set forward: neither is a time in which the cloud did not do what a step waits for.
    """
    if wake_at is None or now - wake_at <= LATEST:
        return
    gap = now - wake_at
    later = {name: F(name) + gap for name in ("deadline", "waiting_since")}
    if LcmOpOcc.objects.filter(id=op_id, wake_at=wake_at).update(wake_at=now, **later):
        running = Step.objects.filter(op=op_id, state__in=(StepState.RUNNING, StepState.WAITING, StepState.UNDOING))
        running.update(started_at=Least(F("started_at") + gap, now))


def op_wake(*, op_id: UUID) -> None:
    """What the operation waits for has come: drive it now, and not at its next `wake_at`."""
    if LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES, wake_at__gt=clock.now()).update(wake_at=clock.now()):
        tasks.enqueue_on_commit(DRIVE, op_id)


def ops_wake(*, instance_ids: Collection[UUID]) -> None:
    """A poll of the cloud found changes of these instances: wake operations whose stack is no longer in progress.

    An operation itself polls its stack at a tenth of the time that it has waited.
    """
    waiting = LcmOpOcc.objects.filter(instance_uuid__in=instance_ids, state__in=DRIVEN_STATES)
    for op_id in waiting.exclude(instance__stack_status__endswith="_IN_PROGRESS").values_list("id", flat=True):
        op_wake(op_id=op_id)
