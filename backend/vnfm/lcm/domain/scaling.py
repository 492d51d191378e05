"""ScaleVnf and ScaleVnfToLevel (SOL003 5.5.2.5, 5.5.2.6): which level, and which VNFCs go."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.naming import named
from vnfm.lcm.domain.sizing import Roster, check_level, counts, halves, scaled
from vnfm.lcm.domain.target import Asking, Refused, Target, unknown_params

VNFC_TO_REMOVE = "vnfcToRemove"
"""additionalParams of a scale-in: the VNFCs that go; without it those in the highest slots."""
NAMES = f"/additionalParams/{VNFC_TO_REMOVE}"

Levels = dict[str, int]


def scale(asking: Asking) -> Target | Refused:
    """One aspect, some steps in or out."""
    return _target(asking, _scale)


def scale_to_level(asking: Asking) -> Target | Refused:
    """All aspects at once, by a level of the flavour or level by level."""
    return _target(asking, _scale_to_level)


def _target(asking: Asking, levels_asked: Any) -> Target | Refused:
    standing, vnfd = asking.standing, asking.vnfd
    flavour = vnfd.flavour(standing.flavour_id)
    if flavour is None:
        return Refused((FieldError("", f"The package no longer has the flavour {standing.flavour_id!r}."),))
    params = asking.request.get("additionalParams") or {}
    if (strange := unknown_params(params, (VNFC_TO_REMOVE,))).errors:
        return strange
    levels = levels_asked(asking.request, flavour, standing.scale_levels)
    if isinstance(levels, Refused):
        return levels
    remove = _removed_by_name(params[VNFC_TO_REMOVE], asking, flavour, levels) if VNFC_TO_REMOVE in params else {}
    if isinstance(remove, Refused):
        return remove
    settings = effective_settings(vnfd, standing.settings)
    return Target(flavour, level_named(flavour, levels), levels, settings, standing.settings, remove=remove)


def level_named(flavour: Flavour, levels: Mapping[str, int]) -> str:
    """The instantiation level with just these scale levels; "" when none has them."""
    return next((level.id for level in flavour.levels if dict(level.scale_levels) == dict(levels)), "")


def _removed_by_name(
    names: object, asking: Asking, flavour: Flavour, levels: Levels
) -> Mapping[str, tuple[str, ...]] | Refused:
    """VDU id to slots. What is named must be exactly what the levels take away: no VNFC goes unnamed beside it, and
    none of a pair without its mate.
    """
    found = named(names, asking.standing.vnfcs, NAMES)
    if isinstance(found, Refused):
        return found
    going = _going(asking.vnfd, flavour, asking.standing.scale_levels, levels)
    slots = {vdu: tuple(v.slot for v in found if v.vdu_id == vdu) for vdu in {v.vdu_id for v in found} | going.keys()}
    errors = [
        FieldError(NAMES, f"{len(slots[vdu])} VNFCs of {vdu} are named, and the request removes {going.get(vdu, 0)}.")
        for vdu in sorted(slots)
        if len(slots[vdu]) != going.get(vdu, 0)
    ]
    errors += [
        FieldError(NAMES, f"{vdu.id}/{slot} goes with its mate {vdu.id}/{mate}: name both.")
        for vdu in asking.vnfd.vdus
        for slot, mate in halves(vdu, asking.standing.rosters.get(vdu.id, Roster()), slots.get(vdu.id, ()))
    ]
    errors += [
        FieldError(NAMES, f"The package cannot tell Heat which VNFC of {aspect.vdu_id} goes: it removes the newest.")
        for aspect in flavour.aspects
        if aspect.vdu_id in going and not aspect.removals_parameter
    ]
    return Refused(tuple(errors)) if errors else slots


def _going(vnfd: Vnfd, flavour: Flavour, before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    old, new = counts(vnfd, flavour, before), counts(vnfd, flavour, after)
    return {vdu: old[vdu] - new[vdu] for vdu in old if old[vdu] > new[vdu]}


def _scale(request: Mapping[str, Any], flavour: Flavour, current: Mapping[str, int]) -> Levels | Refused:
    aspect = flavour.aspect(request["aspectId"])
    if aspect is None:
        return _unknown_aspect(request["aspectId"], flavour, "/aspectId")
    level = scaled(current, aspect, out=request["type"] == "SCALE_OUT", steps=request.get("numberOfSteps", 1))
    errors = check_level(aspect, level, "/numberOfSteps")
    return Refused(tuple(errors)) if errors else {**current, aspect.id: level}


def _scale_to_level(request: Mapping[str, Any], flavour: Flavour, current: Mapping[str, int]) -> Levels | Refused:
    if request.get("scaleInfo"):
        return levels_of(request["scaleInfo"], flavour, current, "/scaleInfo")
    level = flavour.level(request.get("instantiationLevelId") or "")
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        message = f"Name one of the flavour's levels ({known}) or give scaleInfo."
        return Refused((FieldError("/instantiationLevelId", message),))
    return dict(level.scale_levels)


def levels_of(
    infos: list[Mapping[str, Any]], flavour: Flavour, current: Mapping[str, int], pointer: str
) -> Levels | Refused:
    """The levels after a list of ScaleInfo (SOL003 5.5.3.2); aspects that it does not name stay."""
    levels = dict(current)
    errors: list[FieldError] = []
    for i, info in enumerate(infos):
        aspect = flavour.aspect(info["aspectId"])
        if aspect is None:
            errors += _unknown_aspect(info["aspectId"], flavour, f"{pointer}/{i}/aspectId").errors
        else:
            errors += check_level(aspect, info["scaleLevel"], f"{pointer}/{i}/scaleLevel")
            levels[aspect.id] = info["scaleLevel"]
    return Refused(tuple(errors)) if errors else levels


def _unknown_aspect(aspect_id: str, flavour: Flavour, pointer: str) -> Refused:
    known = ", ".join(a.id for a in flavour.aspects) or "none"
    return Refused((FieldError(pointer, f"The flavour has no scaling aspect {aspect_id!r}; it has {known}."),))
