"""ChangeVnfFlavour, ChangeExtVnfConnectivity, ChangeCurrentVnfPackage (SOL003 5.5.2.7, 5.5.2.11, 5.5.2.11a).

A request says what changes; what it does not name goes on as it stands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.settings import effective_settings, validate_settings
from vnfm.catalog.domain.vnfd import Flavour, Vdu, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.anew import PORT, SERVER, SUBNET
from vnfm.lcm.domain.instantiation import attach, levels_wanted
from vnfm.lcm.domain.naming import label
from vnfm.lcm.domain.scaling import level_named
from vnfm.lcm.domain.sizing import check_level, counts
from vnfm.lcm.domain.target import CREATE_FLAVORS, Asking, Refused, Standing, Target

ACTIVE, UNKNOWN = "ACTIVE", "UNKNOWN"
STAYS: Mapping[str, str] = {
    SERVER: "VMs are told this when they are made: Heat would make them anew for another value. It stays.",
    SUBNET: "A subnet of the stack has this, and ports are in it: Heat could not replace it. It stays.",
    PORT: "A VM's NIC is what it was plugged in as: Nova would not plug it anew for another value. It stays.",
}


def change_flavour(asking: Asking) -> Target | Refused:
    """Another deployment flavour, and with it other needs, levels and settings."""
    request, vnfd, standing = asking.request, asking.vnfd, asking.standing
    flavour, before = vnfd.flavour(request["newFlavourId"]), vnfd.flavour(standing.flavour_id)
    if flavour is None:
        known = ", ".join(f.id for f in vnfd.flavours)
        message = f"The VNFD has no flavour {request['newFlavourId']!r}, only {known}."
        return Refused((FieldError("/newFlavourId", message),))
    levels = levels_wanted(request, flavour)
    if isinstance(levels, Refused):
        return levels
    others = [vdu for vdu in vnfd.vdus if before is None or before.needs_of(vdu) != flavour.needs_of(vdu)]
    wish = _wish(asking, vnfd, _without(standing.settings, {vdu.flavor_parameter for vdu in others}))
    resized = [vdu for vdu in vnfd.vdus if vdu in others or vdu.flavor_parameter in wish.changed]
    errors = [*wish.errors, *_of_the_package(vnfd, wish), *_internal(vnfd, wish), *_anew(asking, wish)]
    errors += _given_otherwise(_given(vnfd, before), _given(vnfd, flavour), standing, "/newFlavourId")
    errors += _not_running(resized, standing, "/newFlavourId", "resized")
    level_id = request.get("instantiationLevelId") or flavour.default_level
    if errors:
        return Refused(tuple(errors))
    return wish.target(vnfd, flavour, level_id, levels, warnings=flavour.warnings)


def change_ext_conn(asking: Asking) -> Target | Refused:
    """Other networks behind external virtual links; the VMs stay what they are."""
    vnfd, standing = asking.vnfd, asking.standing
    flavour = vnfd.flavour(standing.flavour_id)
    if flavour is None:
        return Refused((FieldError("", f"The package no longer has the flavour {standing.flavour_id!r}."),))
    wish = _wish(asking, vnfd, standing.settings)
    known = _connectivity(vnfd)
    errors = [*wish.errors, *_of_the_package(vnfd, wish), *_internal(vnfd, wish), *_anew(asking, wish)]
    told = {error.field for error in errors}
    errors += [
        FieldError(wish.pointer(name), "This is no matter of external connectivity: use change_flavour.")
        for name in sorted(wish.named)
        if vnfd.setting(name) is not None and name not in known and wish.pointer(name) not in told
    ]
    if wish.create_flavors:
        errors.append(FieldError(f"/additionalParams/{CREATE_FLAVORS}", "Unknown here: no flavor changes."))
    level_id = level_named(flavour, standing.scale_levels)
    return Refused(tuple(errors)) if errors else wish.target(vnfd, flavour, level_id, standing.scale_levels)


def change_vnfpkg(asking: Asking) -> Target | Refused:
    """Another version of the package, with the same components at the same levels."""
    old, new, standing = asking.vnfd, asking.successor, asking.standing
    assert new is not None, "found, or refused, when the request was read"
    flavour, before = new.flavour(standing.flavour_id), old.flavour(standing.flavour_id)
    misfits = list(_misfits(old, new, standing))
    if misfits or flavour is None or before is None:
        return Refused(tuple(FieldError("/vnfdId", message) for message in misfits))
    carried = _carried(old, new, standing)
    others = [vdu for vdu in new.vdus if before.needs_of(old.vdu(vdu.id)) != flavour.needs_of(vdu)]
    wish = _wish(asking, new, _without(carried, {vdu.flavor_parameter for vdu in others}))
    errors = [*wish.errors, *_internal(new, wish), *_anew(asking, wish)]
    errors += _images_of_before(old, new, standing, wish)
    errors += _given_otherwise(_given(old, before), _given(new, flavour), standing, "/vnfdId")
    errors += _not_running(new.vdus, standing, "/vnfdId", "rebuilt")
    if errors:
        return Refused(tuple(errors))
    warnings = (*_settings_lost(old, new, standing), *_defaults_kept(old, new, standing, carried))
    level_id = level_named(flavour, standing.scale_levels)
    return wish.target(new, flavour, level_id, standing.scale_levels, warnings=warnings, upgrade=True)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a request says of settings, laid over those that stand."""

    chosen: Mapping[str, Any]
    """All choices of the operator that hold from then on."""
    named: frozenset[str]
    """Those that the request names; `changed` are those with another value than before."""
    changed: frozenset[str]
    fields: Mapping[str, str]
    create_flavors: bool
    errors: tuple[FieldError, ...]

    def pointer(self, setting: str) -> str:
        return self.fields.get(setting, f"/additionalParams/{setting}")

    def target(self, vnfd: Vnfd, flavour: Flavour, level_id: str, levels: Mapping[str, int], **values: Any) -> Target:
        settings = effective_settings(vnfd, self.chosen)
        given = {"create_flavors": self.create_flavors, "changed": self.changed, "fields": self.fields, **values}
        return Target(flavour, level_id, levels, settings, self.chosen, **given)


