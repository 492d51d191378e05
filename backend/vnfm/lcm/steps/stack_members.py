"""Maps Heat's resources to VNFCs: which server is in which slot, read from the cloud and never assumed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vnfm.catalog.domain.vnfd import Vdu, Vnfd
from vnfm.clouds.types import StackResource
from vnfm.inventory.services import instance_record
from vnfm.lcm.domain.sizing import Roster, rosters_from_json
from vnfm.lcm.steps.base import Context

SERVER = "OS::Nova::Server"
PORT = "OS::Neutron::Port"


@dataclass(frozen=True, slots=True)
class VnfcResources:
    """One VNFC of the stack."""

    vdu: Vdu
    index: int | None
    slot: str
    server: StackResource
    """It has no physical id when Heat could not create it."""
    ports: Mapping[str, str]
    """Connection point id → Neutron port id."""


def members(vnfd: Vnfd, rosters: Mapping[str, Roster], resources: Sequence[StackResource]) -> list[VnfcResources]:
    """The VNFCs of the stack, also those whose server Heat could not create."""
    return list(_members(vnfd, rosters, resources))


def _members(vnfd: Vnfd, rosters: Mapping[str, Roster], resources: Sequence[StackResource]) -> Iterator[VnfcResources]:
    for server in resources:
        position = position_of(vnfd, server) if server.type == SERVER else None
        if position is None:
            continue
        vdu, index = position
        ports = {
            cp.id: r.physical_id
            for r in resources
            for cp in vdu.connection_points
            if r.type == PORT and r.path == server.path and r.name == cp.port_resource(server.name) and r.physical_id
        }
        yield VnfcResources(vdu, index if vdu.hot_group else None, slot_at(vdu, index, rosters), server, ports)


def slot_at(vdu: Vdu, index: int, rosters: Mapping[str, Roster]) -> str:
    """The slot of the VDU's member with this index; "" when the roster does not have it."""
    if vdu.hot_group:
        return rosters[vdu.id].slots.get(index, "")
    return vdu.slots[index] if index < len(vdu.slots) else str(index + 1)


def position_of(vnfd: Vnfd, resource: StackResource) -> tuple[Vdu, int] | None:
    """The VDU that the server or port belongs to, and its index: in the group, or among the VDU's single members.

    None for resources that do not belong to a single VNFC.
    """
    steps = (*resource.path, resource.name)
    for vdu in vnfd.vdus:
        if vdu.hot_group and vdu.hot_group in steps[:-1]:
            name, *below = steps[steps.index(vdu.hot_group) + 1 :]
            if name.isdecimal() and _is_of(vdu, below):
                return vdu, int(name)
        for index, member in enumerate(vdu.hot_members):
            *above, name = member.split("/")
            names = (name, *(cp.port_resource(name) for cp in vdu.connection_points))
            depth = len(above)
            if list(steps[:depth]) == above and depth < len(steps) and steps[depth] in names:
                return vdu, index
    return None


def _is_of(vdu: Vdu, below: Sequence[str]) -> bool:
    """True if the resource, by the names below a member of the VDU's group, is its server or one of its ports."""
    if not vdu.hot_server:
        return True
    *above, server = vdu.hot_server.split("/")
    names = (server, *(cp.port_resource(server) for cp in vdu.connection_points))
    return any([*above, name] == list(below) for name in names)


def rosters_of(ctx: Context) -> dict[str, Roster]:
    return rosters_from_json(ctx.instance.member_slots)


def planned_rosters(ctx: Context) -> dict[str, Roster]:
    """Index → slot as planned, merged over the slots from before: members that are being removed still have theirs."""
    before = rosters_of(ctx)
    planned = rosters_from_json(ctx.plan.rosters)
    return {
        vdu_id: Roster({**before.get(vdu_id, Roster()).slots, **roster.slots}, before.get(vdu_id, roster).next_index)
        for vdu_id, roster in planned.items()
    }


def actual_rosters(ctx: Context, found: Sequence[VnfcResources]) -> dict[str, Roster]:
    """The rosters of the stack, with the index that Heat will assign next: one more than any used so far."""
    before = rosters_of(ctx)
    rosters = {}
    for vdu in ctx.vnfd.vdus:
        old = before.get(vdu.id, Roster())
        slots = {
            m.index if m.index is not None else vdu.slots.index(m.slot): m.slot for m in found if m.vdu.id == vdu.id
        }
        rosters[vdu.id] = Roster(slots, max([old.next_index, *(index + 1 for index in slots)]))
    return rosters


def store_used_indexes(ctx: Context) -> None:
    """Before a rollback removes members, store the indexes that they used: Heat will not reuse them."""
    found = members(ctx.vnfd, planned_rosters(ctx), ctx.cloud.stacks.resources(ctx.instance.stack_id))
    actual = actual_rosters(ctx, found)
    before = rosters_of(ctx)
    merged = {
        vdu_id: Roster(before.get(vdu_id, roster).slots, roster.next_index).as_json()
        for vdu_id, roster in actual.items()
    }
    instance_record(instance=ctx.instance, member_slots=merged)


def store_recreated_slots(ctx: Context) -> None:
    """Before a rollback creates removed members again, store the slots of their new indexes."""
    recreated = {
        vdu_id: Roster.from_json({"slots": slots, "nextIndex": 0}) for vdu_id, slots in ctx.plan.undo_slots.items()
    }
    rosters = rosters_of(ctx)
    merged = {
        vdu_id: Roster({**roster.slots, **recreated[vdu_id].slots}, roster.next_index)
        if vdu_id in recreated
        else roster
        for vdu_id, roster in rosters.items()
    }
    stored = {vdu_id: roster.as_json() for vdu_id, roster in merged.items()}
    instance_record(instance=ctx.instance, member_slots=stored)
