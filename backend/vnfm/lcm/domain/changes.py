"""ChangeVnfFlavour, ChangeExtVnfConnectivity, ChangeCurrentVnfPackage (SOL003 5.5.2.7, 5.5.2.11, 5.5.2.11a).

A request names what changes; all else stays.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.settings import effective_settings, validate_settings
from vnfm.catalog.domain.vnfd import Flavour, Vdu, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.instantiation import choose_external_networks, requested_flavour, requested_levels
from vnfm.lcm.domain.managed_links import choose_managed_networks
from vnfm.lcm.domain.operation_request import OWN_NETWORK, InstanceState, OperationRequest, Rejection, Target
from vnfm.lcm.domain.replacement import PORT, SERVER, SUBNET
from vnfm.lcm.domain.request_params import CREATE_FLAVORS
from vnfm.lcm.domain.requests import (
    ChangeCurrentVnfPkgRequest,
    ChangeExtVnfConnectivityRequest,
    ChangeVnfFlavourRequest,
    StackRequest,
)
from vnfm.lcm.domain.scaling import instantiation_level_of
from vnfm.lcm.domain.sizing import check_level, deployed, vnfc_counts
from vnfm.lcm.domain.vnfc_names import label

ACTIVE, UNKNOWN = "ACTIVE", "UNKNOWN"
NICS = "NICs"
STAYS: Mapping[str, str] = {
    NICS: "VMs keep the number of NICs that they were created with: deploy another instance for another number.",
    SERVER: "VMs get this when they are created: Heat would replace them for another value. It stays.",
    SUBNET: "A subnet of the stack has this, and ports are in it: Heat could not replace it. It stays.",
    PORT: "A VM's NIC stays as it was plugged: Nova does not plug it again for another value. It stays.",
}


def validate_change_flavour(op_request: OperationRequest[ChangeVnfFlavourRequest]) -> Target | Rejection:
    """Another deployment flavour, with its resource needs, levels and settings."""
    request, vnfd, instance = op_request.request, op_request.vnfd, op_request.instance
    flavour = requested_flavour(request.new_flavour_id, vnfd, "/newFlavourId")
    before = vnfd.flavour(instance.flavour_id)
    if isinstance(flavour, Rejection):
        return flavour
    levels = requested_levels(request, flavour)
    if isinstance(levels, Rejection):
        return levels
    others = [vdu for vdu in vnfd.vdus if before is None or before.needs_of(vdu) != flavour.needs_of(vdu)]
    changes = _setting_changes(op_request, vnfd, _without(instance.settings, {vdu.flavor_parameter for vdu in others}))
    resized = [vdu for vdu in vnfd.vdus if vdu in others or vdu.flavor_parameter in changes.changed]
    errors = [
        *changes.errors,
        *_image_errors(vnfd, changes),
        *_internal_network_errors(vnfd, changes),
        *_replacement_errors(op_request, changes),
    ]
    errors += _fixed_parameter_errors(
        _fixed_parameters(vnfd, before), _fixed_parameters(vnfd, flavour), instance, "/newFlavourId"
    )
    errors += _not_running_errors(resized, instance, "/newFlavourId", "resized")
    level_id = request.instantiation_level_id or flavour.default_level
    if errors:
        return Rejection(tuple(errors))
    return changes.target(vnfd, flavour, level_id, levels, warnings=flavour.warnings)


def validate_change_ext_conn(op_request: OperationRequest[ChangeExtVnfConnectivityRequest]) -> Target | Rejection:
    """Other networks behind external virtual links; the VMs stay unchanged."""
    vnfd, instance = op_request.vnfd, op_request.instance
    flavour = vnfd.flavour(instance.flavour_id)
    if flavour is None:
        return Rejection((FieldError("", f"The package no longer has the flavour {instance.flavour_id!r}."),))
    changes = _setting_changes(op_request, vnfd, instance.settings)
    known = _connectivity(vnfd)
    errors = [
        *changes.errors,
        *_image_errors(vnfd, changes),
        *_internal_network_errors(vnfd, changes),
        *_replacement_errors(op_request, changes),
    ]
    own = {link.network_parameter for link in vnfd.virtual_links if link.network_parameter in changes.changed}
    errors += [
        FieldError(changes.pointer(name), f"{changes.chosen[name]!r} {OWN_NETWORK}.")
        for name in sorted(own)
        if changes.chosen.get(name) in instance.own_networks
    ]
    rejected = {error.field for error in errors}
    errors += [
        FieldError(changes.pointer(name), "This is not part of external connectivity: use change_flavour.")
        for name in sorted(changes.named)
        if vnfd.setting(name) is not None and name not in known and changes.pointer(name) not in rejected
    ]
    if op_request.request.additional_params.create_flavors:
        errors.append(FieldError(f"/additionalParams/{CREATE_FLAVORS}", "Unknown here: no flavor changes."))
    level_id = instantiation_level_of(flavour, instance.scale_levels)
    return Rejection(tuple(errors)) if errors else changes.target(vnfd, flavour, level_id, instance.scale_levels)


def validate_change_vnfpkg(op_request: OperationRequest[ChangeCurrentVnfPkgRequest]) -> Target | Rejection:
    """Another version of the package, with the same components at the same levels."""
    old, new, instance = op_request.vnfd, op_request.successor, op_request.instance
    assert new is not None, "looked up when the request was read"
    flavour, before = new.flavour(instance.flavour_id), old.flavour(instance.flavour_id)
    reasons = list(_incompatibilities(old, new, instance))
    if reasons or flavour is None or before is None:
        return Rejection(tuple(FieldError("/vnfdId", message) for message in reasons))
    carried = _carried_settings(old, new, instance)
    others = [vdu for vdu in new.vdus if before.needs_of(old.vdu(vdu.id)) != flavour.needs_of(vdu)]
    changes = _setting_changes(op_request, new, _without(carried, {vdu.flavor_parameter for vdu in others}))
    errors = [*changes.errors, *_internal_network_errors(new, changes), *_replacement_errors(op_request, changes)]
    errors += _unreplaced_image_errors(old, new, instance, changes)
    errors += _fixed_parameter_errors(
        _fixed_parameters(old, before), _fixed_parameters(new, flavour), instance, "/vnfdId"
    )
    errors += _not_running_errors(new.vdus, instance, "/vnfdId", "rebuilt")
    if errors:
        return Rejection(tuple(errors))
    warnings = (*_lost_settings(old, new, instance), *_unchanged_defaults(old, new, instance, carried))
    level_id = instantiation_level_of(flavour, instance.scale_levels)
    return changes.target(new, flavour, level_id, instance.scale_levels, warnings=warnings, upgrade=True)


@dataclass(frozen=True, slots=True)
class _SettingChanges:
    """The settings of a request merged with the current ones."""

    chosen: Mapping[str, Any]
    """All choices of the operator after the operation."""
    named: frozenset[str]
    """The settings in the request; `changed` are those with another value than before."""
    changed: frozenset[str]
    fields: Mapping[str, str]
    create_flavors: bool | None
    errors: tuple[FieldError, ...]

    def pointer(self, setting: str) -> str:
        return self.fields.get(setting, f"/additionalParams/{setting}")

    def target(self, vnfd: Vnfd, flavour: Flavour, level_id: str, levels: Mapping[str, int], **values: Any) -> Target:
        settings = effective_settings(vnfd, self.chosen)
        given = {"create_flavors": self.create_flavors, "changed": self.changed, "fields": self.fields, **values}
        return Target(flavour, level_id, levels, settings, self.chosen, **given)


def _setting_changes(
    op_request: OperationRequest[StackRequest], vnfd: Vnfd, current: Mapping[str, Any]
) -> _SettingChanges:
    """Null resets a setting, as in a merge patch. A hidden setting that has a value need not be given again."""
    request = op_request.request
    create_flavors = request.additional_params.create_flavors
    params, fields = dict(request.settings), dict[str, str]()
    errors = choose_external_networks(request.ext_virtual_links, vnfd, params, fields)
    errors += choose_managed_networks(request.managed_links, vnfd, params, fields)
    chosen = {name: value for name, value in {**current, **params}.items() if value is not None}
    sealed = {f"/additionalParams/{name}" for name in op_request.instance.secrets if name not in params}
    errors += [error for error in validate_settings(vnfd, chosen) if error.field not in sealed]
    before, after = effective_settings(vnfd, current), effective_settings(vnfd, chosen)
    changed = frozenset(name for name in params if before.get(name) != after.get(name))
    return _SettingChanges(chosen, frozenset(params), changed, fields, create_flavors, tuple(errors))


def _without(settings: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """A flavor that was chosen for other resource needs does not apply any more."""
    return {name: value for name, value in settings.items() if name not in set(names)}


def _image_errors(vnfd: Vnfd, changes: _SettingChanges) -> list[FieldError]:
    names = {vdu.image_parameter for vdu in vnfd.vdus} & changes.changed
    message = "Images are changed with the package: use change_vnfpkg, which upgrades VNFCs one by one."
    return [FieldError(changes.pointer(name), message) for name in sorted(names)]


def _internal_network_errors(vnfd: Vnfd, changes: _SettingChanges) -> list[FieldError]:
    return [
        FieldError(changes.pointer(link.network_parameter), f"{link.name} is internal to the VNF: its network stays.")
        for link in vnfd.virtual_links
        if link.internal and link.network_parameter in changes.changed
    ]


def _replacement_errors(op_request: OperationRequest[StackRequest], changes: _SettingChanges) -> list[FieldError]:
    """No server, and no subnet with ports, is replaced for a setting; and a VM keeps its number of NICs."""
    reached = dict(op_request.instance.replaced_on_change)
    reached |= {v.setting: reached[v.registry_type] for v in op_request.vnfd.variants if v.registry_type in reached}
    after = op_request.successor or op_request.vnfd
    reached |= {link.number_setting: NICS for link in after.virtual_links if link.number_setting}
    return [
        FieldError(changes.pointer(name), STAYS[reached[name]]) for name in sorted(changes.changed & reached.keys())
    ]


def _fixed_parameters(vnfd: Vnfd, flavour: Flavour | None) -> Mapping[str, Any]:
    """The HOT parameters that no operator chooses."""
    return {**vnfd.fixed_parameters, **(flavour.parameters if flavour else {})}


def _fixed_parameter_errors(
    old: Mapping[str, Any], new: Mapping[str, Any], instance: InstanceState, pointer: str
) -> list[FieldError]:
    names = sorted(n for n in old.keys() | new.keys() if n in instance.replaced_on_change and old.get(n) != new.get(n))
    return [FieldError(pointer, f"It has another {name}. {STAYS[instance.replaced_on_change[name]]}") for name in names]


def _not_running_errors(vdus: Iterable[Vdu], instance: InstanceState, pointer: str, what: str) -> list[FieldError]:
    """After a resize or rebuild Heat waits for ACTIVE, which a stopped server never reaches."""
    ids = {vdu.id for vdu in vdus}
    return [
        FieldError(pointer, f"{label(vnfc)} is {vnfc.status}: it must be ACTIVE to be {what}. Start or heal it first.")
        for vnfc in instance.vnfcs
        if vnfc.vdu_id in ids and vnfc.status not in (ACTIVE, UNKNOWN)
    ]


def _connectivity(vnfd: Vnfd) -> set[str]:
    """Settings of external networks, and of fixed addresses in them."""
    external = {link.id: link.network_parameter for link in vnfd.virtual_links if not link.internal}
    plans = [plan for plan in vnfd.address_plans if plan.virtual_link in external]
    addresses = {name for plan in plans for name in (plan.cidr, plan.gateway, *plan.addresses)}
    internal = {link.network_parameter for link in vnfd.virtual_links if link.internal}
    return {*external.values(), *addresses, *internal} - {""}


def _incompatibilities(old: Vnfd, new: Vnfd, instance: InstanceState) -> Iterator[str]:
    """Yield why an instance of the old package cannot become one of the new."""
    if new.vnfd_id == old.vnfd_id and not instance.upgrading:
        yield "The instance has this package already."
    if (new.provider, new.product_name) != (old.provider, old.product_name):
        yield f"This is {new.provider} {new.product_name}, the instance is {old.provider} {old.product_name}."
        return
    if places := instance.boot_differences:
        yield f"The package boots VMs differently ({', '.join(places)}): Heat would replace those that run."
    for vdu in old.vdus:
        yield from _vdu_incompatibilities(vdu, next((one for one in new.vdus if one.id == vdu.id), None), instance)
    before, after = old.flavour(instance.flavour_id), new.flavour(instance.flavour_id)
    if before is None or after is None:
        yield f"The package has no flavour {instance.flavour_id!r}, which the instance has."
        return
    for aspect_id, level in instance.scale_levels.items():
        aspect = after.aspect(aspect_id)
        if aspect is None:
            yield f"The flavour has no scaling aspect {aspect_id!r}, which the instance has."
        else:
            yield from (error.message for error in check_level(aspect, level, ""))
    has = Counter(_counts(old, before, instance))
    would_have = Counter(_counts(new, after, instance))
    for vdu_id in sorted(has.keys() | would_have.keys()):
        if has[vdu_id] != would_have[vdu_id]:
            yield f"At its level the instance has {has[vdu_id]} VNFCs of {vdu_id}, and would have {would_have[vdu_id]}."


def _counts(vnfd: Vnfd, flavour: Flavour, instance: InstanceState) -> dict[str, int]:
    settings = effective_settings(vnfd, instance.settings)
    return vnfc_counts(deployed(vnfd, settings, flavour, instance.rosters), flavour, instance.scale_levels)


def _vdu_incompatibilities(old: Vdu, new: Vdu | None, instance: InstanceState) -> Iterator[str]:
    if new is None:
        yield f"The package has no VDU {old.id!r}, which the instance has."
    elif (new.hot_members, new.hot_group, new.hot_server) != (old.hot_members, old.hot_group, old.hot_server):
        yield f"The package keeps {old.id} in other resources of its HOT: Heat would replace its VNFCs."
    elif gone := sorted({v.slot for v in instance.vnfcs if v.vdu_id == old.id and new.slots} - set(new.slots)):
        yield f"{old.id} has no slot {', '.join(gone)} in the package, and the instance has VNFCs there."


def _carried_settings(old: Vnfd, new: Vnfd, instance: InstanceState) -> dict[str, Any]:
    """The choices that stay with the instance. Where only a default differs, the current value becomes a choice:
    another value would reach the VMs unrequested. Images are the package's.
    """
    images = {vdu.image_parameter for vnfd in (old, new) for vdu in vnfd.vdus}
    current = effective_settings(old, instance.settings)
    return {
        setting.name: current[setting.name]
        for setting in new.settings
        if setting.name in current and not setting.hidden and setting.name not in images
        if setting.name in instance.settings or current[setting.name] != setting.default
    }


def _unreplaced_image_errors(
    old: Vnfd, new: Vnfd, instance: InstanceState, changes: _SettingChanges
) -> list[FieldError]:
    """An image that was chosen for the old package does not fit the new one: the request must name one."""
    chosen = {v.image_parameter: instance.settings.get(v.image_parameter) for v in old.vdus}
    names = dict.fromkeys(v.image_parameter for v in new.vdus)
    return [
        FieldError(
            f"/additionalParams/{name}",
            f"The instance runs {chosen[name]}, chosen for {old.software_version}. Choose the image of "
            f'{new.software_version}, or "" for the one in the package.',
        )
        for name in names
        if chosen.get(name) and name not in changes.named
    ]


def _lost_settings(old: Vnfd, new: Vnfd, instance: InstanceState) -> list[str]:
    lost = [name for name in instance.settings if new.setting(name) is None and old.setting(name) is not None]
    return [f"{new.software_version} has no setting {name}: its value is dropped." for name in sorted(lost)]


def _unchanged_defaults(old: Vnfd, new: Vnfd, instance: InstanceState, carried: Mapping[str, Any]) -> list[str]:
    return [
        f"{name} stays {value!r}, although the default of {new.software_version} is another."
        for name, value in sorted(carried.items())
        if name not in instance.settings
    ]
