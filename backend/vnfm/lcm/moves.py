"""The one door through which an operation changes state: compare-and-set, history row and outbox row together."""

from typing import Any

from django.db import transaction
from django.db.models import F

from vnfm.elements.adoption_services import cards_settled, elements_of
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock, outbox
from vnfm.kit.problem import Problem
from vnfm.lcm.affected import changed_by
from vnfm.lcm.domain.states import DRIVEN_STATES, FINAL_STATES, OperationState, may_move
from vnfm.lcm.models import LcmOpOcc, OpTransition

TOPIC = "op_occ.changed"
SETTLED = (OperationState.COMPLETED, OperationState.ROLLED_BACK)
"""Here nothing is taken back or taken over any more. FAILED is settled by `reconcilers.given_up`."""


class StaleOperationError(Exception):
    """Somebody else has moved the operation since it was read; read it again."""


@transaction.atomic
def op_move(
    op: LcmOpOcc, target: OperationState, reason: str = "", problem: Problem | None = None, **values: Any
) -> None:
    """Move `op` to `target` if it is still where we saw it; raises StaleOperationError when it is not.

    In driven states the operation is due at once; in the others nobody has to wake for it.
    """
    source = OperationState(op.state)
    assert may_move(source, target), f"{source} to {target} is not in the table of moves"
    now = clock.now()
    changes = {
        "state": target,
        "state_entered_time": now,
        "wake_at": now if target in DRIVEN_STATES else None,
        "problem": problem.as_json() if problem else op.problem if target == OperationState.ROLLING_BACK else None,
        **({"cancel_mode": "", "waiting_since": None} if not {source, target} <= set(DRIVEN_STATES) else {}),
        **({} if target in DRIVEN_STATES else {"changed": changed_by(op, target)}),
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
    tell(op, previous=source)
    if op.instance is not None:
        if target in FINAL_STATES:
            _settle_cards(op.instance)
        instance_changed(op.instance)


def _settle_cards(instance: VnfInstance) -> None:
    """No operation takes cards out any more, however the last one ended: one that vanishes from now on is missing."""
    for element in elements_of(instance):
        if element.slots_leaving:
            cards_settled(element_id=element.id)


def tell(op: LcmOpOcc, previous: str | None = None) -> None:
    """Publish the operation's present state; within a transaction."""
    payload = {
        "state": str(op.state),
        "previous": previous,
        "operation": op.operation,
        "instanceId": str(op.instance_uuid),
        "at": clock.now().isoformat(),
    }
    outbox.publish(TOPIC, op.id, op.version, payload if previous is not None else {})


def progressed(op: LcmOpOcc) -> None:
    """A step of `op` changed: bump the version, so that browsers look again; within a transaction.

    Raises StaleOperationError when somebody else has gone on with the operation meanwhile.
    """
    current = LcmOpOcc.objects.filter(id=op.id, version=op.version, state=op.state)
    if not current.update(version=F("version") + 1):
        raise StaleOperationError(f"{op.id} is no longer {op.state} version {op.version}")
    op.version += 1
    outbox.publish(TOPIC, op.id, op.version)
