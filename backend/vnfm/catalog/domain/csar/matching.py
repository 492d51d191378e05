"""Matches the VDUs of SOL001 with those derived from the HOT: by name, or as the last remaining pair."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.csar.model import DeploymentFlavour
from vnfm.catalog.domain.derive.placements import Placement
from vnfm.catalog.domain.derive.scaled_groups import GroupSize
from vnfm.catalog.domain.documents import Document

Json = dict[str, Any]


def normalized(name: str) -> str:
    """Letters and digits only: VDU_1, vdu-1 and Vdu1 are the same name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def copied_resources(root: Document, flavours: Iterable[DeploymentFlavour]) -> dict[str, GroupSize]:
    """Resources of the root with the name of a VDU that SOL001 scales, with its size over all flavours."""
    resources = root.data.get("resources")
    names = {normalized(name): name for name in resources} if isinstance(resources, Mapping) else {}
    found: dict[str, GroupSize] = {}
    for flavour in flavours:
        for vdu in {vdu for _, vdu in flavour.steps if vdu in flavour.vdus}:
            name, size = names.get(normalized(vdu), ""), _size(flavour, vdu)
            if name and size.low < size.high:
                before = found.get(name, size)
                found[name] = GroupSize(min(before.low, size.low), max(before.high, size.high), before.start)
    return found


def _size(flavour: DeploymentFlavour, vdu: str) -> GroupSize:
    compute = flavour.vdus[vdu]
    low = flavour.initial.get(vdu, 1 if compute.minimum is None else compute.minimum)
    high = compute.maximum
    if high is None:
        high = low + sum(
            (flavour.steps[aspect.id, vdu] or [1])[0] * (aspect.max_level or 0)
            for aspect in flavour.aspects.values()
            if (aspect.id, vdu) in flavour.steps
        )
    start = flavour.counts.get((flavour.default_level, vdu), low)
    return GroupSize(low, high, min(max(start, low), max(high, low)))


def match_vdus(flavour: DeploymentFlavour, vdus: list[Json], places: Mapping[int, Placement]) -> dict[str, Json]:
    """SOL001's VDU to the derived one. `places`: index of a derived VDU to its first server."""
    names = {index: list(_names(vdu, places.get(index))) for index, vdu in enumerate(vdus)}
    found: dict[str, int] = {}
    for alike in (_is_equal, _is_prefix):
        for name in [name for name in flavour.vdus if name not in found]:
            wanted = [normalized(each) for each in (flavour.resources.get(name, ""), name) if normalized(each)]
            hits = [index for index in names if any(alike(each, own) for each in wanted for own in names[index])]
            if len(hits) > 1:  # of one group, whose members have several servers
                server = normalized(flavour.servers.get(name, "") or name)
                hits = [index for index in hits if normalized(vdus[index].get("server", "")) == server]
            if len(hits) == 1:
                found[name] = hits[0]
                del names[hits[0]]
    remaining = [name for name in flavour.vdus if name not in found]
    if len(remaining) == len(names) == 1:
        found[remaining[0]] = next(iter(names))
    return {name: vdus[index] for name, index in found.items()}


def _names(vdu: Json, place: Placement | None) -> Iterator[str]:
    yield normalized(vdu["id"])
    yield normalized(vdu.get("group", ""))
    for member in vdu.get("members", ()):
        yield from (normalized(step) for step in member.split("/"))
    if place is not None:
        yield normalized(place.server.name)


def _is_equal(wanted: str, own: str) -> bool:
    return wanted == own


def _is_prefix(wanted: str, own: str) -> bool:
    """VDU1_scale_group is the group of VDU1; that of VDU10 is not."""
    return own.startswith(wanted) and not own[len(wanted) : len(wanted) + 1].isdigit()
