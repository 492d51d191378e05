"""InstantiateVnf (SOL003 5.5.2.4): a request checked against the VNFD."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vnfm.catalog.domain.settings import effective_settings, validate_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.adoption import Adoption, validate_adoption
from vnfm.lcm.domain.element_config import policy_errors
from vnfm.lcm.domain.managed_links import choose_managed_networks
from vnfm.lcm.domain.network_addresses import left_to_the_network
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, Target
from vnfm.lcm.domain.request_types import ExtVirtualLink
from vnfm.lcm.domain.requests import InstantiateVnfRequest, SizedRequest
from vnfm.lcm.domain.scaling import levels_from_scale_info


def validate_instantiate(op_request: OperationRequest[InstantiateVnfRequest]) -> Target | Adoption | Rejection:
    """The target of the request, or the stack that it adopts, or every reason against it."""
    request, vnfd = op_request.request, op_request.vnfd
    if request.additional_params.adopt_stack is not None:
        return validate_adoption(op_request)
    flavour = requested_flavour(request.flavour_id, vnfd, "/flavourId")
    if isinstance(flavour, Rejection):
        return flavour
    levels = requested_levels(request, flavour)
    if isinstance(levels, Rejection):
        return levels
    level_id = request.instantiation_level_id or flavour.default_level
    chosen, fields = dict(request.settings), dict[str, str]()
    errors = choose_external_networks(request.ext_virtual_links, vnfd, chosen, fields)
    errors += choose_managed_networks(request.managed_links, vnfd, chosen, fields)
    later = {f"/additionalParams/{name}" for name in left_to_the_network(vnfd, chosen)}
    errors += [error for error in validate_settings(vnfd, chosen) if error.field not in later]
    errors += policy_errors(vnfd, request.additional_params.policies)
    if errors:
        return Rejection(tuple(errors))
    settings = effective_settings(vnfd, chosen)
    target = Target(flavour, level_id, levels, settings, chosen, request.additional_params.create_flavors)
    return replace(target, fields=fields, warnings=flavour.warnings)


def chosen_settings(request: InstantiateVnfRequest, vnfd: Vnfd) -> dict[str, Any]:
    """The settings that the request names, with the networks of its links."""
    chosen = dict(request.settings)
    choose_external_networks(request.ext_virtual_links, vnfd, chosen, {})
    choose_managed_networks(request.managed_links, vnfd, chosen, {})
    return chosen


def requested_flavour(flavour_id: str, vnfd: Vnfd, pointer: str) -> Flavour | Rejection:
    """The deployment flavour that a request names at `pointer`."""
    flavour = vnfd.flavour(flavour_id)
    if flavour is not None:
        return flavour
    known = ", ".join(f.id for f in vnfd.flavours)
    return Rejection((FieldError(pointer, f"The VNFD has no flavour {flavour_id!r}, only {known}."),))


def requested_levels(request: SizedRequest, flavour: Flavour) -> dict[str, int] | Rejection:
    """The scale levels of a request: targetScaleLevelInfo over its instantiation level or the default one."""
    level_id = request.instantiation_level_id or flavour.default_level
    level = flavour.level(level_id)
    if level is None:
        known = ", ".join(lv.id for lv in flavour.levels)
        return Rejection(
            (FieldError("/instantiationLevelId", f"The flavour has no level {level_id!r}, only {known}."),)
        )
    return levels_from_scale_info(request.target_scale_level_info, flavour, level.scale_levels, "/targetScaleLevelInfo")


def external_link_ids(links: Sequence[ExtVirtualLink], vnfd: Vnfd) -> dict[str, str]:
    """Virtual link of the VNFD → the NFVO's id of what it is attached to."""
    by_cp = {cp.id: cp.virtual_link for vdu in vnfd.vdus for cp in vdu.connection_points}
    return {by_cp.get(cpd_id, cpd_id): link.id for link in links for cpd_id in link.cpd_ids}


def choose_external_networks(
    links: Sequence[ExtVirtualLink], vnfd: Vnfd, chosen: dict[str, Any], fields: dict[str, str]
) -> list[FieldError]:
    """Add the network parameters that extVirtualLinks (SOL003 4.4.1.11) choose to `chosen`; returns the errors.

    `fields` gets each parameter's pointer. Two links with different networks for one virtual link, or a link that
    contradicts a setting, are errors.
    """
    by_cp = {cp.id: cp.virtual_link for vdu in vnfd.vdus for cp in vdu.connection_points}
    parameters = {vl.id: vl.network_parameter for vl in vnfd.virtual_links if vl.network_parameter}
    errors = []
    for i, link in enumerate(links):
        for j, cpd_id in enumerate(link.cpd_ids):
            parameter = parameters.get(by_cp.get(cpd_id, cpd_id))
            if parameter is None:
                known = ", ".join(sorted(by_cp))
                message = f"The VNFD has no connection point {cpd_id!r} to attach, only {known}."
                errors.append(FieldError(f"/extVirtualLinks/{i}/extCps/{j}/cpdId", message))
            elif chosen.setdefault(parameter, link.resource_id) != link.resource_id:
                message = f"{parameter} is {chosen[parameter]!r} already, by another link or in additionalParams."
                errors.append(FieldError(f"/extVirtualLinks/{i}/resourceId", message))
            else:
                fields.setdefault(parameter, f"/extVirtualLinks/{i}/resourceId")
    return errors
