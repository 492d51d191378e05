"""What people and programs may ask of the lifecycle: one transaction each, no cloud call."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from vnfm.catalog import selectors as catalog
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock, outbox, seal, tasks
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, not_found, unprocessable
from vnfm.lcm import selectors
from vnfm.lcm.domain.asked import check
from vnfm.lcm.domain.states import (
    DRIVEN_STATES,
    ERROR_HANDLING,
    Action,
    CancelMode,
    Operation,
    OperationState,
    instance_actions,
    operation_actions,
)
from vnfm.lcm.domain.target import Refused
from vnfm.lcm.models import LcmOpOcc, OpTransition, PlanPreview
from vnfm.lcm.moves import StaleOperationError, identity, op_move, tell
from vnfm.lcm.requests import asking_of, masked, package_asked, policies_asked, secrets_of, vim_of
from vnfm.vims.models import Vim

Precondition = Callable[[int], None]
"""Given the version of the resource while nobody else can change it; raises when the caller wants another."""


def unconditional(version: int) -> None:
    """Whatever the version."""


DRIVE, PREVIEW, SETTLE = "lcm.drive", "lcm.preview", "lcm.settle_failed"


def vnf_instance_create(
    *, vnfd_id: UUID, name: str, description: str = "", metadata: Mapping[str, Any] | None = None, actor: str
) -> VnfInstance:
    """Create the identifier of a VNF instance (SOL003 5.4.2.3.1).

    Raises 404 when the VNFD is not onboarded, 409 when its package is disabled or the name is taken.
    """
    package = catalog.package_by_vnfd(vnfd_id=vnfd_id)
    if package.operational_state != package.OperationalState.ENABLED:
        raise conflict("PACKAGE_DISABLED", f"Package {package.id} is disabled.", "Enable it in the catalog first.")
    instance = VnfInstance(
        name=name, description=description, package=package, metadata=dict(metadata or {}), created_by=actor
    )
    instance.name = name or f"{package.product_name}-{str(instance.id)[:8]}"
    try:
        with transaction.atomic():
            instance.save(force_insert=True)
            told = {"created": True, "vnf": identity(instance)}
            outbox.publish("vnf_instance.changed", instance.id, instance.version, told)
    except IntegrityError as error:
        raise ProblemError(name_taken(instance.name)) from error
    instance.refresh_from_db()
    return instance


def name_taken(name: str) -> Problem:
    message = f"There is a VNF instance named {name!r} already."
    errors = (FieldError("/vnfInstanceName", message),)
    return Problem(409, "NAME_TAKEN", "Conflict", message, "Choose another name.", errors=errors)


@transaction.atomic
def vnf_instance_delete(*, instance_id: UUID, precondition: Precondition = unconditional) -> None:
    """Delete the identifier (SOL003 5.4.3.3.5); 409 while the instance is instantiated or an operation runs."""
    instance = _locked(instance_id)
    precondition(instance.version)
    _require_action(instance, "delete")
    told = {"deleted": True, "vnf": identity(instance)}
    outbox.publish("vnf_instance.changed", instance.id, instance.version + 1, told)
    instance.delete()


def _locked(instance_id: UUID) -> VnfInstance:
    query = VnfInstance.objects.select_for_update(no_key=True, of=("self",)).select_related("package", "vim")
    instance = query.filter(id=instance_id).first()
    if instance is None:
        raise not_found("VNF instance", instance_id)
    return instance


def describe(live: LcmOpOcc) -> str:
    """The operation that is in the way of another."""
    words = Operation(live.operation).words
    if live.state == OperationState.FAILED:
        return f"{words} ({live.id}) was marked failed and what it left in the cloud is still being taken over"
    return f"{words} ({live.id}) is {OperationState(live.state).words}"


def _require_action(instance: VnfInstance, name: str) -> None:
    live = selectors.live_operation(instance)
    running = describe(live) if live else None
    action = next(a for a in instance_actions(instance.instantiation_state, running) if a.action == name)
    if action.enabled:
        return
    extra = {"vnfLcmOpOccId": str(live.id), "operationState": live.state} if live else {}
    code = "OPERATION_RUNNING" if live else "WRONG_STATE"
    raise conflict(code, f"Cannot {name.replace('_', ' ')} now. {action.disabled_reason}", **extra)


def op_start(
    *,
    instance_id: UUID,
    operation: Operation,
    request: Mapping[str, Any],
    actor: str,
    may_register_vim: bool = False,
    automatic: bool = False,
    precondition: Precondition = unconditional,
) -> LcmOpOcc:
    """Accept an operation (SOL003 5.4.3-5.4.11): from here on the driver has it.

    Raises 404, 409 in the wrong state or while another operation runs (naming it), 422 with every reason at its field
    when the VNFD does not allow the request. Credentials of a cloud that is not registered yet are tried first, for up
    to 15 s, and only `may_register_vim` lets them become a VIM (403 otherwise). `automatic` when no person asked.
    """
    instance = selectors.instance_get(instance_id=instance_id)
    precondition(instance.version)
    _require_action(instance, operation.task)
    _require_possible(instance, operation, request)
    vim = vim_of(request, may_register=may_register_vim) if operation == Operation.INSTANTIATE else None
    return _accept(instance_id, operation, request, vim, actor, automatic=automatic, precondition=precondition)


def _require_possible(instance: VnfInstance, operation: Operation, request: Mapping[str, Any]) -> None:
    """Raise 422 with every reason at its field when the VNFD does not allow the request; no cloud needs to be asked."""
    target = check(asking_of(operation, request, instance))
    if isinstance(target, Refused):
        text = " ".join(error.message for error in target.errors)
        raise unprocessable("REQUEST_REFUSED", text, target.errors, "Correct what is named.")
    if operation == Operation.INSTANTIATE:
        policies_asked(request)
    name = request.get("vnfInstanceName") if operation == Operation.MODIFY_INFO else None
    if name and VnfInstance.objects.filter(name=name).exclude(id=instance.id).exists():
        raise ProblemError(name_taken(name))


@transaction.atomic
def _accept(
    instance_id: UUID,
    operation: Operation,
    request: Mapping[str, Any],
    vim: Vim | None,
    actor: str,
    *,
    automatic: bool,
    precondition: Precondition,
) -> LcmOpOcc:
    instance = _locked(instance_id)
    precondition(instance.version)
    _require_action(instance, operation.task)
    _require_possible(instance, operation, request)
    if vim is not None:
        instance.vim = vim
        instance.generation += 1
        instance.save(update_fields=["vim", "generation"])
    op = _recorded(instance, operation, request, actor, automatic=automatic)
    OpTransition.objects.create(op=op, target=op.state, reason=f"asked for by {actor}")
    tell(op, previous="")
    instance_changed(instance)
    tasks.enqueue_on_commit(DRIVE, op.id)
    return op


def _recorded(
    instance: VnfInstance, operation: Operation, request: Mapping[str, Any], actor: str, *, automatic: bool
) -> LcmOpOcc:
    """The op occ of what was asked for, due at once; the request's secrets apart from it, sealed."""
    vnfd = catalog.vnfd_of(package_asked(operation, request, instance.package))
    secrets = secrets_of(request, vnfd)
    now = clock.now()
    return LcmOpOcc.objects.create(
        instance=instance,
        instance_uuid=instance.id,
        operation=operation,
        state=OperationState.STARTING,
        params=masked(request, vnfd),
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
def op_handle_error(*, op_id: UUID, task: str, actor: str, precondition: Precondition = unconditional) -> LcmOpOcc:
    """Retry, rollback or fail an operation in FAILED_TEMP (SOL003 5.4.14-16); 409 with the reason when it cannot be."""
    op = selectors.op_get(op_id=op_id)
    precondition(op.version)
    _require_task(op, task)
    target = ERROR_HANDLING[task]
    try:
        if target == OperationState.FAILED:
            # Due until `given_up.settle_failed` has taken over what stands.
            due = {"wake_at": clock.now(), "deadline": _deadline()}
            op_move(op, target, f"{task} by {actor}", selectors.stored_problem(op), **due)
        else:
            op_move(op, target, f"{task} by {actor}", deadline=_deadline())
    except StaleOperationError as error:
        raise conflict("STALE", "The operation has moved on meanwhile.", "Look again.") from error
    tasks.enqueue_on_commit(SETTLE if target == OperationState.FAILED else DRIVE, op.id)
    return op


def _require_task(op: LcmOpOcc, task: str) -> None:
    action = next(a for a in error_handling(op) if a.action == task)
    if not action.enabled:
        raise conflict("WRONG_STATE", f"Cannot {task} now. {action.disabled_reason}", operationState=op.state)


@transaction.atomic
def op_cancel(*, op_id: UUID, mode: CancelMode, actor: str, precondition: Precondition = unconditional) -> LcmOpOcc:
    """Ask an operation to stop (SOL003 5.4.17); 409 with the reason when it cannot be.

    The driver stops it: ROLLED_BACK when nothing was touched yet, FAILED_TEMP otherwise.
    """
    # The driver may be about to end the operation: it waits for this row, or we see its end.
    list(LcmOpOcc.objects.select_for_update(no_key=True).filter(id=op_id).values_list("id"))
    op = selectors.op_get(op_id=op_id)
    precondition(op.version)
    _require_task(op, "cancel")
    OpTransition.objects.create(
        op=op, source=op.state, target=op.state, reason=f"{mode} cancellation asked for by {actor}"
    )
    op.cancel_mode = mode
    op.version += 1
    LcmOpOcc.objects.filter(id=op.id).update(cancel_mode=mode, wake_at=clock.now(), version=op.version)
    tell(op)
    tasks.enqueue_on_commit(DRIVE, op.id)
    return op


def op_wake(*, op_id: UUID) -> None:
    """What the operation waits for has come: it is looked at now, and not at the time that it had set itself."""
    if LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES, wake_at__gt=clock.now()).update(wake_at=clock.now()):
        tasks.enqueue_on_commit(DRIVE, op_id)


