"""The desired state of an instance, which only its operations write."""

from collections.abc import Iterable
from uuid import UUID

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.selectors import vnfd_of_package
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.views import INSTANTIATED
from vnfm.inventory.selectors import stack_input_of, vnfcs_of
from vnfm.inventory.services import instance_record, vnfcs_power_record
from vnfm.kit import clock, seal
from vnfm.lcm.domain.management_subnet import management_subnet
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.power import NOVA_STATUS
from vnfm.lcm.domain.states import Operation, OperationState, StepState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.request_reader import effective_secrets
from vnfm.lcm.services.snapshots import snapshots_release
from vnfm.lcm.steps.power import SetPower
from vnfm.lcm.steps.stack import REVERTED, UpdateStack

KEEPS_STATE = (Operation.MODIFY_INFO, Operation.CREATE_SNAPSHOT, Operation.REVERT_TO_SNAPSHOT)
"""Operations that change nothing of the desired state."""
NO_LAYOUT = (Operation.TERMINATE, Operation.OPERATE)
"""Operations that, marked failed half-way, have changed nothing of the desired state."""


def settle(op: LcmOpOcc, instance: InstanceRecord) -> None:
    """Make the plan of a completed operation the desired state."""
    if op.operation == Operation.TERMINATE:
        reset(instance)
        return
    if op.operation in KEEPS_STATE:
        return
    if op.operation == Operation.OPERATE:
        _settle_power(op, instance)
        return
    assert op.plan is not None, "only a planned operation completes"
    plan = Plan.from_json(op.plan)
    if op.operation == Operation.CHANGE_VNFPKG and op.state != OperationState.FAILED:
        # Heat leaves a server whose image parameter stays as it is, and half an upgrade shows not which it reached.
        fresh = ((vdu_id, slot) for vdu_id, slots in plan.rebuilt.items() for slot in slots)
        snapshots_release(_server_ids_in(instance, fresh))
    package = {"package_id": UUID(plan.package_id)} if plan.package_id else {}
    instance_record(
        instance=instance,
        **package,
        sealed_settings=seal.seal(effective_secrets(op, instance)) if op.sealed_secrets else instance.sealed_settings,
        instantiation_state=INSTANTIATED,
        flavour_id=plan.flavour_id,
        instantiation_level_id=plan.instantiation_level_id,
        scale_levels=dict(plan.scale_levels),
        settings=dict(plan.settings),
        management_subnet=management_subnet(_vnfd(plan, instance), plan.settings),
    )


def _server_ids_in(instance: InstanceRecord, slots: Iterable[tuple[str, str]]) -> list[str]:
    """Servers of the VNFCs in these slots, each a VDU id and a slot."""
    wanted = set(slots)
    return [vnfc.server_id for vnfc in vnfcs_of(instance_id=instance.id) if (vnfc.vdu_id, vnfc.slot) in wanted]


def _vnfd(plan: Plan, instance: InstanceRecord) -> Vnfd:
    return vnfd_of_package(UUID(plan.package_id) if plan.package_id else instance.package_id)


def _settle_power(op: LcmOpOcc, instance: InstanceRecord) -> None:
    """The desired power state of each VNFC that was started or stopped."""
    params = op.steps.get(kind=SetPower.kind).params
    ids = [UUID(vnfc["id"]) for vnfc in params["vnfcs"]]
    target = params["target"]
    vnfcs_power_record(instance=instance, vnfc_ids=ids, desired=target, status=NOVA_STATUS[target], now=clock.now())


def reset(instance: InstanceRecord) -> None:
    """NOT_INSTANTIATED, without any resource: it can be instantiated again or deleted."""
    instance_record(
        instance=instance,
        instantiation_state="NOT_INSTANTIATED",
        flavour_id="",
        instantiation_level_id="",
        scale_levels={},
        settings={},
        management_subnet="",
        management_declined=False,
        sealed_settings=None,
        member_slots={},
        vim_id=None,
    )


def settle_failed(op: LcmOpOcc, instance: InstanceRecord) -> None:
    """The desired state after an operation was marked failed (SOL003 5.4.16): what is in the cloud stays terminable.

    An instance with a stack is INSTANTIATED, whatever its condition; its conditions show that it is not well. Its
    desired state is what Heat was last given: a plan that Heat never got, or that was reverted, does not count.
    """
    if op.operation == Operation.INSTANTIATE and not instance.stack_id:
        discard_instantiation(instance)
    elif op.plan is not None and op.operation not in NO_LAYOUT and _plan_applied(op, instance):
        settle(op, instance)


def settle_failed_unobserved(op: LcmOpOcc, instance: InstanceRecord) -> None:
    """The same where the cloud could not be read: as terminable as the record allows. Its subnet stays in use."""
    if op.operation != Operation.INSTANTIATE:
        return
    if instance.stack_id:
        instance_record(instance=instance, instantiation_state=INSTANTIATED)
    else:
        discard_instantiation(instance)


def _plan_applied(op: LcmOpOcc, instance: InstanceRecord) -> bool:
    """True if the last input of Heat belongs to the plan, or to one of its stages."""
    first = op.steps.filter(kind=UpdateStack.kind).order_by("seq").first()
    if first is None or op.stack_before is None:
        return True
    if first.state == StepState.UNDONE or REVERTED in (first.receipt or {}):
        return False
    current = stack_input_of(instance_id=instance.id)
    return current is None or any(getattr(current, name) != value for name, value in op.stack_before.items())


def discard_instantiation(instance: InstanceRecord) -> None:
    """Remove all traces of a rolled back instantiation from the instance."""
    management = {"management_subnet": "", "management_declined": False}
    instance_record(instance=instance, vim_id=None, sealed_settings=None, member_slots={}, settings={}, **management)
