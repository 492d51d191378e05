"""The plan of an operation: a pure function of VNFD, target and what the cloud showed; stored and shown as data."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from vnfm.catalog.domain.flavors import choose_flavor
from vnfm.catalog.domain.settings import network_errors
from vnfm.catalog.domain.vnfd import ResourceNeeds, ScalingAspect, Vdu, VirtualLink, Vnfd
from vnfm.clouds.types import Flavor, Network, Quota
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.sizing import Resized, Roster, counts, over_limits, resize
from vnfm.lcm.domain.target import CREATE_FLAVORS, QUOTA_EXCEEDED, Refused, Target

ARTEFACT = "$artefact"
"""Marks a parameter whose value is known only when a step has made it: {"$artefact": key}."""


@dataclass(frozen=True, slots=True)
class CloudView:
    """What the cloud showed when the plan was made."""

    flavors: Sequence[Flavor]
    networks: Sequence[Network]
    quotas: Sequence[Quota]


@dataclass(frozen=True, slots=True)
class Artefact:
    """An image or flavor that must be in the cloud before the stack can be made."""

    kind: Literal["image", "flavor"]
    key: str
    """Its name in the cloud; holds a digest of what it is made of."""
    subject: str
    """Software image id, or VDU id."""


@dataclass(frozen=True, slots=True)
class PlannedResource:
    action: Literal["create", "keep", "update", "replace", "delete"]
    type: str
    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PlannedFlavor:
    vdu_id: str
    parameter: str
    flavor_name: str
    source: Literal["requested", "matched", "to_create", "kept"]
    needs: Mapping[str, Any]
    candidates: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class PlannedNetwork:
    vl_id: str
    parameter: str
    choice: Literal["created", "existing"]
    network_name: str
    network_id: str = ""


@dataclass(frozen=True, slots=True)
class PlannedQuota:
    resource: str
    needed: int
    used: int | None
    limit: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that the steps need, without secrets; `as_json` is stored with the operation."""

    flavour_id: str
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    rosters: Mapping[str, Any]
    removed: Mapping[str, Sequence[str]]
    """VDU id to the slots that lose their VNFC."""
    added: Mapping[str, Sequence[str]]
    """VDU id to the slots that get a VNFC: these must run in the end, the others are not this operation's business."""
    registry: Mapping[str, str]
    """Entries of the environment's resource_registry that this plan decides."""
    parameters: Mapping[str, Any]
    undo_parameters: Mapping[str, Any]
    """What a rollback puts in place of some of `parameters`: old counts, and the members that came to be removed."""
    package_id: str = ""
    """The package that the instance has when this is over; "" when it keeps its own."""
    artefacts: tuple[Artefact, ...] = ()
    resources: tuple[PlannedResource, ...] = ()
    flavors: tuple[PlannedFlavor, ...] = ()
    networks: tuple[PlannedNetwork, ...] = ()
    quota: tuple[PlannedQuota, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        rows: dict[str, type[Any]] = {
            "artefacts": Artefact,
            "resources": PlannedResource,
            "flavors": PlannedFlavor,
            "networks": PlannedNetwork,
            "quota": PlannedQuota,
        }
        lists = {name: tuple(kind(**row) for row in data[name]) for name, kind in rows.items()}
        return cls(**{**data, **lists, "warnings": tuple(data["warnings"])})


@dataclass(slots=True)
class _Draft:
    vnfd: Vnfd
    target: Target
    view: CloudView
    standing: Mapping[str, Any]
    errors: list[FieldError] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    undo_parameters: dict[str, Any] = field(default_factory=dict)
    registry: dict[str, str] = field(default_factory=dict)
    artefacts: list[Artefact] = field(default_factory=list)
    resources: list[PlannedResource] = field(default_factory=list)
    flavors: list[PlannedFlavor] = field(default_factory=list)
    networks: list[PlannedNetwork] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def compute_plan(
    vnfd: Vnfd, target: Target, rosters: Mapping[str, Roster], view: CloudView, standing: Mapping[str, Any]
) -> Plan | Refused:
    """The plan that leads from the present rosters to the target, or every reason why there is none.

    `standing` are the parameters that Heat was last given ({} before the first time): flavors, images and networks of
    VNFCs that run are kept, whatever the cloud would offer today. Another flavor would make Heat resize them, another
    image rebuild them.
    """
    draft = _Draft(vnfd, target, view, standing)
    draft.parameters |= {
        s.name: target.settings[s.name] for s in vnfd.settings if not s.hidden and s.name in target.settings
    }
    draft.parameters |= dict(vnfd.fixed_parameters)
    for variant in vnfd.variants:
        value = target.settings.get(variant.setting)
        draft.registry[variant.registry_type] = variant.templates[str(value).lower()]
    first = not rosters
    for link in vnfd.virtual_links:
        _plan_network(draft, link, first=first)
    wanted = counts(vnfd, target.flavour, target.scale_levels)
    if over := over_limits(vnfd, wanted):
        return Refused(tuple(over))
    resized = {
        vdu.id: resize(vdu, rosters.get(vdu.id, Roster()), wanted[vdu.id], target.remove.get(vdu.id, ()))
        for vdu in vnfd.vdus
    }
    for vdu in vnfd.vdus:
        _plan_vdu(draft, vdu, resized[vdu.id])
    quota = tuple(_quota(draft, resized, first=first))
    if draft.errors:
        return Refused(tuple(draft.errors))
    if short := _quota_errors(quota):
        return Refused(tuple(short), QUOTA_EXCEEDED)
    return Plan(
        flavour_id=target.flavour.id,
        instantiation_level_id=target.instantiation_level_id,
        scale_levels=dict(target.scale_levels),
        settings={name: v for name, v in target.chosen.items() if not _is_hidden(vnfd, name)},
        rosters={vdu_id: change.roster.as_json() for vdu_id, change in resized.items()},
        removed={vdu_id: list(change.removed.values()) for vdu_id, change in resized.items() if change.removed},
        added={vdu_id: list(change.added.values()) for vdu_id, change in resized.items()},
        registry=draft.registry,
        parameters=draft.parameters,
        undo_parameters=draft.undo_parameters,
        artefacts=tuple(draft.artefacts),
        resources=tuple(draft.resources),
        flavors=tuple(draft.flavors),
        networks=tuple(draft.networks),
        quota=quota,
        warnings=tuple(draft.warnings),
    )


def _is_hidden(vnfd: Vnfd, name: str) -> bool:
    setting = vnfd.setting(name)
    return setting is not None and setting.hidden


def _plan_network(draft: _Draft, link: VirtualLink, *, first: bool) -> None:
    chosen = {**draft.target.settings, **draft.standing}
    wanted = str(chosen.get(link.network_parameter) or "") if link.network_parameter else ""
    if not wanted:
        if link.registry_type:
            draft.registry[link.registry_type] = link.created_template
        draft.networks.append(PlannedNetwork(link.id, link.network_parameter, "created", ""))
        draft.resources.append(PlannedResource("create" if first else "keep", "network", link.name, link.description))
        return
    draft.registry[link.registry_type] = link.existing_template
    matches = [n for n in draft.view.networks if wanted in (n.id, n.name)]
    if len(matches) != 1:
        why = "is not a network that this project may use" if not matches else "names several networks; give the id"
        draft.errors.append(FieldError(f"/additionalParams/{link.network_parameter}", f"{wanted!r} {why}."))
        return
    network = matches[0]
    # As Heat was given it: by another name for the same network, Liberty's Heat would replace every port on it.
    draft.parameters[link.network_parameter] = draft.standing.get(link.network_parameter) or network.id
    draft.networks.append(PlannedNetwork(link.id, link.network_parameter, "existing", network.name, network.id))
    draft.errors += network_errors(draft.vnfd, link.id, draft.target.settings, network)
    if not network.subnets:
        draft.warnings.append(f"Network {network.name} has no subnet: its ports will have no address.")


def _plan_vdu(draft: _Draft, vdu: Vdu, change: Resized) -> None:
    _plan_flavor(draft, vdu)
    _plan_image(draft, vdu)
    for index, slot in change.roster.slots.items():
        action: Literal["create", "keep"] = "create" if index in change.added else "keep"
        draft.resources.append(PlannedResource(action, "vnfc", f"{vdu.name}, slot {slot}", vdu.description))
    draft.resources += [
        PlannedResource("delete", "vnfc", f"{vdu.name}, slot {slot}", vdu.description)
        for slot in change.removed.values()
    ]
    aspect = next((a for a in draft.target.flavour.aspects if a.vdu_id == vdu.id), None)
    if aspect is None:
        return
    kept = {index: slot for index, slot in change.roster.slots.items() if index not in change.added}
    draft.parameters |= _group_parameters(aspect, change.roster.slots, change.removed)
    draft.undo_parameters |= _group_parameters(aspect, kept, change.added)


def _group_parameters(aspect: ScalingAspect, slots: Mapping[int, str], removed: Mapping[int, str]) -> dict[str, Any]:
    values: dict[str, Any] = {aspect.count_parameter: len(slots)}
    if aspect.slots_parameter:
        values[aspect.slots_parameter] = {str(index): slot for index, slot in slots.items()}
    if aspect.removals_parameter:
        values[aspect.removals_parameter] = [str(index) for index in sorted(removed)]
    return values


def _plan_flavor(draft: _Draft, vdu: Vdu) -> None:
    kept = draft.standing.get(vdu.flavor_parameter)
    if kept:
        draft.parameters[vdu.flavor_parameter] = kept
        reason = f"{kept} is the flavor of the VNFCs that run."
        planned = PlannedFlavor(vdu.id, vdu.flavor_parameter, kept, "kept", asdict(vdu.needs), (kept,), reason)
        draft.flavors.append(planned)
        return
    requested = str(draft.target.settings.get(vdu.flavor_parameter) or "")
    choice = choose_flavor(vdu.needs, draft.view.flavors, requested or None)
    needs = asdict(vdu.needs)
    if choice.flavor is not None:
        name, source = choice.flavor.name, "requested" if requested else "matched"
    elif draft.target.create_flavors and not requested:
        name, source = flavor_name(draft.vnfd, vdu), "to_create"
        draft.artefacts.append(Artefact("flavor", name, vdu.id))
        draft.resources.append(PlannedResource("create", "flavor", name, "agreed to by createFlavors"))
    else:
        hint = "" if requested else f' Or agree that one is created: "{CREATE_FLAVORS}": true.'
        draft.errors.append(FieldError(f"/additionalParams/{vdu.flavor_parameter}", choice.reason + hint))
        return
    draft.parameters[vdu.flavor_parameter] = name
    if choice.shortfalls:
        draft.warnings.append(f"{vdu.name}: flavor {name} falls short: {', '.join(choice.shortfalls)}.")
    candidates = tuple(flavor.name for flavor in choice.candidates)
    draft.flavors.append(
        PlannedFlavor(vdu.id, vdu.flavor_parameter, name, source, needs, candidates, choice.reason)  # type: ignore[arg-type]  # source is one of the three by the branches above
    )


def _plan_image(draft: _Draft, vdu: Vdu) -> None:
    kept = draft.standing.get(vdu.image_parameter)
    if kept:
        draft.parameters[vdu.image_parameter] = kept
        return
    if draft.target.settings.get(vdu.image_parameter):
        return
    image = draft.vnfd.software_image(vdu.software_image)
    key = image_name(draft.vnfd, image.id, image.sha256)
    draft.parameters[vdu.image_parameter] = {ARTEFACT: key}
    if any(artefact.key == key for artefact in draft.artefacts):
        return
    draft.artefacts.append(Artefact("image", key, image.id))
    if image.placeholder:
        setting = draft.vnfd.setting(vdu.image_parameter)
        label = setting.label if setting else vdu.image_parameter
        draft.warnings.append(
            f"{image.name} is a placeholder, not a router: bring your own licensed image and choose it as {label}."
        )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def image_name(vnfd: Vnfd, image_id: str, sha256: str) -> str:
    return f"vnfm-{_slug(vnfd.product_name)}-{_slug(image_id)}-{sha256[:12]}"


def flavor_name(vnfd: Vnfd, vdu: Vdu) -> str:
    digest = hashlib.sha256(json.dumps(asdict(vdu.needs), sort_keys=True).encode()).hexdigest()
    return f"vnfm-{_slug(vnfd.product_name)}-{_slug(vdu.id)}-{digest[:8]}"


def flavor_for(name: str, needs: ResourceNeeds) -> Flavor:
    """The Nova flavor that exactly satisfies `needs`."""
    return Flavor("", name, needs.vcpus, needs.memory_mib, needs.disk_gib, needs.extra_specs())


def _quota(draft: _Draft, resized: Mapping[str, Resized], *, first: bool) -> list[PlannedQuota]:
    by_name = {flavor.name: flavor for flavor in draft.view.flavors}
    needed = dict.fromkeys(("instances", "cores", "ram_mib", "ports", "networks"), 0)
    for vdu in draft.vnfd.vdus:
        new = len(resized[vdu.id].added)
        flavor = by_name.get(str(draft.parameters.get(vdu.flavor_parameter)))
        needed["instances"] += new
        needed["cores"] += new * (flavor.vcpus if flavor else vdu.needs.vcpus)
        needed["ram_mib"] += new * (flavor.memory_mib if flavor else vdu.needs.memory_mib)
        needed["ports"] += new * len(vdu.connection_points)
    needed["networks"] = sum(1 for network in draft.networks if network.choice == "created") if first else 0
    known = {quota.resource: quota for quota in draft.view.quotas}
    rows = []
    for resource, amount in needed.items():
        quota = known.get(resource, Quota(resource, None, None))
        rows.append(PlannedQuota(resource, amount, quota.used, quota.limit))
    return rows


def _quota_errors(rows: Sequence[PlannedQuota]) -> list[FieldError]:
    return [
        FieldError("", f"Quota {r.resource}: {r.needed} more needed, {r.used} of {r.limit} in use.")
        for r in rows
        if r.needed and r.limit is not None and r.used is not None and r.limit >= 0 and r.used + r.needed > r.limit
    ]
