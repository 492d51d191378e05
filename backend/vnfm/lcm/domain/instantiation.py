"""InstantiateVnf (SOL003 5.5.2.4): a request checked against the VNFD."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.settings import effective_settings, validate_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.adoption import Adoption, is_adoption, validate_adoption
from vnfm.lcm.domain.element_config import policy_errors, pop_policies
from vnfm.lcm.domain.operation_request import CREATE_FLAVORS, OperationRequest, Rejection, Target
from vnfm.lcm.domain.scaling import levels_from_scale_info


def validate_instantiate(op_request: OperationRequest) -> Target | Adoption | Rejection:
    """The target of the request, or the stack that it adopts, or every reason against it."""
    request, vnfd = op_request.request, op_request.vnfd
    if is_adoption(request):
        return validate_adoption(op_request)
    flavour = requested_flavour(request, vnfd)
    if isinstance(flavour, Rejection):
        return flavour
    levels = requested_levels(request, flavour)
    if isinstance(levels, Rejection):
        return levels
    level_id = request.get("instantiationLevelId") or flavour.default_level
    chosen = dict(request.get("additionalParams") or {})
    create_flavors = chosen.pop(CREATE_FLAVORS, None)
    fields: dict[str, str] = {}
    policies = pop_policies(chosen)
    errors = choose_external_networks(request.get("extVirtualLinks") or [], vnfd, chosen, fields)
    errors += validate_settings(vnfd, chosen)
    errors += policy_errors(vnfd, policies)
    if errors:
        return Rejection(tuple(errors))
    settings = effective_settings(vnfd, chosen)
    return Target(flavour, level_id, levels, settings, chosen, create_flavors, fields=fields, warnings=flavour.warnings)


def requested_flavour(request: Mapping[str, Any], vnfd: Vnfd) -> Flavour | Rejection:
    """The deployment flavour with the request's `flavourId`."""
    flavour = vnfd.flavour(request["flavourId"])
    if flavour is not None:
        return flavour
    known = ", ".join(f.id for f in vnfd.flavours)
    return Rejection((FieldError("/flavourId", f"The VNFD has no flavour {request['flavourId']!r}, only {known}."),))


def requested_levels(request: Mapping[str, Any], flavour: Flavour) -> dict[str, int] | Rejection:
    """The scale levels of a request: targetScaleLevelInfo over its instantiation level or the default one."""
    level_id = request.get("instantiationLevelId") or flavour.default_level
    level = flavour.level(level_id)
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        return Rejection(
            (FieldError("/instantiationLevelId", f"The flavour has no level {level_id!r}, only {known}."),)
        )
    if request.get("targetScaleLevelInfo"):
        return levels_from_scale_info(
            request["targetScaleLevelInfo"], flavour, level.scale_levels, "/targetScaleLevelInfo"
        )
    return dict(level.scale_levels)


def choose_external_networks(
    links: list[Mapping[str, Any]], vnfd: Vnfd, chosen: dict[str, Any], fields: dict[str, str]
) -> list[FieldError]:
    """Add the network parameters that extVirtualLinks (SOL003 4.4.1.11) choose to `chosen`; returns the errors.

    `fields` gets each parameter's pointer. Two links with different networks for one virtual link, or a link that
    contradicts a setting, are errors.
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
