"""Which VDU of SOL001 is which VDU that was derived from the HOT: by name, or by being the last one left."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.csar.model import DeploymentFlavour
from vnfm.catalog.domain.derive.placements import Placement

Json = dict[str, Any]


def plain(name: str) -> str:
    """Letters and digits only: VDU_1, vdu-1 and Vdu1 are one name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def matched(flavour: DeploymentFlavour, vdus: list[Json], places: Mapping[int, Placement]) -> dict[str, Json]:
    """SOL001's VDU to the derived one. `places` tells the first server of each derived VDU by its index."""
    names = {index: list(_names(vdu, places.get(index))) for index, vdu in enumerate(vdus)}
    found: dict[str, int] = {}
    for alike in (_same, _begins):
        for name in [name for name in flavour.vdus if name not in found]:
            wanted = [plain(each) for each in (flavour.resources.get(name, ""), name) if plain(each)]
            hits = [index for index in names if any(alike(each, own) for each in wanted for own in names[index])]
            if len(hits) == 1:
                found[name] = hits[0]
                del names[hits[0]]
    left = [name for name in flavour.vdus if name not in found]
    if len(left) == len(names) == 1:
        found[left[0]] = next(iter(names))
    return {name: vdus[index] for name, index in found.items()}


def _names(vdu: Json, place: Placement | None) -> Iterator[str]:
    yield plain(vdu["id"])
    yield plain(vdu.get("group", ""))
    for member in vdu.get("members", ()):
        yield from (plain(step) for step in member.split("/"))
    if place is not None:
        yield plain(place.server.name)


def _same(wanted: str, own: str) -> bool:
    return wanted == own


def _begins(wanted: str, own: str) -> bool:
    """VDU1_scale_group is the group of VDU1; that of VDU10 is not."""
    return own.startswith(wanted) and not own[len(wanted) : len(wanted) + 1].isdigit()
