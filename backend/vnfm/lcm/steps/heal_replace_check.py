"""Compares what Heat would replace with its next update with what a heal means to replace."""

from dataclasses import dataclass

from vnfm.clouds.types import StackResource
from vnfm.inventory.selectors import vnfcs_of
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.heal_in_place import not_recovered
from vnfm.lcm.steps.record import SlotKey
from vnfm.lcm.steps.stack_members import SERVER, planned_rosters, position_of, slot_at


@dataclass(frozen=True, slots=True)
class ReplaceCheck:
    not_failed: tuple[StackResource, ...]
    """Servers to be replaced that Heat takes for healthy. Where Heat already has another server in the slot, nothing
    needs to be replaced: that one is recorded."""
    endangered: tuple[str, ...]
    """Texts for other resources that Heat would replace."""


def check_replacement(ctx: Context, *, group_wide: bool) -> ReplaceCheck:
    """Read the stack's resources and find what the next update replaces.

    `group_wide` where Heat might replace a nested stack as a whole after its check failed (Mitaka to Ocata).
    """
    resources = ctx.cloud.stacks.resources(ctx.instance.stack_id)
    rosters, vnfd = planned_rosters(ctx), ctx.vnfd
    targets: dict[SlotKey | None, str] = {(one.vdu_id, one.slot): one.server_id for one in not_recovered(ctx)}
    recorded = {(row.vdu_id, row.slot): label(row) for row in vnfcs_of(instance_id=ctx.instance.id)}
    nested = {resource.path for resource in resources}
    not_failed, endangered = [], []
    for resource in resources:
        position = position_of(vnfd, resource)
        slot = (position[0].id, slot_at(*position, rosters)) if position else None
        failed = resource.status.endswith("FAILED")
        if (*resource.path, resource.name) in nested:
            if group_wide and resource.status == "CHECK_FAILED":
                endangered.append(f"the whole of {resource.name}")
        elif slot in targets:
            if resource.type == SERVER and resource.physical_id == targets[slot] and not failed:
                not_failed.append(resource)
        elif failed and (slot is None or slot in recorded):
            endangered.append(recorded[slot] if slot else resource.name)
    return ReplaceCheck(tuple(not_failed), tuple(dict.fromkeys(endangered)))
