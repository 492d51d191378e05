"""Forgets an instance, or a snapshot, without any call to its cloud: its resources there stay, unmanaged."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

from cryptography.fernet import InvalidToken
from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.catalog import selectors as catalog
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.views import INSTANTIATED
from vnfm.inventory.selectors import instance_with_vim
from vnfm.inventory.selectors.stack_export import StackExport, stack_export
from vnfm.inventory.services import forget_resources, instance_changed, instances_lock
from vnfm.kit import seal
from vnfm.kit.durable import lease
from vnfm.kit.etsi.query import one
from vnfm.kit.problem import FieldError, ProblemError, conflict, unprocessable
from vnfm.lcm.domain.states import DRIVEN_STATES, OperationState
from vnfm.lcm.models import LcmOpOcc, VnfSnapshot
from vnfm.lcm.sagas.desired_state import reset
from vnfm.lcm.selectors.operations import describe_running, live_operation
from vnfm.lcm.services.operations import op_finish


def forget_instance(*, instance_id: UUID, actor: str) -> str:
    """Make the instance NOT_INSTANTIATED and delete its resources' records; returns the name of the stack it had.

    What still exists in the cloud stays there, unmanaged. Raises 404, and 409 while a worker drives an
    operation of the instance, or records what a failed one left.
    """
    with _exclusive(instance_id) as stopped, transaction.atomic():
        return _forget(_locked(instance_id), stopped, actor)


def forget_exported(*, instance_id: UUID, confirm: str, actor: str) -> StackExport:
    """Forget an instance and return what is needed to manage its stack by hand, secrets redacted.

    Raises as `forget_instance` does, 422 when `confirm` is not the instance's name, 409 when it is not instantiated.
    """
    with _exclusive(instance_id) as stopped, transaction.atomic():
        instance = _locked(instance_id)
        if confirm != instance.name:
            message = f"To forget the instance, repeat its name: {instance.name}."
            raise unprocessable("NOT_CONFIRMED", message, [FieldError("/confirm", message)], "Repeat its name.")
        if instance.instantiation_state != INSTANTIATED:
            raise conflict(
                "WRONG_STATE", f"The instance is {instance.instantiation_state}.", "It has nothing to forget."
            )
        exported = stack_export(instance=instance, hidden=_hidden(instance))
        _forget(instance, stopped, actor)
    return exported


@transaction.atomic
def forget_snapshot(*, snapshot_id: UUID, actor: str) -> str:
    """Delete the record of a snapshot that was deleted, or whose operation failed; returns its name for people.

    What it has in the cloud stays there, unmanaged. Raises 404, and 409 in another state.
    """
    rows = VnfSnapshot.objects.select_for_update(no_key=True, of=("self",)).select_related("instance")
    row = one(rows, "VNF snapshot", snapshot_id)
    if row.state not in (VnfSnapshot.State.DELETING, VnfSnapshot.State.INCOMPLETE):
        raise conflict("WRONG_STATE", f"The snapshot is {row.state}.", "Delete it first.")
    name = row.name
    audit(actor=actor, action="snapshot_forget", target=str(row.id), detail={"name": name})
    row.delete()
    if row.instance is not None:
        instance_changed(row.instance)
    return name


def _hidden(instance: InstanceRecord) -> Collection[str]:
    """Names of the hidden settings that have a value; all hidden ones where our key no longer opens them."""
    try:
        return seal.unseal(instance.sealed_settings).keys() if instance.sealed_settings else ()
    except InvalidToken:
        return [setting.name for setting in catalog.vnfd_of(instance.package).settings if setting.hidden]


@contextmanager
def _exclusive(instance_id: UUID) -> Iterator[LcmOpOcc | None]:
    """Yield the stopped operation of the instance, if there is one; until the exit no worker drives it."""
    live = live_operation(instance_with_vim(instance_id=instance_id))
    if live is None:
        yield None
        return
    with lease.hold(f"op:{live.id}") as owned:
        if owned is None:
            raise _operation_running(live)
        yield live


def _operation_running(live: LcmOpOcc) -> ProblemError:
    return conflict("OPERATION_RUNNING", f"{describe_running(live)}.", "Wait until it stops.")


def _locked(instance_id: UUID) -> InstanceRecord:
    instances_lock([instance_id])
    return instance_with_vim(instance_id=instance_id)


def _forget(instance: InstanceRecord, stopped: LcmOpOcc | None, actor: str) -> str:
    live = live_operation(instance)
    if live is not None and (live != stopped or live.state in DRIVEN_STATES):
        raise _operation_running(live)
    if live is not None and live.state == OperationState.FAILED_TEMP:
        op_finish(live, OperationState.FAILED, f"instance forgotten by {actor}")
    cleared = {"wake_at": None, "sealed_secrets": None, "stack_before": None, "record_before": None}
    LcmOpOcc.objects.filter(instance=instance.id, state=OperationState.FAILED).update(**cleared)
    stack = instance.stack_name
    forget_resources(instance=instance)
    reset(instance)
    audit(actor=actor, action="instance_forget", target=str(instance.id), detail={"stack": stack})
    return stack
