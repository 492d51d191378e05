"""InstantiateVnf (SOL003 5.5.2.4): what a request asks for, checked against the VNFD."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.settings import effective_settings, validate_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.adoption import Adoption, adopt, asks_adoption
from vnfm.lcm.domain.scaling import levels_of
from vnfm.lcm.domain.serving import policies_taken, policy_errors
from vnfm.lcm.domain.target import CREATE_FLAVORS, Asking, Refused, Target


def instantiate(asking: Asking) -> Target | Adoption | Refused:
    """The layout that the request leads to, or the stack that it takes over, or every reason why it cannot be."""
    request, vnfd = asking.request, asking.vnfd
    if asks_adoption(request):
        return adopt(asking)
    flavour = flavour_wanted(request, vnfd)
    if isinstance(flavour, Refused):
        return flavour
    levels = levels_wanted(request, flavour)
    if isinstance(levels, Refused):
        return levels
    level_id = request.get("instantiationLevelId") or flavour.default_level
    chosen = dict(request.get("additionalParams") or {})
    create_flavors = chosen.pop(CREATE_FLAVORS, False) is True
    fields: dict[str, str] = {}
    policies = policies_taken(chosen)
    errors = attach(request.get("extVirtualLinks") or [], vnfd, chosen, fields)
    errors += validate_settings(vnfd, chosen)
    errors += policy_errors(vnfd, policies)
    if errors:
        return Refused(tuple(errors))
    settings = effective_settings(vnfd, chosen)
    return Target(flavour, level_id, levels, settings, chosen, create_flavors, fields=fields, warnings=flavour.warnings)


def flavour_wanted(request: Mapping[str, Any], vnfd: Vnfd) -> Flavour | Refused:
    """The flavour that a request names by `flavourId`."""
    flavour = vnfd.flavour(request["flavourId"])
    if flavour is not None:
        return flavour
    known = ", ".join(f.id for f in vnfd.flavours)
    return Refused((FieldError("/flavourId", f"The VNFD has no flavour {request['flavourId']!r}, only {known}."),))


def levels_wanted(request: Mapping[str, Any], flavour: Flavour) -> dict[str, int] | Refused:
    """The scale levels of a request that names a flavour: those of its instantiation level, else of the default one."""
    level_id = request.get("instantiationLevelId") or flavour.default_level
    level = flavour.level(level_id)
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        return Refused((FieldError("/instantiationLevelId", f"The flavour has no level {level_id!r}, only {known}."),))
    if request.get("targetScaleLevelInfo"):
        return levels_of(request["targetScaleLevelInfo"], flavour, level.scale_levels, "/targetScaleLevelInfo")
    return dict(level.scale_levels)


def attach(
    links: list[Mapping[str, Any]], vnfd: Vnfd, chosen: dict[str, Any], fields: dict[str, str]
) -> list[FieldError]:
    """Turn ETSI's extVirtualLinks (SOL003 4.4.1.11) into choices of networks for the VLs of those CPs.

    `fields` gets the place of each. Two links that want different networks for one VL, or a link against a setting, are
    refused: one would be lost.
    """
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
            elif chosen.setdefault(parameter, link["resourceId"]) != link["resourceId"]:
                message = f"{parameter} is {chosen[parameter]!r} already, by another link or in additionalParams."
                errors.append(FieldError(f"/extVirtualLinks/{i}/resourceId", message))
            else:
                fields.setdefault(parameter, f"/extVirtualLinks/{i}/resourceId")
    return errors
