"""What Heat would replace with its next update, set against what a heal means it to replace."""

from dataclasses import dataclass

from vnfm.clouds.types import StackResource
from vnfm.lcm.domain.naming import label
from vnfm.lcm.sagas.base import Context
from vnfm.lcm.sagas.members import SERVER, planned_rosters, position_of, slot_at
from vnfm.lcm.sagas.resources import Place
from vnfm.lcm.sagas.revive import left


@dataclass(frozen=True, slots=True)
class Verdict:
    unknown: tuple[StackResource, ...]
    """Servers that are to be replaced, and that Heat takes for good. Where Heat has another server in the place by now,
    nothing needs to be replaced: that one is recorded."""
    endangered: tuple[str, ...]
    """What else Heat would replace, in words."""


def verdict(ctx: Context, *, group_wide: bool) -> Verdict:
    """Look at the resources of the stack and judge what the next update replaces.

    `group_wide` where a nested stack that a check found bad might be replaced as a whole (Mitaka to Ocata).
    """
    resources = ctx.cloud.stacks.resources(ctx.instance.stack_id)
    rosters, vnfd = planned_rosters(ctx), ctx.vnfd
    wanted: dict[Place | None, str] = {(patient.vdu_id, patient.slot): patient.server_id for patient in left(ctx)}
    standing = {(row.vdu_id, row.slot): label(row) for row in ctx.instance.vnfcs.all()}
    nested = {resource.path for resource in resources}
    unknown, endangered = [], []
    for resource in resources:
        position = position_of(vnfd, resource)
        place = (position[0].id, slot_at(*position, rosters)) if position else None
        bad = resource.status.endswith("FAILED")
        if (*resource.path, resource.name) in nested:
            if group_wide and resource.status == "CHECK_FAILED":
                endangered.append(f"the whole of {resource.name}")
        elif place in wanted:
            if resource.type == SERVER and resource.physical_id == wanted[place] and not bad:
                unknown.append(resource)
        elif bad and (place is None or place in standing):
            endangered.append(standing[place] if place else resource.name)
    return Verdict(tuple(unknown), tuple(dict.fromkeys(endangered)))
