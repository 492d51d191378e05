"""Adopting a stack that nobody manages: what a request asks for, and whether the stack is what the package would make.

Pure: what Heat and Nova told is handed in. What cannot be read from the stack is refused with every reason at once;
what can differ and be lived with becomes a warning.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.settings import setting_error
from vnfm.catalog.domain.vnfd import Flavour, SettingType, Vdu, Vnfd
from vnfm.clouds.types import StackResource
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.serving import policies_taken, policy_errors
from vnfm.lcm.domain.sizing import Roster, counts, over_limits, share_slots, slot_names
from vnfm.lcm.domain.target import Asking, Refused

ADOPT_STACK = "adoptStack"
"""Reserved name in the additionalParams of an instantiation: the Heat stack to take over instead of making one."""
POINTER = f"/additionalParams/{ADOPT_STACK}"

GROUP = "OS::Heat::ResourceGroup"
SERVER = "OS::Nova::Server"
PORT = "OS::Neutron::Port"
NETWORK = "OS::Neutron::Net"
LEVELS = ("instantiationLevelId", "targetScaleLevelInfo", "extVirtualLinks")
"""What an instantiation may say of size and networks, and an adoption reads from the stack."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """A request that is right as far as the VNFD tells."""

    stack_id: str
    flavours: tuple[Flavour, ...]
    """The deployment flavour that was named, or all that the stack may turn out to be of."""


@dataclass(frozen=True, slots=True)
class SeenMember:
    """A VNFC as the stack has it."""

    vdu_id: str
    index: int
    """In its group, or among the VDU's single members."""
    slot: str
    """As its server's metadata says; "" when they say nothing."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the stack turns out to be in the package's terms."""

    flavour: Flavour
    level_id: str
    scale_levels: Mapping[str, int]
    rosters: Mapping[str, Roster]


def asks_adoption(request: Mapping[str, Any]) -> bool:
    return ADOPT_STACK in (request.get("additionalParams") or {})


def adopt(asking: Asking) -> Adoption | Refused:
    """Everything but the hidden settings is read from the stack, so only these may and must be given; and policies."""
    request, vnfd = asking.request, asking.vnfd
    given = dict(request.get("additionalParams") or {})
    stack_id, policies = given.pop(ADOPT_STACK), policies_taken(given)
    errors = [FieldError(f"/{name}", "Read from the stack when adopting.") for name in LEVELS if request.get(name)]
    if not isinstance(stack_id, str) or not stack_id:
        errors.append(FieldError(POINTER, "Give the id of a Heat stack."))
    wanted = str(request.get("flavourId") or "")
    flavours = tuple(flavour for flavour in vnfd.flavours if wanted in ("", flavour.id))
    if not flavours:
        known = ", ".join(flavour.id for flavour in vnfd.flavours)
        errors.append(FieldError("/flavourId", f"The VNFD has no flavour {wanted!r}, only {known}."))
    errors += policy_errors(vnfd, policies)
    errors += _hidden_errors(vnfd, given)
    return Refused(tuple(errors)) if errors else Adoption(stack_id, flavours)


def _hidden_errors(vnfd: Vnfd, given: Mapping[str, Any]) -> Iterator[FieldError]:
    hidden = {setting.name: setting for setting in vnfd.settings if setting.hidden}
    for name in given.keys() - hidden.keys():
        yield FieldError(
            f"/additionalParams/{name}", "Read from the stack when adopting; only hidden settings are given."
        )
    for name, setting in hidden.items():
        if given.get(name) is None:
            yield FieldError(
                f"/additionalParams/{name}", f"{setting.label} is hidden by Heat: give what the stack has."
            )
        elif message := setting_error(setting, given[name]):
            yield FieldError(f"/additionalParams/{name}", message)


