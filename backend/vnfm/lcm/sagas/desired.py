"""The desired state of an instance, written by its operations alone."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.inventory.services import NO_STACK, instance_changed, vnfcs_power_record
from vnfm.kit import clock, seal
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.power import SET_POWER, STATUS
from vnfm.lcm.domain.states import Operation, StepState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.request_reader import effective_secrets

State = VnfInstance.InstantiationState
UPDATE_STACK = "update_stack@1"
GONE_BACK = "goneBack"
"""In the receipt of an update: Heat was given back what stood before it."""
NO_LAYOUT = (Operation.TERMINATE, Operation.OPERATE)
"""Given up half-way, these have changed nothing of what the instance shall be."""


def _store(instance: VnfInstance, **values: Any) -> None:
    changed = {name: value for name, value in values.items() if getattr(instance, name) != value}
    if not changed:
        return
    for name, value in changed.items():
        setattr(instance, name, value)
    with transaction.atomic():
        VnfInstance.objects.filter(id=instance.id).update(**changed)
        instance_changed(instance)


def stack_assigned(instance: VnfInstance, stack_id: str, stack_name: str) -> None:
    """The instance's stack is this one from now on; "" and "" when it has none any more."""
    observed = {} if stack_id == instance.stack_id else NO_STACK
    _store(instance, **{**observed, "stack_id": stack_id, "stack_name": stack_name})


def rosters_store(instance: VnfInstance, rosters: Mapping[str, Any]) -> None:
    _store(instance, member_slots=dict(rosters))


def settle(op: LcmOpOcc, instance: VnfInstance) -> None:
    """What a completed operation planned is what the instance shall be."""
    if op.operation == Operation.TERMINATE:
        let_go(instance)
        return
    if op.operation == Operation.MODIFY_INFO:
        return
    if op.operation == Operation.OPERATE:
        _settle_power(op, instance)
        return
    assert op.plan is not None, "only a planned operation completes"
    plan = Plan.from_json(op.plan)
    secrets = effective_secrets(op, instance)
    package = {"package_id": UUID(plan.package_id)} if plan.package_id else {}
    _store(
        instance,
        **package,
        sealed_settings=seal.seal(secrets) if op.sealed_secrets else instance.sealed_settings,
        instantiation_state=State.INSTANTIATED,
        flavour_id=plan.flavour_id,
        instantiation_level_id=plan.instantiation_level_id,
        scale_levels=dict(plan.scale_levels),
        settings=dict(plan.settings),
    )


def _settle_power(op: LcmOpOcc, instance: VnfInstance) -> None:
    """From now on the VNFCs that were started shall run, and those that were stopped shall not."""
    params = op.steps.get(kind=SET_POWER).params
    ids = [UUID(vnfc["id"]) for vnfc in params["vnfcs"]]
    vnfcs_power_record(
        instance=instance, vnfc_ids=ids, desired=params["wanted"], status=STATUS[params["wanted"]], now=clock.now()
    )


def information_store(instance: VnfInstance, values: Mapping[str, Any]) -> None:
    """What people call the instance and note about it; raises IntegrityError when another has the name."""
    _store(instance, **values)


def let_go(instance: VnfInstance) -> None:
    """The instance has nothing in any cloud any more, and can be instantiated anew or deleted."""
    _store(
        instance,
        instantiation_state=State.NOT_INSTANTIATED,
        flavour_id="",
        instantiation_level_id="",
        scale_levels={},
        settings={},
        sealed_settings=None,
        member_slots={},
        vim=None,
    )


def abandon(op: LcmOpOcc, instance: VnfInstance) -> None:
    """An operation was given up half-way (SOL003 5.4.16): what stands in the cloud must stay terminable.

    An instance whose stack exists is INSTANTIATED, whatever its condition; its conditions say that it is not well. It
    is what Heat was last given: a plan that Heat never had, or had to give up again, is not what it shall be.
    """
    if op.operation == Operation.INSTANTIATE and not instance.stack_id:
        release(instance)
    elif op.plan is not None and op.operation not in NO_LAYOUT and _plan_stands(op, instance):
        settle(op, instance)


def abandon_unseen(op: LcmOpOcc, instance: VnfInstance) -> None:
    """The same where what stands could not be looked at or understood: as terminable as the record allows."""
    if op.operation != Operation.INSTANTIATE:
        return
    if instance.stack_id:
        _store(instance, instantiation_state=State.INSTANTIATED)
    else:
        release(instance)


def _plan_stands(op: LcmOpOcc, instance: VnfInstance) -> bool:
    """Whether what Heat was last given is of the plan, or of a stage on the way to it."""
    first = op.steps.filter(kind=UPDATE_STACK).order_by("seq").first()
    if first is None or op.stack_before is None:
        return True
    if first.state == StepState.UNDONE or GONE_BACK in (first.receipt or {}):
        return False
    held = StackSnapshot.objects.filter(instance=instance).values(*op.stack_before).first()
    return bool(held != op.stack_before)


def release(instance: VnfInstance) -> None:
    """A rolled back instantiation leaves no trace on the instance."""
    _store(instance, vim=None, sealed_settings=None, member_slots={}, settings={})
