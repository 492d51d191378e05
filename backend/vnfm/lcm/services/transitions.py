"""The one door through which an operation changes state: compare-and-set, history row and outbox row together."""

from typing import Any

from django.db import transaction
from django.db.models import F

from vnfm.elements.services.registration import instance_elements, slots_clear_leaving
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock, outbox
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.states import DRIVEN_STATES, FINAL_STATES, OperationState, may_move
from vnfm.lcm.models import LcmOpOcc, OpTransition
from vnfm.lcm.selectors.resource_changes import resource_changes_of

TOPIC = "op_occ.changed"
SETTLED = (OperationState.COMPLETED, OperationState.ROLLED_BACK)
"""Here nothing is taken back or taken over any more. FAILED is settled by `reconcilers.given_up`."""


class StaleOperationError(Exception):
    """Somebody else has moved the operation since it was read; read it again."""


@transaction.atomic
def op_transition(
    op: LcmOpOcc, target: OperationState, reason: str = "", problem: Problem | None = None, **values: Any
) -> None:
    """Move `op` to `target` if it is still where we saw it; raises StaleOperationError when it is not.

    In driven states the operation is due at once; in the others nobody has to wake for it.
    """
    source = OperationState(op.state)
    assert may_move(source, target), f"{source} to {target} is not in the table of moves"
    now, went_wrong = clock.now(), problem.as_json() if problem else op.problem
    changes = {
        "state": target,
        "state_entered_time": now,
        "wake_at": now if target in DRIVEN_STATES else None,
        "problem": went_wrong if problem or target == OperationState.ROLLING_BACK else None,
        **({"cancel_mode": "", "waiting_since": None} if not {source, target} <= set(DRIVEN_STATES) else {}),
        **({} if target in DRIVEN_STATES else {"changed": resource_changes_of(op, target)}),
        **({"stack_before": None, "record_before": None, "sealed_secrets": None} if target in SETTLED else {}),
        **values,
    }
    moved = LcmOpOcc.objects.filter(id=op.id, state=source, version=op.version).update(
        version=F("version") + 1, **changes
    )
    if not moved:
        raise StaleOperationError(f"{op.id} is no longer {source} version {op.version}")
    for name, value in changes.items():
        setattr(op, name, value)
    op.version += 1
    OpTransition.objects.create(op=op, source=source, target=target, reason=reason)
    publish_op(op, previous=source, went_wrong=None if target == OperationState.COMPLETED else went_wrong)
    if op.instance is not None:
        if target in FINAL_STATES:
            _settle_cards(op.instance)
        instance_changed(op.instance)


def _settle_cards(instance: VnfInstance) -> None:
    """No operation takes cards out any more, however the last one ended: one that vanishes from now on is missing."""
    for element in instance_elements(instance):
        if element.slots_leaving:
            slots_clear_leaving(element_id=element.id)


def publish_op(op: LcmOpOcc, previous: str | None = None, *, went_wrong: Any = None) -> None:
    """Publish the operation's present state; within a transaction.

    Where it stands still the event has what came of it, `went_wrong` with it: whoever is told in order is told of this
    state, though the operation may have gone on by then.
    """
    if previous is None:
        outbox.publish(TOPIC, op.id, op.version)
        return
    payload = {
        "state": str(op.state),
        "previous": previous,
        "operation": op.operation,
        "instanceId": str(op.instance_uuid),
        "at": clock.now().isoformat(),
        "vnf": vnf_identity(op.instance) if op.instance is not None else {},
        **({} if op.state in DRIVEN_STATES else {"problem": went_wrong, "changed": op.changed}),
    }
    outbox.publish(TOPIC, op.id, op.version, payload)


def vnf_identity(instance: VnfInstance) -> dict[str, str]:
    """By what subscribers choose VNF instances (SOL003 4.4.1.5): it is told along, as the instance may be gone soon."""
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
    """A step of `op` changed: bump the version, so that browsers look again; within a transaction.

    Raises StaleOperationError when somebody else has gone on with the operation meanwhile.
    """
    current = LcmOpOcc.objects.filter(id=op.id, version=op.version, state=op.state)
    if not current.update(version=F("version") + 1):
        raise StaleOperationError(f"{op.id} is no longer {op.state} version {op.version}")
    op.version += 1
    outbox.publish(TOPIC, op.id, op.version)
