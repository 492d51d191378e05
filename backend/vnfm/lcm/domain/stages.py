"""The stages of a plan: stack updates that Heat gets one after the other where one single update would do harm."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vnfm.catalog.domain.vnfd import Vdu, Vnfd
from vnfm.lcm.domain.plan import Stage

Rebuilt = Mapping[str, Sequence[str]]
"""VDU id → slots whose VNFC is rebuilt."""
MOVE = "Change the networks, while both are there"
LEAVE = "Leave the networks of before"


def stages(
    vnfd: Vnfd, rebuilt: Rebuilt, before: Mapping[str, Any], after: Mapping[str, Any], moving: Stage | None
) -> tuple[Stage, ...]:
    """The updates from the parameters `before` to `after`, both by the names of `vnfd`; empty when one update does it.

    Each stage has what differs from the plan while it lasts; the last is the plan. `moving` is what must differ until
    then, so that no network is removed while ports are on it.
    """
    single = [(vdu, slot) for vdu, slot in upgrade_order(vnfd, rebuilt) if vdu.images_parameter]
    others = {vdu.id: rebuilt[vdu.id] for vdu in vnfd.vdus if rebuilt.get(vdu.id) and not vdu.images_parameter}
    at_once = [vnfd.vdu(vdu_id).name for vdu_id in others]
    if not single and moving is None:
        return ()
    images = {vdu.image_parameter: before[vdu.image_parameter] for vdu in vnfd.vdus if rebuilt.get(vdu.id)}
    images |= {v.images_parameter: before.get(v.images_parameter) or {} for v in vnfd.vdus if v.images_parameter}
    partial = list(_partial(single, images, after, moving or Stage("")))
    if not at_once and moving is None:
        return (*partial[:-1], Stage(partial[-1].title, rebuilt=partial[-1].rebuilt))
    return (*partial, Stage(f"Upgrade {', '.join(at_once)}" if at_once else LEAVE, rebuilt=others))


def _partial(
    single: Sequence[tuple[Vdu, str]], images: dict[str, Any], after: Mapping[str, Any], moving: Stage
) -> Iterator[Stage]:
    """A stage for each VNFC in turn, which gets an entry in the map of images; without VNFCs the moving alone."""
    if not single:
        yield Stage(moving.title, {**images, **moving.parameters}, moving.registry)
    for vdu, slot in single:
        own = {**images[vdu.images_parameter], slot: after[vdu.image_parameter]}
        images = {**images, vdu.images_parameter: own}
        parameters = {**images, **moving.parameters}
        yield Stage(f"Upgrade {vdu.name}, slot {slot}", parameters, moving.registry, {vdu.id: [slot]})


def upgrade_order(vnfd: Vnfd, rebuilt: Rebuilt) -> list[tuple[Vdu, str]]:
    """The VNFCs in the VNFD's upgrade order, standby first; those that it does not name follow."""
    remaining = [(vdu, slot) for vdu in vnfd.vdus for slot in rebuilt.get(vdu.id, ())]
    ordered = []
    for name in vnfd.upgrade_order:
        matching = [(vdu, slot) for vdu, slot in remaining if name in (vdu.id, f"{vdu.id}/{slot}")]
        ordered += matching
        remaining = [one for one in remaining if one not in matching]
    return ordered + remaining