def ops_wake(*, instance_ids: Collection[UUID]) -> None:
    """A look at the cloud has found news of these instances: whoever waits for a stack that is at rest now is woken.

    An operation's own looks at its stack are a tenth of the time apart that it has waited.
    """
    waiting = LcmOpOcc.objects.filter(instance_uuid__in=instance_ids, state__in=DRIVEN_STATES)
    for op_id in waiting.exclude(instance__stack_status__endswith="_IN_PROGRESS").values_list("id", flat=True):
        op_wake(op_id=op_id)


def error_handling(op: LcmOpOcc, setback: selectors.Setback | None = None) -> list[Action]:
    """Cancel, retry, rollback and fail of this operation, lit or not. Lists know the `setback` of each already."""
    if setback is None:
        setback = selectors.setbacks([op]).get(op.id, selectors.Setback())
    return operation_actions(
        OperationState(op.state),
        one_way=setback.one_way,
        unwinding=setback.unwinding,
        cancel_pending=bool(op.cancel_mode),
    )


@transaction.atomic
def plan_request(
    *, operation: Operation, request: Mapping[str, Any], vnfd_id: UUID | None, instance_id: UUID | None, actor: str
) -> PlanPreview:
    """Ask for the plan of a request without starting it; a worker computes it.

    Raises 404 for what does not exist and 422 for what the VNFD does not allow: that needs no cloud to say.
    """
    instance = None
    if instance_id is not None:
        instance = selectors.instance_get(instance_id=instance_id)
        _require_action(instance, operation.task)
        package = instance.package
    elif vnfd_id is not None:
        package = catalog.package_by_vnfd(vnfd_id=vnfd_id)
    else:
        raise unprocessable(
            "NO_SUBJECT", "A plan is for a vnfdId or a vnfInstanceId.", [FieldError("/vnfdId", "Missing.")]
        )
    _require_possible(instance or VnfInstance(package=package), operation, request)
    preview = PlanPreview.objects.create(
        operation=operation,
        instance=instance,
        vnfd_id=catalog.vnfd_of(package).vnfd_id,
        request=masked(request, catalog.vnfd_of(package_asked(operation, request, package))),
        sealed_request=seal.seal(request),
        created_by=actor,
    )
    outbox.publish("plan.changed", preview.id, preview.version)
    tasks.enqueue_on_commit(PREVIEW, preview.id)
    return preview