def missing_pieces(vnfd: Vnfd, pieces: Mapping[str, str]) -> list[str]:
    """What of the package's root resources the stack lacks, in sentences; `pieces` is type by name of those it has."""
    wanted = {vdu.hot_group: GROUP for vdu in vnfd.vdus if vdu.hot_group}
    for vdu in vnfd.vdus:
        for member in vdu.hot_members:
            if "/" in member:
                continue  # below the root: found by its server
            wanted[member] = SERVER
            wanted |= {cp.port_resource(member): PORT for cp in vdu.connection_points}
    found = [
        f"It has no resource {name} of type {kind}."
        if name not in pieces
        else f"Its resource {name} is of type {pieces[name]}, not {kind}."
        for name, kind in sorted(wanted.items())
        if pieces.get(name) != kind
    ]
    types = {link.registry_type for link in vnfd.virtual_links} | {variant.registry_type for variant in vnfd.variants}
    return found + [f"It has no resource of type {kind}." for kind in sorted(types - {"", *pieces.values()})]


def layout_of(vnfd: Vnfd, flavours: Sequence[Flavour], members: Collection[SeenMember]) -> Layout | Refused:
    """The first flavour whose counts can be those of the stack, with every member in a slot."""
    have = {vdu.id: sum(member.vdu_id == vdu.id for member in members) for vdu in vnfd.vdus}
    reasons = []
    for flavour in flavours:
        levels = _levels(flavour, vnfd, have)
        if counts(vnfd, flavour, levels) == have and not over_limits(vnfd, have):
            level_id = next((level.id for level in flavour.levels if dict(level.scale_levels) == levels), "")
            return Layout(flavour, level_id, levels, _rosters(vnfd, members))
        sizes = ", ".join(f"{number} {vdu_id}" for vdu_id, number in have.items())
        reasons.append(f"It has {sizes} VNFCs, which flavour {flavour.id} cannot have at any scale level.")
    return Refused(tuple(FieldError(POINTER, reason) for reason in reasons))