def _wish(asking: Asking, vnfd: Vnfd, standing: Mapping[str, Any]) -> _Wish:
    """Null takes a choice back, as in a merge patch. A hidden setting that stands need not be given again."""
    params = dict(asking.request.get("additionalParams") or {})
    create_flavors = params.pop(CREATE_FLAVORS, False) is True
    fields: dict[str, str] = {}
    errors = attach(asking.request.get("extVirtualLinks") or [], vnfd, params, fields)
    chosen = {name: value for name, value in {**standing, **params}.items() if value is not None}
    sealed = {f"/additionalParams/{name}" for name in asking.standing.secrets if name not in params}
    errors += [error for error in validate_settings(vnfd, chosen) if error.field not in sealed]
    before, after = effective_settings(vnfd, standing), effective_settings(vnfd, chosen)
    changed = frozenset(name for name in params if before.get(name) != after.get(name))
    return _Wish(chosen, frozenset(params), changed, fields, create_flavors, tuple(errors))


def _without(settings: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """What was chosen for other needs is no choice for these."""
    return {name: value for name, value in settings.items() if name not in set(names)}


def _of_the_package(vnfd: Vnfd, wish: _Wish) -> list[FieldError]:
    names = {vdu.image_parameter for vdu in vnfd.vdus} & wish.changed
    message = "Images are changed with the package: use change_vnfpkg, which takes VNFCs to it one by one."
    return [FieldError(wish.pointer(name), message) for name in sorted(names)]


def _internal(vnfd: Vnfd, wish: _Wish) -> list[FieldError]:
    return [
        FieldError(wish.pointer(link.network_parameter), f"{link.name} is internal to the VNF: its network stays.")
        for link in vnfd.virtual_links
        if link.internal and link.network_parameter in wish.changed
    ]


def _anew(asking: Asking, wish: _Wish) -> list[FieldError]:
    """No server, and no network with ports on it, is replaced for a setting."""
    reached = dict(asking.standing.anew)
    reached |= {v.setting: reached[v.registry_type] for v in asking.vnfd.variants if v.registry_type in reached}
    return [FieldError(wish.pointer(name), STAYS[reached[name]]) for name in sorted(wish.changed & reached.keys())]


def _given(vnfd: Vnfd, flavour: Flavour | None) -> Mapping[str, Any]:
    """What the HOT is given without anybody choosing it."""
    return {**vnfd.fixed_parameters, **(flavour.parameters if flavour else {})}


def _given_otherwise(
    old: Mapping[str, Any], new: Mapping[str, Any], standing: Standing, pointer: str
) -> list[FieldError]:
    names = sorted(n for n in old.keys() | new.keys() if n in standing.anew and old.get(n) != new.get(n))
    return [FieldError(pointer, f"It has another {name}. {STAYS[standing.anew[name]]}") for name in names]


def _not_running(vdus: Iterable[Vdu], standing: Standing, pointer: str, what: str) -> list[FieldError]:
    """Heat waits for ACTIVE after it resized or rebuilt a server, which one that was stopped never comes to."""
    ids = {vdu.id for vdu in vdus}
    return [
        FieldError(pointer, f"{label(vnfc)} is {vnfc.status}: it must be ACTIVE to be {what}. Start or heal it first.")
        for vnfc in standing.vnfcs
        if vnfc.vdu_id in ids and vnfc.status not in (ACTIVE, UNKNOWN)
    ]


def _connectivity(vnfd: Vnfd) -> set[str]:
    """Settings of external networks, and of the addresses that are fixed in them."""
    external = {link.id: link.network_parameter for link in vnfd.virtual_links if not link.internal}
    plans = [plan for plan in vnfd.address_plans if plan.virtual_link in external]
    addresses = {name for plan in plans for name in (plan.cidr, plan.gateway, *plan.addresses)}
    internal = {link.network_parameter for link in vnfd.virtual_links if link.internal}
    return {*external.values(), *addresses, *internal} - {""}


def _misfits(old: Vnfd, new: Vnfd, standing: Standing) -> Iterator[str]:
    """Why an instance of the old package cannot go on as one of the new."""
    if new.vnfd_id == old.vnfd_id and not standing.upgrading:
        yield "The instance has this package already."
    if (new.provider, new.product_name) != (old.provider, old.product_name):
        yield f"This is {new.provider} {new.product_name}, the instance is {old.provider} {old.product_name}."
        return
    if places := standing.booted_otherwise:
        yield f"The package makes VMs otherwise ({', '.join(places)}): Heat would make those that run anew."
    for vdu in old.vdus:
        yield from _vdu_misfits(vdu, next((one for one in new.vdus if one.id == vdu.id), None), standing)
    before, after = old.flavour(standing.flavour_id), new.flavour(standing.flavour_id)
    if before is None or after is None:
        yield f"The package has no flavour {standing.flavour_id!r}, which the instance has."
        return
    for aspect_id, level in standing.scale_levels.items():
        aspect = after.aspect(aspect_id)
        if aspect is None:
            yield f"The flavour has no scaling aspect {aspect_id!r}, which the instance has."
        else:
            yield from (error.message for error in check_level(aspect, level, ""))
    has = Counter(counts(old, before, standing.scale_levels))
    would_have = Counter(counts(new, after, standing.scale_levels))
    for vdu_id in sorted(has.keys() | would_have.keys()):
        if has[vdu_id] != would_have[vdu_id]:
            yield f"At its level the instance has {has[vdu_id]} VNFCs of {vdu_id}, and would have {would_have[vdu_id]}."


def _vdu_misfits(old: Vdu, new: Vdu | None, standing: Standing) -> Iterator[str]:
    if new is None:
        yield f"The package has no VDU {old.id!r}, which the instance has."
    elif (new.hot_members, new.hot_group) != (old.hot_members, old.hot_group):
        yield f"The package keeps {old.id} in other resources of its HOT: Heat would make its VNFCs anew."
    elif gone := sorted({v.slot for v in standing.vnfcs if v.vdu_id == old.id and new.slots} - set(new.slots)):
        yield f"{old.id} has no slot {', '.join(gone)} in the package, and the instance has VNFCs there."


def _carried(old: Vnfd, new: Vnfd, standing: Standing) -> dict[str, Any]:
    """The choices that go with the instance. Where only a default differs, what stands becomes a choice, too: another
    value would reach the VMs unasked. Images are the package's.
    """
    images = {vdu.image_parameter for vnfd in (old, new) for vdu in vnfd.vdus}
    held = effective_settings(old, standing.settings)
    return {
        setting.name: held[setting.name]
        for setting in new.settings
        if setting.name in held and not setting.hidden and setting.name not in images
        if setting.name in standing.settings or held[setting.name] != setting.default
    }


def _images_of_before(old: Vnfd, new: Vnfd, standing: Standing, wish: _Wish) -> list[FieldError]:
    """An image that was brought for the old package is not the new one's: somebody must say which is."""
    brought = {v.image_parameter: standing.settings.get(v.image_parameter) for v in old.vdus}
    names = dict.fromkeys(v.image_parameter for v in new.vdus)
    return [
        FieldError(
            f"/additionalParams/{name}",
            f"The instance runs {brought[name]}, chosen for {old.software_version}. Choose the image of "
            f'{new.software_version}, or "" for the one in the package.',
        )
        for name in names
        if brought.get(name) and name not in wish.named
    ]


def _settings_lost(old: Vnfd, new: Vnfd, standing: Standing) -> list[str]:
    lost = [name for name in standing.settings if new.setting(name) is None and old.setting(name) is not None]
    return [f"{new.software_version} has no setting {name}: its value is dropped." for name in sorted(lost)]


def _defaults_kept(old: Vnfd, new: Vnfd, standing: Standing, carried: Mapping[str, Any]) -> list[str]:
    return [
        f"{name} stays {value!r}, although the default of {new.software_version} is another."
        for name, value in sorted(carried.items())
        if name not in standing.settings
    ]
