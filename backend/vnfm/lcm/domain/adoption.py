"""Adopting an unmanaged Heat stack: the checked request, and whether the stack is what the package would create.

Pure: the reports of Heat and Nova are arguments. What cannot be read from the stack is rejected with every reason at
once; an acceptable difference becomes a warning.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.conditional_vdus import with_absent
from vnfm.catalog.domain.settings import setting_error
from vnfm.catalog.domain.vnfd import Flavour, SettingType, Vdu, Vnfd
from vnfm.clouds.types import StackResource
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.element_config import policy_errors
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection
from vnfm.lcm.domain.request_params import ADOPT_STACK
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.domain.sizing import Roster, over_limits, share_slots, slot_names, vnfc_counts

POINTER = f"/additionalParams/{ADOPT_STACK}"

GROUP = "OS::Heat::ResourceGroup"
SERVER = "OS::Nova::Server"
PORT = "OS::Neutron::Port"
NETWORK = "OS::Neutron::Net"


@dataclass(frozen=True, slots=True)
class Adoption:
    """An adoption that the VNFD allows."""

    stack_id: str
    flavours: tuple[Flavour, ...]
    """The deployment flavour of the request, or all that the stack may have."""


@dataclass(frozen=True, slots=True)
class StackMember:
    """A VNFC of the stack."""

    vdu_id: str
    index: int
    """The index in its ResourceGroup, or among the VDU's `hot_members`."""
    slot: str
    """The slot in its server's metadata; "" when they have none."""


@dataclass(frozen=True, slots=True)
class AdoptedLayout:
    """Flavour, level and rosters of the package that the stack fits."""

    flavour: Flavour
    level_id: str
    scale_levels: Mapping[str, int]
    rosters: Mapping[str, Roster]


def validate_adoption(op_request: OperationRequest[InstantiateVnfRequest]) -> Adoption | Rejection:
    """All but the hidden settings is read from the stack, so only these must be given; mediation policies may be."""
    request, vnfd = op_request.request, op_request.vnfd
    params = request.additional_params
    read = {
        "instantiationLevelId": request.instantiation_level_id,
        "targetScaleLevelInfo": request.target_scale_level_info,
        "extVirtualLinks": request.ext_virtual_links,
    }
    errors = [FieldError(f"/{name}", "Read from the stack when adopting.") for name, value in read.items() if value]
    if not params.adopt_stack:
        errors.append(FieldError(POINTER, "Give the id of a Heat stack."))
    flavour_id = request.flavour_id
    flavours = tuple(flavour for flavour in vnfd.flavours if flavour_id in ("", flavour.id))
    if not flavours:
        known = ", ".join(flavour.id for flavour in vnfd.flavours)
        errors.append(FieldError("/flavourId", f"The VNFD has no flavour {flavour_id!r}, only {known}."))
    errors += policy_errors(vnfd, params.policies)
    errors += _hidden_errors(vnfd, request.settings)
    return Rejection(tuple(errors)) if errors else Adoption(params.adopt_stack or "", flavours)


def _hidden_errors(vnfd: Vnfd, params: Mapping[str, Any]) -> Iterator[FieldError]:
    hidden = {setting.name: setting for setting in vnfd.settings if setting.hidden}
    for name in params.keys() - hidden.keys():
        yield FieldError(
            f"/additionalParams/{name}", "Read from the stack when adopting; only hidden settings are given."
        )
    for name, setting in hidden.items():
        if params.get(name) is None:
            yield FieldError(
                f"/additionalParams/{name}", f"{setting.label} is hidden by Heat: give what the stack has."
            )
        elif message := setting_error(setting, params[name]):
            yield FieldError(f"/additionalParams/{name}", message)


def missing_resources(vnfd: Vnfd, types_by_name: Mapping[str, str]) -> list[str]:
    """The package's root resources that the stack lacks, as sentences; `types_by_name` are the stack's own.

    Which ports there are may depend on the stack's parameters (`points_of`), which are not known here: only those that
    there always are count.
    """
    always = {link.id for link in vnfd.virtual_links if not link.number_setting}
    certain = [vdu for vdu in vnfd.vdus if vdu.condition is None]
    wanted = {vdu.hot_group: GROUP for vdu in certain if vdu.hot_group}
    for vdu in certain:
        for member in vdu.hot_members:
            if "/" in member:
                continue  # below the root: found by its server
            wanted[member] = SERVER
            wanted |= {cp.port_resource(member): PORT for cp in vdu.connection_points if cp.virtual_link in always}
    found = [
        f"It has no resource {name} of type {kind}."
        if name not in types_by_name
        else f"Its resource {name} is of type {types_by_name[name]}, not {kind}."
        for name, kind in sorted(wanted.items())
        if types_by_name.get(name) != kind
    ]
    types = {link.registry_type for link in vnfd.virtual_links} | {variant.registry_type for variant in vnfd.variants}
    return found + [f"It has no resource of type {kind}." for kind in sorted(types - {"", *types_by_name.values()})]


