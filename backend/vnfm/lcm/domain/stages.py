"""The stages of a plan: stack updates that Heat gets one after the other where one single update would do harm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vnfm.catalog.domain.vnfd import Vdu, Vnfd
from vnfm.lcm.domain.plan import Stage
from vnfm.lcm.domain.vnfc_names import slot_name

Slots = Mapping[str, Sequence[str]]
"""VDU id → slots."""
MOVE = "Change the networks, while both are there"
LEAVE = "Leave the networks of before"


@dataclass(frozen=True, slots=True)
class StagedChange:
    """The VNFCs that stay and change, and the parameters before and after, by the names of the plan's VNFD."""

    rebuilt: Slots
    """Those that get another image."""
    resized: Slots
    """Those that get another flavor."""
    added: Slots
    """New ones, which have the flavor of after from the beginning."""
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    moving: Stage | None = None
    """Its parameters differ from the plan until the last stage, so that no network is removed while ports are on it."""


def stages(vnfd: Vnfd, change: StagedChange) -> tuple[Stage, ...]:
    """The updates that lead to the plan; empty when one update does it.

    Each stage has what differs from the plan while it lasts; the last is the plan. VNFCs that are not resized one by
    one get their flavor in the first.
    """
    single, moving = one_by_one(vnfd, change.rebuilt, change.resized), change.moving
    others = {v.id: change.rebuilt[v.id] for v in vnfd.vdus if change.rebuilt.get(v.id) and not v.images_parameter}
    together = {v.id: change.resized[v.id] for v in vnfd.vdus if change.resized.get(v.id) and not v.flavors_parameter}
    at_once = [vnfd.vdu(vdu_id).name for vdu_id in others]
    if not single and moving is None:
        return ()
    first, *following = _partial(single, change, _initial_values(vnfd, change))
    partial = [replace(first, resized={**together, **first.resized}), *following]
    if not at_once and moving is None:
        return (*partial[:-1], replace(partial[-1], parameters={}, registry={}))
    return (*partial, Stage(f"Upgrade {', '.join(at_once)}" if at_once else LEAVE, rebuilt=others))


def one_by_one(vnfd: Vnfd, rebuilt: Slots, resized: Slots) -> list[tuple[Vdu, str]]:
    """The VNFCs that change one after the other, in the VNFD's upgrade order."""
    by_vdu = {
        vdu.id: [
            *(rebuilt.get(vdu.id, ()) if vdu.images_parameter else ()),
            *(resized.get(vdu.id, ()) if vdu.flavors_parameter else ()),
        ]
        for vdu in vnfd.vdus
    }
    return upgrade_order(vnfd, {vdu_id: list(dict.fromkeys(slots)) for vdu_id, slots in by_vdu.items()})


def _initial_values(vnfd: Vnfd, change: StagedChange) -> dict[str, Any]:
    """The images and flavors of before, as the first stage begins with them."""
    before, after = change.before, change.after
    values = {vdu.image_parameter: before[vdu.image_parameter] for vdu in vnfd.vdus if change.rebuilt.get(vdu.id)}
    values |= {v.images_parameter: before.get(v.images_parameter) or {} for v in vnfd.vdus if v.images_parameter}
    for vdu in (vdu for vdu in vnfd.vdus if vdu.flavors_parameter):
        own = before.get(vdu.flavors_parameter) or {}
        if change.resized.get(vdu.id):
            values[vdu.flavor_parameter] = before[vdu.flavor_parameter]
            own = {**own, **dict.fromkeys(change.added.get(vdu.id, ()), after[vdu.flavor_parameter])}
        values[vdu.flavors_parameter] = own
    return values


def _partial(single: Sequence[tuple[Vdu, str]], change: StagedChange, values: dict[str, Any]) -> Iterator[Stage]:
    """A stage for each VNFC in turn, which gets an entry in the maps of images and flavors; without VNFCs the moving
    alone.
    """
    moving = change.moving or Stage("")
    if not single:
        yield Stage(moving.title, {**values, **moving.parameters}, moving.registry)
    for vdu, slot in single:
        rebuilt = {vdu.id: [slot]} if vdu.images_parameter and slot in change.rebuilt.get(vdu.id, ()) else {}
        resized = {vdu.id: [slot]} if vdu.flavors_parameter and slot in change.resized.get(vdu.id, ()) else {}
        changed = [
            *([(vdu.images_parameter, vdu.image_parameter)] if rebuilt else []),
            *([(vdu.flavors_parameter, vdu.flavor_parameter)] if resized else []),
        ]
        values = values | {own: {**values[own], slot: change.after[common]} for own, common in changed}
        title = f"{'Upgrade' if rebuilt else 'Resize'} {slot_name(vdu.name, slot)}"
        yield Stage(title, {**values, **moving.parameters}, moving.registry, rebuilt, resized)


def upgrade_order(vnfd: Vnfd, slots: Slots) -> list[tuple[Vdu, str]]:
    """The VNFCs in the VNFD's upgrade order, standby first; those that it does not name follow."""
    remaining = [(vdu, slot) for vdu in vnfd.vdus for slot in slots.get(vdu.id, ())]
    ordered = []
    for name in vnfd.upgrade_order:
        matching = [(vdu, slot) for vdu, slot in remaining if name in (vdu.id, f"{vdu.id}/{slot}")]
        ordered += matching
        remaining = [one for one in remaining if one not in matching]
    return ordered + remaining
