"""Start, retry, roll back, fail and cancel operations (SOL003 5.4.3 to 5.4.17): one transaction each, no cloud call."""

from collections.abc import Callable, Collection
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
from vnfm.inventory.selectors import instance_with_vim
from vnfm.inventory.services import instance_changed, instance_lock
from vnfm.kit import clock, seal, tracing
from vnfm.kit.durable import tasks
from vnfm.kit.problem import Problem, conflict, unprocessable
from vnfm.lcm.domain.management_subnet import management_subnet
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.requests import (
    CreateVnfSnapshotRequest,
    InstantiateVnfRequest,
    Request,
    SnapshotRequest,
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
from vnfm.lcm.selectors.operations import op_actions, op_get, stored_problem
from vnfm.lcm.services.instances import Precondition, require_action, unconditional
from vnfm.lcm.services.management_defaults import with_management_defaults
from vnfm.lcm.services.request_reader import (
    read_request,
    redacted,
    registers,
    request_secrets,
    resolve_vim,
    target_package,
)
from vnfm.lcm.services.snapshots import snapshot_begin, snapshot_end, snapshot_require
from vnfm.lcm.services.transitions import StaleOperationError, op_transition, publish_op
from vnfm.vims.domain.vim_record import VimRecord

DRIVE, SETTLE = "lcm.drive", "lcm.settle_failed"
LATEST = timedelta(seconds=10)
"""A busy worker drives an operation at most so late: the sweeper enqueues it again before that."""


def op_start(
    *,
    instance_id: UUID,
    request: Request,
    actor: str,
    may_register_vim: bool = False,
    automatic: bool = False,
    precondition: Precondition = unconditional,
    on_accepted: Callable[[LcmOpOcc], None] = lambda _: None,
) -> LcmOpOcc:
    """Accept the operation of a request (SOL003 5.4.3-5.4.11): the driver carries it out.

    Raises 404, 409 in the wrong state or while another operation runs (naming it), 422 with every reason at its field
    when the VNFD does not allow the request. Credentials of a cloud that is not registered yet are probed first, for up
    to 15 s, and only `may_register_vim` lets them become a VIM (403 otherwise). `automatic` when no person started it;
    `on_accepted` runs within the transaction.
    """
    instance = instance_with_vim(instance_id=instance_id)
    precondition(instance.version)
    require_action(instance, request.operation.task)
    vim = _requested_vim(instance, request, may_register=may_register_vim)
    with transaction.atomic():
        instance = instance_lock(instance_id=instance_id)
        precondition(instance.version)
        require_action(instance, request.operation.task)
        if vim is not None and isinstance(request, InstantiateVnfRequest):
            request = _assign_vim(instance, request, vim)
        require_valid(instance, request)
        op = _accept(instance, request, actor, automatic=automatic)
        on_accepted(op)
    with tracing.operation_span("accepted", op.id, vnfm_operation=op.operation):
        return op  # a span that links the trace of the request to the operation's


def _requested_vim(instance: VnfInstance, request: Request, *, may_register: bool) -> VimRecord | None:
    """The VIM of an instantiation; a request that registers one is validated before, so that no invalid one does."""
    if not isinstance(request, InstantiateVnfRequest):
        return None
    if any(map(registers, request.vim_connection_info.values())):
        require_valid(instance, request)
    return resolve_vim(request.vim_connection_info, may_register=may_register)


def _assign_vim(instance: VnfInstance, request: InstantiateVnfRequest, vim: VimRecord) -> InstantiateVnfRequest:
    """Put the locked instance into its VIM; the request comes back with what a management profile adds."""
    instance.vim_id = vim.id
    instance.vim_connection_id = next(iter(request.vim_connection_info), "")
    instance.generation += 1
    request = with_management_defaults(request, instance)
    instance.management_subnet = management_subnet(catalog.vnfd_of(instance.package), request.settings)
    instance.management_declined = request.additional_params.declines_management
    changed = ("vim", "vim_connection_id", "generation", "management_subnet", "management_declined")
    instance.save(update_fields=changed)
    return request


def require_valid(instance: VnfInstance, request: Request) -> None:
    """Raise 422 with every reason at its field when the VNFD does not allow the request, 409 when the snapshot that it
    names is in the wrong state; no cloud is called.
    """
    if isinstance(request, SnapshotRequest):
        snapshot_require(request)
    target = validate(read_request(request, instance))
    if isinstance(target, Rejection):
        text = " ".join(error.message for error in target.errors)
        raise unprocessable("REQUEST_REFUSED", text, target.errors, "Correct the named fields.")
    if isinstance(request, InstantiateVnfRequest):
        policies_resolve(request.additional_params.policies, "/additionalParams")


def _accept(instance: VnfInstance, request: Request, actor: str, *, automatic: bool) -> LcmOpOcc:
    op = _create_op(instance, request, actor, automatic=automatic)
    if isinstance(request, CreateVnfSnapshotRequest):
        assert request.vnf_snapshot_info_id is not None, "only a plan names none"
        snapshot_begin(request.vnf_snapshot_info_id, instance, op)
    OpTransition.objects.create(op=op, target=op.state, reason=f"requested by {actor}")
    publish_op(op, previous="")
    instance_changed(instance)
    tasks.enqueue_on_commit(DRIVE, op.id)
    return op


def _create_op(instance: VnfInstance, request: Request, actor: str, *, automatic: bool) -> LcmOpOcc:
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
        params=redacted(request, vnfd),
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
        raise conflict("STALE", "The state of the operation has changed.", "Reload it.") from error
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
    """Leave out the time from `wake_at` until now, when it is longer than a busy worker is late: no worker was at work.

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
    """Drive the operation now, and not at its next `wake_at`: the event for which it waits has come."""
    if LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES, wake_at__gt=clock.now()).update(wake_at=clock.now()):
        tasks.enqueue_on_commit(DRIVE, op_id)


def ops_wake(*, instance_ids: Collection[UUID]) -> None:
    """A poll of the cloud found changes of these instances: wake operations whose stack is no longer in progress.

    An operation itself polls its stack at a tenth of the time that it has waited.
    """
    waiting = LcmOpOcc.objects.filter(instance_uuid__in=instance_ids, state__in=DRIVEN_STATES)
    for op_id in waiting.exclude(instance__stack_status__endswith="_IN_PROGRESS").values_list("id", flat=True):
        op_wake(op_id=op_id)
