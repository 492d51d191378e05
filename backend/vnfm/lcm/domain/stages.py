"""On the way to a plan: what Heat is given one after the other where it must not be given all at once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vnfm.catalog.domain.vnfd import Vdu, Vnfd
from vnfm.lcm.domain.plan import Stage

Rebuilt = Mapping[str, Sequence[str]]
"""VDU id to the slots whose VNFC is rebuilt."""
MOVE = "Change the networks, while both are there"
LEAVE = "Leave the networks of before"


def stages(
    vnfd: Vnfd, rebuilt: Rebuilt, held: Mapping[str, Any], given: Mapping[str, Any], moving: Stage | None
) -> tuple[Stage, ...]:
    """The updates from the parameters `held` to `given`, both by the names of `vnfd`; empty when a single one does it.

    Each says what differs from the plan while it lasts, and the last is the plan. `moving` is what must differ until
    then, so that no network goes while ports are on it.
    """
    single = [(vdu, slot) for vdu, slot in upgrade_order(vnfd, rebuilt) if vdu.images_parameter]
    at_once = [vdu.name for vdu in vnfd.vdus if rebuilt.get(vdu.id) and not vdu.images_parameter]
    if not single and moving is None:
        return ()
    images = {vdu.image_parameter: held[vdu.image_parameter] for vdu in vnfd.vdus if rebuilt.get(vdu.id)}
    images |= {v.images_parameter: held.get(v.images_parameter) or {} for v in vnfd.vdus if v.images_parameter}
    partial = list(_partial(single, images, given, moving or Stage("")))
    if not at_once and moving is None:
        return (*partial[:-1], Stage(partial[-1].title))
    return (*partial, Stage(f"Upgrade {', '.join(at_once)}" if at_once else LEAVE))


def _partial(
    single: Sequence[tuple[Vdu, str]], images: dict[str, Any], given: Mapping[str, Any], moving: Stage
) -> Iterator[Stage]:
    """One for each VNFC in turn, which goes on the map of images; without any the moving alone."""
    if not single:
        yield Stage(moving.title, {**images, **moving.parameters}, moving.registry)
    for vdu, slot in single:
        own = {**images[vdu.images_parameter], slot: given[vdu.image_parameter]}
        images = {**images, vdu.images_parameter: own}
        yield Stage(f"Upgrade {vdu.name}, slot {slot}", {**images, **moving.parameters}, moving.registry)


def upgrade_order(vnfd: Vnfd, rebuilt: Rebuilt) -> list[tuple[Vdu, str]]:
    """The VNFCs as the VNFD wants them upgraded, standby first; those that it does not name follow."""
    left = [(vdu, slot) for vdu in vnfd.vdus for slot in rebuilt.get(vdu.id, ())]
    ordered = []
    for name in vnfd.upgrade_order:
        turn = [(vdu, slot) for vdu, slot in left if name in (vdu.id, f"{vdu.id}/{slot}")]
        ordered += turn
        left = [one for one in left if one not in turn]
    return ordered + left
