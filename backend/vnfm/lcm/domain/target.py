"""What a request asks for, checked against the VNFD: pure, so the API, the preview and the worker agree."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.settings import effective_settings, validate_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.sizing import check_level, scaled
from vnfm.lcm.domain.states import Operation

CREATE_FLAVORS = "createFlavors"
"""Reserved name in additionalParams: the operator agrees that missing Nova flavors are created."""

QUOTA_EXCEEDED = "QUOTA_EXCEEDED"


@dataclass(frozen=True, slots=True)
class Standing:
    """What the instance is now, as far as a request builds on it."""

    flavour_id: str = ""
    scale_levels: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Target:
    """What the instance shall be when the operation is over."""

    flavour: Flavour
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    """Complete: defaults filled in. Secrets included; never stored as it is."""
    chosen: Mapping[str, Any]
    """Only what the operator set."""
    create_flavors: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the request cannot be met, each reason at its field."""

    errors: tuple[FieldError, ...]
    code: str = "REQUEST_REFUSED"


def target_of(operation: Operation, request: Mapping[str, Any], vnfd: Vnfd, standing: Standing) -> Target | Refused:
    """The state that `request` leads to from `standing`, or every reason why it cannot be (SOL003 5.5.2)."""
    if operation == Operation.INSTANTIATE:
        return _instantiate(request, vnfd)
    flavour = vnfd.flavour(standing.flavour_id)
    if flavour is None:
        return Refused((FieldError("", f"The package no longer has the flavour {standing.flavour_id!r}."),))
    if operation == Operation.SCALE:
        levels = _scale(request, flavour, standing.scale_levels)
    elif operation == Operation.SCALE_TO_LEVEL:
        levels = _scale_to_level(request, flavour, standing.scale_levels)
    else:
        levels = dict(standing.scale_levels)
    if isinstance(levels, Refused):
        return levels
    level_id = next((lv.id for lv in flavour.levels if dict(lv.scale_levels) == levels), "")
    return Target(flavour, level_id, levels, effective_settings(vnfd, standing.settings), standing.settings)


def _instantiate(request: Mapping[str, Any], vnfd: Vnfd) -> Target | Refused:
    flavour = vnfd.flavour(request["flavourId"])
    if flavour is None:
        known = ", ".join(f.id for f in vnfd.flavours)
        return Refused((FieldError("/flavourId", f"The VNFD has no flavour {request['flavourId']!r}, only {known}."),))
    level_id = request.get("instantiationLevelId") or flavour.default_level
    level = flavour.level(level_id)
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        return Refused((FieldError("/instantiationLevelId", f"The flavour has no level {level_id!r}, only {known}."),))
    levels: dict[str, int] | Refused = dict(level.scale_levels)
    if request.get("targetScaleLevelInfo"):
        levels = _levels(request["targetScaleLevelInfo"], flavour, level.scale_levels, "/targetScaleLevelInfo")
    if isinstance(levels, Refused):
        return levels
    chosen = dict(request.get("additionalParams") or {})
    create_flavors = chosen.pop(CREATE_FLAVORS, False) is True
    errors = _attach(request.get("extVirtualLinks") or [], vnfd, chosen)
    errors += validate_settings(vnfd, chosen)
    if errors:
        return Refused(tuple(errors))
    return Target(flavour, level_id, levels, effective_settings(vnfd, chosen), chosen, create_flavors)


def _attach(links: list[Mapping[str, Any]], vnfd: Vnfd, chosen: dict[str, Any]) -> list[FieldError]:
    """Turn ETSI's extVirtualLinks (SOL003 4.4.1.11) into choices of networks for the VLs of those CPs."""
    by_cp = {cp.id: cp.virtual_link for vdu in vnfd.vdus for cp in vdu.connection_points}
    parameters = {vl.id: vl.network_parameter for vl in vnfd.virtual_links if vl.network_parameter}
    errors = []
    for i, link in enumerate(links):
        for j, cp in enumerate(link.get("extCps", [])):
            parameter = parameters.get(by_cp.get(cp.get("cpdId", ""), cp.get("cpdId", "")))
            if parameter is None:
                known = ", ".join(sorted(by_cp))
                message = f"The VNFD has no connection point {cp.get('cpdId')!r} to attach, only {known}."
                errors.append(FieldError(f"/extVirtualLinks/{i}/extCps/{j}/cpdId", message))
            else:
                chosen.setdefault(parameter, link["resourceId"])
    return errors


def _scale(request: Mapping[str, Any], flavour: Flavour, current: Mapping[str, int]) -> dict[str, int] | Refused:
    aspect = flavour.aspect(request["aspectId"])
    if aspect is None:
        return _unknown_aspect(request["aspectId"], flavour, "/aspectId")
    level = scaled(current, aspect, out=request["type"] == "SCALE_OUT", steps=request.get("numberOfSteps", 1))
    errors = check_level(aspect, level, "/numberOfSteps")
    return Refused(tuple(errors)) if errors else {**current, aspect.id: level}


def _scale_to_level(
    request: Mapping[str, Any], flavour: Flavour, current: Mapping[str, int]
) -> dict[str, int] | Refused:
    if request.get("scaleInfo"):
        return _levels(request["scaleInfo"], flavour, current, "/scaleInfo")
    level = flavour.level(request.get("instantiationLevelId") or "")
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        message = f"Name one of the flavour's levels ({known}) or give scaleInfo."
        return Refused((FieldError("/instantiationLevelId", message),))
    return dict(level.scale_levels)


def _levels(
    infos: list[Mapping[str, Any]], flavour: Flavour, current: Mapping[str, int], pointer: str
) -> dict[str, int] | Refused:
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