def _levels(flavour: Flavour, vnfd: Vnfd, have: Mapping[str, int]) -> dict[str, int]:
    """The nearest level of each aspect; whether it fits, the counts then tell."""
    return {
        aspect.id: max(
            0, min(aspect.max_scale_level, (have[aspect.vdu_id] - vnfd.vdu(aspect.vdu_id).minimum) // aspect.step)
        )
        for aspect in flavour.aspects
    }


def _rosters(vnfd: Vnfd, members: Collection[SeenMember]) -> dict[str, Roster]:
    """Slots as the servers say, where that can be; the others take the lowest free ones, in the order of indexes."""
    ordered = sorted(members, key=lambda member: member.index)
    said: dict[str, dict[int, str]] = {vdu.id: {} for vdu in vnfd.vdus}
    for vdu in vnfd.vdus:
        for member in ordered:
            if member.vdu_id == vdu.id and member.slot in slot_names(vdu) and member.slot not in _held(vdu, vnfd, said):
                said[vdu.id][member.index] = member.slot
    for vdu in vnfd.vdus:
        free = (name for name in slot_names(vdu) if name not in _held(vdu, vnfd, said))
        said[vdu.id] |= {m.index: next(free) for m in ordered if m.vdu_id == vdu.id and m.index not in said[vdu.id]}
    return {
        vdu_id: Roster(dict(sorted(slots.items())), max((index + 1 for index in slots), default=0))
        for vdu_id, slots in said.items()
    }


def _held(vdu: Vdu, vnfd: Vnfd, said: Mapping[str, Mapping[int, str]]) -> set[str]:
    """The slots that are no longer free for the VDU."""
    return {slot for other in vnfd.vdus if other is vdu or share_slots(vdu, other) for slot in said[other.id].values()}


def parameters_of(vnfd: Vnfd, declared: Collection[str], shown: Mapping[str, Any]) -> dict[str, Any]:
    """What the stack was given, as Heat shows it, in the types of the package; without what Heat hides or made up.

    Heat shows every value as text. What the package's template does not declare would be refused at an update. Raises
    ValueError, with a sentence, for a value that cannot be of the package's type or chooses a variant that it lacks.
    """
    types: dict[str, SettingType] = {setting.name: setting.type for setting in vnfd.settings}
    types |= {name: "json" for vdu in vnfd.vdus for name in (vdu.images_parameter, vdu.pairs_parameter) if name}
    types |= {chain.links_parameter: "json" for chain in vnfd.chains}
    for aspect in (aspect for flavour in vnfd.flavours for aspect in flavour.aspects):
        types[aspect.count_parameter] = "number"
        types |= {name: "json" for name in (aspect.slots_parameter,) if name}
        types |= {name: "list" for name in (aspect.removals_parameter,) if name}
    hidden = {setting.name for setting in vnfd.settings if setting.hidden}
    found = {}
    for name, value in shown.items():
        if name in declared and name not in hidden:
            try:
                found[name] = typed(types.get(name, "string"), value)
            except ValueError as error:
                raise ValueError(f"Its parameter {name} is {value!r}; the package takes {types[name]}.") from error
    for variant in vnfd.variants:
        if variant.setting in found and str(found[variant.setting]).lower() not in variant.templates:
            raise ValueError(f"Its parameter {variant.setting} is {found[variant.setting]!r}; the package has no such.")
    return found


_TRUE = ("true", "t", "1", "on", "y", "yes")
_FALSE = ("false", "f", "0", "off", "n", "no")
"""As Heat reads parameters of type boolean."""


def typed(kind: SettingType, value: Any) -> Any:
    """A value as Heat takes it for a parameter of this type: text may stand for any. Raises ValueError otherwise."""
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


def settings_of(vnfd: Vnfd, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What an operator would have chosen to get these parameters: those that are not the default."""
    return {
        setting.name: parameters[setting.name]
        for setting in vnfd.settings
        if setting.name in parameters and parameters[setting.name] != setting.default
    }


def networks_made(vnfd: Vnfd, resources: Sequence[StackResource]) -> dict[str, str]:
    """Virtual link to the network that the stack made for it, as far as its resource type tells."""
    kinds = {resource.name: resource.type for resource in resources if not resource.path}
    links = {link.registry_type: link.id for link in vnfd.virtual_links if link.registry_type}
    made = [(kinds.get(r.path[0], ""), r.physical_id) for r in resources if r.type == NETWORK and r.path]
    return {links[kind]: network_id for kind, network_id in made if kind in links and network_id}


def created_links(vnfd: Vnfd, resources: Sequence[StackResource]) -> set[str]:
    """Ids of the virtual links whose network the stack made itself."""
    makers = {resource.path[0] for resource in resources if resource.type == NETWORK and resource.path}
    made = {resource.type for resource in resources if not resource.path and resource.name in makers}
    return {
        link.id
        for link in vnfd.virtual_links
        if link.registry_type in made or not (link.registry_type or link.network_parameter)
    }


@dataclass(frozen=True, slots=True)
class Template:
    """The parts of a HOT in which a stack's and a package's may differ."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    resources: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, hot: Mapping[str, Any]) -> "Template":
        return cls(hot.get("parameters") or {}, hot.get("resources") or {})


def template_warnings(stack: Template, package: Template) -> list[str]:
    """How the package's root template differs from the stack's, and what that means for the next update."""
    mine, theirs = package.resources, stack.resources
    new, gone = sorted(mine.keys() - theirs.keys()), sorted(theirs.keys() - mine.keys())
    changed = sorted(name for name in mine.keys() & theirs.keys() if mine[name] != theirs[name])
    warnings = []
    if gone:
        warnings.append(f"The package does not have {', '.join(gone)}: the next update of the stack deletes that.")
    if new:
        warnings.append(f"The stack does not have {', '.join(new)}: its next update makes that.")
    if changed:
        words = (
            f"The package describes {', '.join(changed)} otherwise than the stack: its next update changes that, and"
        )
        warnings.append(f"{words} replaces it where Heat cannot change it in place, servers included.")
    lost = sorted(stack.parameters.keys() - package.parameters.keys())
    if lost:
        warnings.append(f"The package has no parameters {', '.join(lost)}: what the stack was given there is dropped.")
    return warnings
