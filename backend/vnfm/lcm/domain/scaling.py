"""ScaleVnf and ScaleVnfToLevel (SOL003 5.5.2.5, 5.5.2.6): scale out, scale in, and which VNFCs are removed."""

from collections.abc import Collection, Mapping, Sequence

from vnfm.catalog.domain.conditional_vdus import condition_text
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, Target
from vnfm.lcm.domain.request_params import VNFC_TO_REMOVE
from vnfm.lcm.domain.request_types import ScaleInfo
from vnfm.lcm.domain.requests import Request, ScaleVnfRequest, ScaleVnfToLevelRequest
from vnfm.lcm.domain.sizing import Roster, check_level, deployed, scaled_level, split_pairs, vnfc_counts
from vnfm.lcm.domain.vnfc_lookup import find_vnfcs

REMOVE_POINTER = f"/additionalParams/{VNFC_TO_REMOVE}"

Levels = dict[str, int]


def validate_scale(op_request: OperationRequest[ScaleVnfRequest | ScaleVnfToLevelRequest]) -> Target | Rejection:
    """One scaling aspect, some steps out or in; or all at once, to an instantiation level or to scale levels."""
    request, instance, vnfd = op_request.request, op_request.instance, op_request.vnfd
    flavour = vnfd.flavour(instance.flavour_id)
    if flavour is None:
        return Rejection((FieldError("", f"The package no longer has the flavour {instance.flavour_id!r}."),))
    current, settings = instance.scale_levels, effective_settings(vnfd, instance.settings)
    if isinstance(request, ScaleVnfRequest):
        levels = _scale(request, deployed(vnfd, settings, flavour, instance.rosters), flavour, current)
    else:
        levels = _scale_to_level(request, flavour, current)
    if isinstance(levels, Rejection):
        return levels
    named = request.additional_params.vnfc_to_remove
    remove = {} if named is None else _slots_to_remove(named, op_request, flavour, levels)
    if isinstance(remove, Rejection):
        return remove
    return Target(flavour, instantiation_level_of(flavour, levels), levels, settings, instance.settings, remove=remove)


def instantiation_level_of(flavour: Flavour, levels: Mapping[str, int]) -> str:
    """The instantiation level with exactly these scale levels; "" when none has them."""
    return next((level.id for level in flavour.levels if dict(level.scale_levels) == dict(levels)), "")


def _slots_to_remove(
    names: Sequence[str], op_request: OperationRequest[Request], flavour: Flavour, levels: Levels
) -> Mapping[str, tuple[str, ...]] | Rejection:
    """VDU id → slots. The names must be exactly the VNFCs that the levels remove, with both of a pair or none."""
    found = find_vnfcs(names, op_request.instance.vnfcs, REMOVE_POINTER)
    if isinstance(found, Rejection):
        return found
    removed = _removed_counts(op_request.vnfd, flavour, op_request.instance.scale_levels, levels)
    slots = _with_siblings({(v.vdu_id, v.slot) for v in found}, op_request.vnfd, removed)
    errors = [
        FieldError(
            REMOVE_POINTER,
            f"{len(slots[vdu])} VNFCs of {vdu} are named, and the request removes {removed.get(vdu, 0)}.",
        )
        for vdu in sorted(slots)
        if len(slots[vdu]) != removed.get(vdu, 0)
    ]
    errors += [
        FieldError(REMOVE_POINTER, f"{vdu.id}/{slot} goes with its mate {vdu.id}/{mate}: name both.")
        for vdu in op_request.vnfd.vdus
        for slot, mate in split_pairs(vdu, op_request.instance.rosters.get(vdu.id, Roster()), slots.get(vdu.id, ()))
    ]
    errors += [
        FieldError(
            REMOVE_POINTER, f"The package cannot tell Heat which VNFC of {delta.vdu_id} goes: it removes the newest."
        )
        for delta in flavour.deltas()
        if delta.vdu_id in removed and not delta.removals_parameter
    ]
    return Rejection(tuple(errors)) if errors else slots


def _with_siblings(
    named: Collection[tuple[str, str]], vnfd: Vnfd, removed: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """VDU id → slots, also of the VNFCs that are in the same members of a group of Heat: they go with those named."""
    together = {vdu.id: {each.id for each in vnfd.of_group(vdu)} for vdu in vnfd.vdus}
    chosen = {vdu_id: {slot for own, slot in named if own in together[vdu_id]} for vdu_id in together}
    return {vdu_id: tuple(sorted(slots)) for vdu_id, slots in chosen.items() if slots or vdu_id in removed}


def _removed_counts(
    vnfd: Vnfd, flavour: Flavour, before: Mapping[str, int], after: Mapping[str, int]
) -> dict[str, int]:
    old, new = vnfc_counts(vnfd, flavour, before), vnfc_counts(vnfd, flavour, after)
    return {vdu: old[vdu] - new[vdu] for vdu in old if old[vdu] > new[vdu]}


def _scale(request: ScaleVnfRequest, vnfd: Vnfd, flavour: Flavour, current: Mapping[str, int]) -> Levels | Rejection:
    aspect = flavour.aspect(request.aspect_id)
    if aspect is None:
        return _unknown_aspect(request.aspect_id, flavour, "/aspectId")
    scaled = [vnfd.vdu(delta.vdu_id) for delta in aspect.deltas]
    if all(vdu.absent for vdu in scaled):
        depends = condition_text(scaled[0])
        message = f"{aspect.name}: there are none with the present settings. Its condition depends on {depends}."
        return Rejection((FieldError("/aspectId", message),))
    level = scaled_level(current, aspect, out=request.type == "SCALE_OUT", steps=request.number_of_steps)
    errors = check_level(aspect, level, "/numberOfSteps")
    return Rejection(tuple(errors)) if errors else {**current, aspect.id: level}


def _scale_to_level(
    request: ScaleVnfToLevelRequest, flavour: Flavour, current: Mapping[str, int]
) -> Levels | Rejection:
    if request.scale_info:
        return levels_from_scale_info(request.scale_info, flavour, current, "/scaleInfo")
    level = flavour.level(request.instantiation_level_id)
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        message = f"Name one of the flavour's levels ({known}) or give scaleInfo."
        return Rejection((FieldError("/instantiationLevelId", message),))
    return dict(level.scale_levels)


def levels_from_scale_info(
    infos: Sequence[ScaleInfo], flavour: Flavour, current: Mapping[str, int], pointer: str
) -> Levels | Rejection:
    """The levels after a list of ScaleInfo (SOL003 5.5.3.2); aspects that are not in it keep theirs."""
    levels = dict(current)
    errors: list[FieldError] = []
    for i, info in enumerate(infos):
        aspect = flavour.aspect(info.aspect_id)
        if aspect is None:
            errors += _unknown_aspect(info.aspect_id, flavour, f"{pointer}/{i}/aspectId").errors
        else:
            errors += check_level(aspect, info.scale_level, f"{pointer}/{i}/scaleLevel")
            levels[aspect.id] = info.scale_level
    return Rejection(tuple(errors)) if errors else levels


def _unknown_aspect(aspect_id: str, flavour: Flavour, pointer: str) -> Rejection:
    known = ", ".join(a.id for a in flavour.aspects) or "none"
    return Rejection((FieldError(pointer, f"The flavour has no scaling aspect {aspect_id!r}; it has {known}."),))
