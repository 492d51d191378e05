"""The one function that changes an operation's state: compare-and-set, history row and outbox row together."""

from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.states import DRIVEN_STATES, OperationState, can_transition
from vnfm.lcm.models import LcmOpOcc, OpTransition
from vnfm.lcm.selectors.resource_changes import resource_changes_of
from vnfm.metrics.catalogue import OPERATION_SECONDS, OPERATIONS

TOPIC = "op_occ.changed"


class StaleOperationError(Exception):
    """Another process has changed the operation since it was read; read it again."""


@transaction.atomic
def op_transition(
    op: LcmOpOcc, target: OperationState, reason: str = "", problem: Problem | None = None, **values: Any
) -> None:
    """Move `op` to `target` if its state and version are still those of `op`; else raises StaleOperationError.

    In driven states the operation is due at once; in the others nothing wakes it. For a final state use `op_finish`.
    """
    source = OperationState(op.state)
    assert can_transition(source, target), f"{source} to {target} is no transition of SOL003 5.6.2.2"
    error = problem.as_json() if problem else op.problem
    changes = _changes(op, source, target) | values
    if problem or target == OperationState.ROLLING_BACK:
        changes["problem"] = error
    moved = LcmOpOcc.objects.filter(id=op.id, state=source, version=op.version).update(
        version=F("version") + 1, **changes
    )
    if not moved:
        raise StaleOperationError(f"{op.id} is no longer {source} version {op.version}")
    for name, value in changes.items():
        setattr(op, name, value)
    op.version += 1
    OpTransition.objects.create(op=op, source=source, target=target, reason=reason)
    transaction.on_commit(partial(_count, op.operation, target, op.start_time))
    publish_op(op, previous=source, error=None if target == OperationState.COMPLETED else error)
    if op.instance is not None:
        instance_changed(op.instance)


def _count(operation: str, state: OperationState, requested_at: datetime) -> None:
    OPERATIONS.add(operation, state.value)
    if state not in DRIVEN_STATES:
        OPERATION_SECONDS.observe((clock.now() - requested_at).total_seconds(), operation, state.value)


def _changes(op: LcmOpOcc, source: OperationState, target: OperationState) -> dict[str, Any]:
    """The columns that change with the state. FAILED keeps what was before: `reconcilers.settle_failed` needs it."""
    now, driven = clock.now(), target in DRIVEN_STATES
    changes = {"state": target, "state_entered_time": now, "wake_at": now if driven else None, "problem": None}
    if not (driven and source in DRIVEN_STATES):
        changes |= {"cancel_mode": "", "waiting_since": None}
    if not driven:
        changes["changed"] = resource_changes_of(op, target)
    if target in (OperationState.COMPLETED, OperationState.ROLLED_BACK):
        changes |= {"stack_before": None, "record_before": None, "sealed_secrets": None}
    return changes


def publish_op(op: LcmOpOcc, previous: str | None = None, *, error: Any = None) -> None:
    """Publish the operation's present state; within a transaction.

    With `previous`, the event describes the transition. In a state that is not driven it also carries the resource
    changes and the error: subscribers get events in order, and the operation may have gone on by then.
    """
    if previous is None:
        outbox.publish(TOPIC, op.id, op.version)
        return
    payload: dict[str, Any] = {
        "state": str(op.state),
        "previous": previous,
        "operation": op.operation,
        "instanceId": str(op.instance_uuid),
        "at": clock.now().isoformat(),
        "vnf": vnf_identity(op.instance) if op.instance is not None else {},
    }
    if op.state not in DRIVEN_STATES:
        payload |= {"problem": error, "changed": op.changed}
    outbox.publish(TOPIC, op.id, op.version, payload)


def vnf_identity(instance: InstanceRecord) -> dict[str, str]:
    """The attributes by which subscribers filter VNF instances (SOL003 4.4.1.5). Part of the event, as the instance may
    be deleted soon.
    """
    package = instance.package
    return {
        "name": instance.name,
        "vnfdId": str(package.vnfd_id),
        "provider": package.provider,
        "product": package.product_name,
        "softwareVersion": package.software_version,
        "vnfdVersion": package.vnfd_version,
    }


def bump_progress(op: LcmOpOcc) -> None:
    """Bump the version after a change of a step of `op`, so that browsers refetch; within a transaction.

    Raises StaleOperationError when another process has changed the operation in between.
    """
    current = LcmOpOcc.objects.filter(id=op.id, version=op.version, state=op.state)
    if not current.update(version=F("version") + 1):
        raise StaleOperationError(f"{op.id} is no longer {op.state} version {op.version}")
    op.version += 1
    outbox.publish(TOPIC, op.id, op.version)