def match_layout(
    vnfd: Vnfd, flavours: Sequence[Flavour], members: Collection[StackMember]
) -> AdoptedLayout | Rejection:
    """The first flavour that can have the stack's numbers of VNFCs, with every member in a slot."""
    have = {vdu.id: sum(member.vdu_id == vdu.id for member in members) for vdu in vnfd.vdus}
    vnfd = with_absent(vnfd, {vdu.id for vdu in vnfd.vdus if vdu.condition is not None and not have[vdu.id]})
    reasons = []
    for flavour in flavours:
        levels = _levels(flavour, vnfd, have)
        if vnfc_counts(vnfd, flavour, levels) == have and not over_limits(vnfd, have):
            level_id = next((level.id for level in flavour.levels if dict(level.scale_levels) == levels), "")
            return AdoptedLayout(flavour, level_id, levels, _rosters(vnfd, members))
        sizes = ", ".join(f"{number} {vdu_id}" for vdu_id, number in have.items())
        reasons.append(f"It has {sizes} VNFCs, which flavour {flavour.id} cannot have at any scale level.")
    return Rejection(tuple(FieldError(POINTER, reason) for reason in reasons))


def _levels(flavour: Flavour, vnfd: Vnfd, have: Mapping[str, int]) -> dict[str, int]:
    """The nearest scale level of each aspect; the caller compares the counts."""
    heights = {
        aspect.id: max((have[delta.vdu_id] - vnfd.vdu(delta.vdu_id).minimum) // delta.step for delta in aspect.deltas)
        for aspect in flavour.aspects
    }
    return {aspect.id: max(0, min(aspect.max_scale_level, heights[aspect.id])) for aspect in flavour.aspects}


def _rosters(vnfd: Vnfd, members: Collection[StackMember]) -> dict[str, Roster]:
    """Slots from the servers' metadata where valid; the other members take the lowest free ones by index."""
    ordered = sorted(members, key=lambda member: member.index)
    slots_by_vdu: dict[str, dict[int, str]] = {vdu.id: {} for vdu in vnfd.vdus}
    for vdu in vnfd.vdus:
        for member in ordered:
            if (
                member.vdu_id == vdu.id
                and member.slot in slot_names(vdu)
                and member.slot not in _occupied_slots(vdu, vnfd, slots_by_vdu)
            ):
                slots_by_vdu[vdu.id][member.index] = member.slot
    for vdu in vnfd.vdus:
        free = (name for name in slot_names(vdu) if name not in _occupied_slots(vdu, vnfd, slots_by_vdu))
        slots_by_vdu[vdu.id] |= {
            m.index: next(free) for m in ordered if m.vdu_id == vdu.id and m.index not in slots_by_vdu[vdu.id]
        }
    return {
        vdu_id: Roster(dict(sorted(slots.items())), max((index + 1 for index in slots), default=0))
        for vdu_id, slots in slots_by_vdu.items()
    }


def _occupied_slots(vdu: Vdu, vnfd: Vnfd, slots_by_vdu: Mapping[str, Mapping[int, str]]) -> set[str]:
    """Slots of the VDU, and of VDUs that share its slots."""
    return {
        slot
        for other in vnfd.vdus
        if other is vdu or share_slots(vdu, other)
        for slot in slots_by_vdu[other.id].values()
    }


def stack_parameters(vnfd: Vnfd, declared: Collection[str], reported: Mapping[str, Any]) -> dict[str, Any]:
    """The stack's parameters with the package's types, without those that Heat hides or adds itself.

    Heat shows every value as text. An update rejects parameters that the package's template does not declare. Raises
    ValueError, with a sentence, for a value that cannot be of the package's type or chooses a variant that it lacks.
    """
    types: dict[str, SettingType] = {setting.name: setting.type for setting in vnfd.settings}
    own = ((vdu.images_parameter, vdu.flavors_parameter, vdu.pairs_parameter) for vdu in vnfd.vdus)
    types |= {name: "json" for names in own for name in names if name}
    types |= {chain.links_parameter: "json" for chain in vnfd.chains}
    for delta in vnfd.deltas():
        types[delta.count_parameter] = "number"
        types |= {name: "json" for name in (delta.slots_parameter,) if name}
        types |= {name: "list" for name in (delta.removals_parameter,) if name}
    hidden = {setting.name for setting in vnfd.settings if setting.hidden}
    found = {}
    for name, value in reported.items():
        if name in declared and name not in hidden:
            try:
                found[name] = convert_value(types.get(name, "string"), value)
            except ValueError as error:
                raise ValueError(f"Its parameter {name} is {value!r}; the package takes {types[name]}.") from error
    for variant in vnfd.variants:
        if variant.setting in found and str(found[variant.setting]).lower() not in variant.templates:
            raise ValueError(f"Its parameter {variant.setting} is {found[variant.setting]!r}; the package has no such.")
    return found


_TRUE = ("true", "t", "1", "on", "y", "yes")
_FALSE = ("false", "f", "0", "off", "n", "no")
"""Heat's own spellings of a boolean parameter."""


def convert_value(kind: SettingType, value: Any) -> Any:
    """Convert text to the parameter type as Heat does; other values stay. Raises ValueError."""
    if not isinstance(value, str):
        return value
    if kind == "number":
        return float(value) if "." in value else int(value)
    if kind == "boolean":
        if value.lower() not in (*_TRUE, *_FALSE):
            raise ValueError(value)
        return value.lower() in _TRUE
    if kind == "json":
        return json.loads(value)
    if kind == "list":
        return [item.strip() for item in value.split(",") if item.strip()]
    return value


def non_default_settings(vnfd: Vnfd, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with another value than the default, from the stack's parameters."""
    return {
        setting.name: parameters[setting.name]
        for setting in vnfd.settings
        if setting.name in parameters and parameters[setting.name] != setting.default
    }


def created_networks(vnfd: Vnfd, resources: Sequence[StackResource]) -> dict[str, str]:
    """Virtual link id → id of the network that the stack created for it, found by resource type."""
    kinds = {resource.name: resource.type for resource in resources if not resource.path}
    links = {link.registry_type: link.id for link in vnfd.virtual_links if link.registry_type}
    made = [(kinds.get(r.path[0], ""), r.physical_id) for r in resources if r.type == NETWORK and r.path]
    return {links[kind]: network_id for kind, network_id in made if kind in links and network_id}


def created_links(vnfd: Vnfd, resources: Sequence[StackResource]) -> set[str]:
    """Ids of the virtual links whose network the stack created."""
    makers = {resource.path[0] for resource in resources if resource.type == NETWORK and resource.path}
    made = {resource.type for resource in resources if not resource.path and resource.name in makers}
    return {
        link.id
        for link in vnfd.virtual_links
        if link.registry_type in made or not (link.registry_type or link.network_parameter or link.fixed_network)
    }


@dataclass(frozen=True, slots=True)
class HotTemplate:
    """The parts of a HOT that may differ between a stack and its package."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    resources: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, hot: Mapping[str, Any]) -> "HotTemplate":
        return cls(hot.get("parameters") or {}, hot.get("resources") or {})


def template_warnings(stack: HotTemplate, package: HotTemplate) -> list[str]:
    """Differences of the package's root template from the stack's, with their effect on the next update."""
    mine, theirs = package.resources, stack.resources
    new, gone = sorted(mine.keys() - theirs.keys()), sorted(theirs.keys() - mine.keys())
    changed = sorted(name for name in mine.keys() & theirs.keys() if mine[name] != theirs[name])
    warnings = []
    if gone:
        warnings.append(f"The package does not have {', '.join(gone)}: the next stack update deletes that.")
    if new:
        warnings.append(f"The stack does not have {', '.join(new)}: its next update creates that.")
    if changed:
        message = (
            f"The package describes {', '.join(changed)} differently from the stack: its next update changes that, and"
        )
        warnings.append(f"{message} replaces it where Heat cannot change it in place, servers included.")
    lost = sorted(stack.parameters.keys() - package.parameters.keys())
    if lost:
        warnings.append(f"The package has no parameters {', '.join(lost)}: their values in the stack are dropped.")
    return warnings
