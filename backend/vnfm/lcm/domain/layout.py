"""The computation of a plan: a pure function of VNFD, target, what stands and what the cloud showed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal

from vnfm.catalog.domain.flavors import choose_flavor, scheduler_filters
from vnfm.catalog.domain.vnfd import ResourceNeeds, ScalingAspect, Vdu, Vnfd
from vnfm.clouds.types import Quota
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.chains import plan_chains, port_moves
from vnfm.lcm.domain.draft import Before, CloudView, Draft
from vnfm.lcm.domain.links import plan_network
from vnfm.lcm.domain.plan import (
    ARTEFACT,
    Artefact,
    Plan,
    PlannedFlavor,
    PlannedQuota,
    PlannedResource,
    Stage,
    flavor_name,
    image_name,
)
from vnfm.lcm.domain.sizing import Resized, Roster, counts, indexes_again, pairs, resize_all
from vnfm.lcm.domain.stages import MOVE, stages, upgrade_order
from vnfm.lcm.domain.target import CREATE_FLAVORS, QUOTA_EXCEEDED, Refused, Target


def compute_plan(vnfd: Vnfd, target: Target, before: Before, view: CloudView) -> Plan | Refused:
    """The plan that leads from what stands to the target, or every reason why there is none.

    Flavors, images and networks of VNFCs that run are kept, whatever the cloud would offer today, unless the target
    changes them: Heat would resize for another flavor, rebuild for another image, replug for another network.
    """
    draft = Draft(vnfd, target, before, view, warnings=list(target.warnings))
    draft.parameters |= {
        s.name: target.settings[s.name] for s in vnfd.settings if not s.hidden and s.name in target.settings
    }
    draft.parameters |= {**vnfd.fixed_parameters, **target.flavour.parameters}
    for variant in vnfd.variants:
        value = target.settings.get(variant.setting)
        draft.registry[variant.registry_type] = variant.templates[str(value).lower()]
    for link in vnfd.virtual_links:
        plan_network(draft, link)
    wanted = counts(vnfd, target.flavour, target.scale_levels)
    named = {aspect.vdu_id for aspect in target.flavour.aspects if aspect.removals_parameter}
    rosters = {vdu: roster if vdu in named else indexes_again(roster) for vdu, roster in before.rosters.items()}
    resized = resize_all(vnfd, rosters, wanted, target.remove)
    plan_chains(draft, {vdu_id: change.roster for vdu_id, change in resized.items()})
    for vdu in vnfd.vdus:
        _plan_vdu(draft, vdu, resized[vdu.id])
    quota = tuple(_quota(draft))
    if draft.errors:
        return Refused(tuple(draft.errors))
    if short := _quota_errors(quota):
        return Refused(tuple(short), QUOTA_EXCEEDED)
    return _plan(draft, resized, quota)


def _plan(draft: Draft, resized: Mapping[str, Resized], quota: tuple[PlannedQuota, ...]) -> Plan:
    target = draft.target
    hidden = {setting.name for setting in draft.vnfd.settings if setting.hidden}
    return Plan(
        flavour_id=target.flavour.id,
        instantiation_level_id=target.instantiation_level_id,
        scale_levels=dict(target.scale_levels),
        settings={name: value for name, value in target.chosen.items() if name not in hidden},
        rosters={vdu_id: change.roster.as_json() for vdu_id, change in resized.items()},
        removed={vdu_id: list(change.removed.values()) for vdu_id, change in resized.items() if change.removed},
        added={vdu_id: list(change.added.values()) for vdu_id, change in resized.items()},
        registry=draft.registry,
        parameters=draft.parameters,
        undo_parameters=draft.undo_parameters,
        undo_slots=draft.undo_slots,
        stages=_stages(draft),
        touched=draft.touched,
        rebuilt=draft.rebuilt,
        one_way=" ".join(draft.one_way),
        artefacts=tuple(draft.artefacts),
        resources=tuple(draft.resources),
        flavors=tuple(draft.flavors),
        networks=tuple(draft.networks),
        quota=quota,
        warnings=tuple(draft.warnings),
    )


def _plan_vdu(draft: Draft, vdu: Vdu, change: Resized) -> None:
    kept = [slot for index, slot in change.roster.slots.items() if index not in change.added]
    resized = _plan_flavor(draft, vdu, kept, len(change.added))
    rebuilt = _plan_image(draft, vdu, kept)
    moves = {slot: port_moves(draft, vdu, slot) for slot in kept}
    for index, slot in change.roster.slots.items():
        happens = [words for words in (resized, rebuilt.get(slot), *moves.get(slot, ())) if words]
        action: Literal["create", "update", "keep"] = (
            "create" if index in change.added else "update" if happens else "keep"
        )
        detail = "; ".join(happens) if action == "update" else vdu.description
        draft.resources.append(PlannedResource(action, "vnfc", f"{vdu.name}, slot {slot}", detail))
    draft.resources += [
        PlannedResource("delete", "vnfc", f"{vdu.name}, slot {slot}", vdu.description)
        for slot in change.removed.values()
    ]
    if change.added or resized:
        _warn_of_filters(draft, vdu)
    if rebuilt:
        draft.rebuilt[vdu.id] = list(rebuilt)
    if touched := kept if resized else list(rebuilt):
        draft.touched[vdu.id] = touched
    draft.needed["instances"] += len(change.added)
    draft.needed["ports"] += len(change.added) * len(vdu.connection_points) + sum(map(len, moves.values()))
    aspect = next((a for a in draft.target.flavour.aspects if a.vdu_id == vdu.id), None)
    if aspect is not None:
        _plan_group(draft, vdu, aspect, change)


def _plan_group(draft: Draft, vdu: Vdu, aspect: ScalingAspect, change: Resized) -> None:
    """The group's size and slots, and where a rollback leads: what came is named for removal; what went comes back.

    Whether Heat has already crossed off the indexes that went nobody can tell from outside, so both they and those
    that it would hand out next lead to the slots.
    """
    draft.parameters |= _group_parameters(vdu, aspect, len(change.roster.slots), change.roster.slots, change.removed)
    before = draft.before.rosters.get(vdu.id, Roster())
    anew = dict(enumerate(change.removed.values(), before.next_index) if aspect.removals_parameter else change.removed)
    if anew:
        draft.undo_slots[vdu.id] = {str(index): slot for index, slot in anew.items()}
    if change.added or change.removed:
        slots = {**before.slots, **anew}
        draft.undo_parameters |= _group_parameters(vdu, aspect, len(before.slots), slots, change.added)


def _group_parameters(
    vdu: Vdu, aspect: ScalingAspect, count: int, slots: Mapping[int, str], removed: Mapping[int, str]
) -> dict[str, Any]:
    values: dict[str, Any] = {aspect.count_parameter: count}
    if aspect.slots_parameter:
        values[aspect.slots_parameter] = {str(index): slot for index, slot in slots.items()}
    if aspect.removals_parameter:
        values[aspect.removals_parameter] = [str(index) for index in sorted(removed)]
    if vdu.pairs_parameter:
        values[vdu.pairs_parameter] = pairs(vdu, slots)
    return values


def _plan_flavor(draft: Draft, vdu: Vdu, kept: Sequence[str], new: int) -> str:
    """Choose the VDU's Nova flavor; returns what that means for the VNFCs that stay, "" when nothing."""
    needs, old = draft.target.flavour.needs_of(vdu), draft.before.vdu(vdu)
    standing = str(draft.before.parameters.get(old.flavor_parameter) or "") if old else ""
    needed_before = draft.before.flavour.needs_of(old) if old and draft.before.flavour else needs
    if standing and needed_before == needs and vdu.flavor_parameter not in draft.target.changed:
        reason = f"{standing} is the flavor of the VNFCs that run."
        planned = PlannedFlavor(vdu.id, vdu.flavor_parameter, standing, "kept", asdict(needs), (standing,), reason)
        draft.flavors.append(planned)
    elif (chosen := _choose(draft, vdu, needs, _disk(draft, standing) if kept else 0)) is not None:
        draft.flavors.append(chosen)
    else:
        return ""
    name = draft.flavors[-1].flavor_name
    draft.parameters[vdu.flavor_parameter] = name
    cost, cost_before = _cost(draft, name, needs), _cost(draft, standing, needed_before)
    resized = bool(standing and kept) and standing not in (name, _id_of(draft, name))
    for resource, amount, amount_before in zip(("cores", "ram_mib"), cost, cost_before, strict=True):
        draft.needed[resource] += new * amount + (len(kept) * max(0, amount - amount_before) if resized else 0)
    if not resized:
        return ""
    if _disk(draft, name) > _disk(draft, standing):
        draft.one_way.append(f"{vdu.name}: {name} has a larger disk than {standing}, and Nova makes no disk smaller.")
    many = "VNFC is" if len(kept) == 1 else "VNFCs are, all at the same time,"
    draft.warnings.append(
        f"{vdu.name}: {len(kept)} {many} resized from {standing} to {name}; each restarts. "
        "Nova holds the old and the new size of a VM until the resize is done: the hosts need room for both."
    )
    return f"resized from {standing} to {name}"


def _choose(draft: Draft, vdu: Vdu, needs: ResourceNeeds, disk: int) -> PlannedFlavor | None:
    """The flavor that is asked for, found or to be created; None when there is none, which is then noted.

    `disk` is the GiB that running VNFCs have: libvirt resizes to no less, and Liberty's Heat then waits for good.
    """
    needs = replace(needs, disk_gib=max(needs.disk_gib, disk))
    requested = str(draft.target.settings.get(vdu.flavor_parameter) or "")
    choice = choose_flavor(needs, draft.view.flavors, requested or None)
    source: Literal["requested", "matched", "to_create"]
    if choice.flavor is not None and choice.flavor.disk_gib < disk:
        message = f"{choice.flavor.name} has {choice.flavor.disk_gib} GiB disk; Nova makes no disk smaller than {disk}."
        draft.errors.append(FieldError(f"/additionalParams/{vdu.flavor_parameter}", message))
        return None
    if choice.flavor is not None:
        name, source = choice.flavor.name, "requested" if requested else "matched"
    elif draft.target.create_flavors and not requested:
        name, source = flavor_name(draft.vnfd, vdu, needs), "to_create"
        draft.artefacts.append(Artefact("flavor", name, vdu.id))
        draft.resources.append(
            PlannedResource("create", "flavor", name, "no present flavor fits; its creation is agreed to")
        )
    else:
        hint = "" if requested else f' Or agree that one is created: "{CREATE_FLAVORS}": true.'
        draft.errors.append(FieldError(f"/additionalParams/{vdu.flavor_parameter}", choice.reason + hint))
        return None
    if choice.shortfalls:
        draft.warnings.append(f"{vdu.name}: flavor {name} falls short: {', '.join(choice.shortfalls)}.")
    candidates = tuple(flavor.name for flavor in choice.candidates)
    return PlannedFlavor(vdu.id, vdu.flavor_parameter, name, source, asdict(needs), candidates, choice.reason)


def _warn_of_filters(draft: Draft, vdu: Vdu) -> None:
    """Whether Nova heeds what the VDU's flavor asks for depends on filters that OpenStack does not show."""
    chosen = next((planned.flavor_name for planned in draft.flavors if planned.vdu_id == vdu.id), "")
    flavor = next((flavor for flavor in draft.view.flavors if chosen in (flavor.name, flavor.id)), None)
    needed, told = scheduler_filters(draft.target.flavour.needs_of(vdu), flavor), draft.view.scheduler_filters
    lacking = ", ".join(name for name in needed if told is None or name not in told)
    if lacking and told is None:
        draft.warnings.append(
            f"{vdu.name}: Nova heeds its needs only with the scheduler filters {lacking}. OpenStack does not tell "
            "whether they are enabled: ask the cloud's administrator, and note the filters with the cloud."
        )
    elif lacking:
        draft.warnings.append(
            f"{vdu.name}: this cloud's scheduler lacks {lacking}, so that Nova may place it on a host that does not "
            "fit. Have the cloud's administrator enable what is lacking."
        )


def _id_of(draft: Draft, name: str) -> str:
    return next((flavor.id for flavor in draft.view.flavors if flavor.name == name), name)


def _disk(draft: Draft, name: str) -> int:
    """GiB of the flavor's disk; a flavor that is not there (yet) has what was chosen for it."""
    planned = next((chosen.needs["disk_gib"] for chosen in draft.flavors if chosen.flavor_name == name), 0)
    return next((f.disk_gib for f in draft.view.flavors if name in (f.name, f.id)), planned)


def _cost(draft: Draft, name: str, needs: ResourceNeeds) -> tuple[int, int]:
    """VCPUs and MiB of one VNFC: the flavor's, or what is needed where the flavor is not there (yet)."""
    flavor = next((flavor for flavor in draft.view.flavors if name in (flavor.name, flavor.id)), None)
    return (flavor.vcpus, flavor.memory_mib) if flavor else (needs.vcpus, needs.memory_mib)


def _plan_image(draft: Draft, vdu: Vdu, kept: Sequence[str]) -> dict[str, str]:
    """Choose the VDU's image; returns what that means for each VNFC that is rebuilt: slot to words."""
    old = draft.before.vdu(vdu)
    standing = draft.before.parameters.get(old.image_parameter) if old else None
    own = dict(draft.before.parameters.get(old.images_parameter) or {}) if old and old.images_parameter else {}
    if standing and not draft.target.upgrade:
        draft.parameters[vdu.image_parameter] = standing
        if vdu.images_parameter:
            draft.parameters[vdu.images_parameter] = {slot: own[slot] for slot in kept if slot in own}
        return {}
    if vdu.images_parameter:
        draft.parameters[vdu.images_parameter] = {}
    chosen = str(draft.target.settings.get(vdu.image_parameter) or "")
    wanted = chosen or _provide(draft, vdu)
    there = (wanted, draft.view.artefacts.get(wanted))
    return {slot: f"rebuilt from {wanted}" for slot in kept if own.get(slot, standing) not in there}


def _provide(draft: Draft, vdu: Vdu) -> str:
    """Have the package's own image in the cloud; returns its key."""
    image = draft.vnfd.software_image(vdu.software_image)
    key = image_name(draft.vnfd, image.id, image.sha256)
    draft.parameters[vdu.image_parameter] = {ARTEFACT: key}
    if any(artefact.key == key for artefact in draft.artefacts):
        return key
    draft.artefacts.append(Artefact("image", key, image.id))
    if image.placeholder:
        setting = draft.vnfd.setting(vdu.image_parameter)
        label = setting.label if setting else vdu.image_parameter
        draft.warnings.append(
            f"{image.name} is a placeholder, not a router: bring your own licensed image and choose it as {label}."
        )
    return key


def _stages(draft: Draft) -> tuple[Stage, ...]:
    """Upgrades one by one, networks in two steps; and the words for what cannot be so."""
    vnfd = draft.vnfd
    order = upgrade_order(vnfd, draft.rebuilt)
    if single := [f"{vdu.id}/{slot}" for vdu, slot in order if vdu.images_parameter]:
        draft.warnings.append(
            f"VNFCs are upgraded one after the other: {', '.join(single)}. Each restarts from a fresh disk: it keeps "
            "its UUID, ports and addresses, and loses what it stored."
        )
    draft.warnings += [
        f"{vdu.name}: all {len(draft.rebuilt[vdu.id])} VNFCs are rebuilt at the same time, each from a fresh disk: the "
        "package cannot upgrade them one by one."
        for vdu in vnfd.vdus
        if vdu.id in draft.rebuilt and not vdu.images_parameter
    ]
    moving = Stage(MOVE, draft.moving_parameters, draft.moving_registry) if draft.moving_registry else None
    return stages(vnfd, draft.rebuilt, _held(draft), draft.parameters, moving)


def _held(draft: Draft) -> dict[str, Any]:
    """The images that Heat was last given, by the names that their parameters have in the VNFD of the plan."""
    held: dict[str, Any] = {}
    for vdu in draft.vnfd.vdus:
        old = draft.before.vdu(vdu)
        if old is not None:
            held[vdu.image_parameter] = draft.before.parameters.get(old.image_parameter)
            held[vdu.images_parameter] = draft.before.parameters.get(old.images_parameter)
    return held


def _quota(draft: Draft) -> list[PlannedQuota]:
    known = {quota.resource: quota for quota in draft.view.quotas}
    rows = []
    for resource, amount in draft.needed.items():
        quota = known.get(resource, Quota(resource, None, None))
        rows.append(PlannedQuota(resource, amount, quota.used, quota.limit))
    return rows


def _quota_errors(rows: Sequence[PlannedQuota]) -> list[FieldError]:
    return [
        FieldError("", f"Quota {r.resource}: {r.needed} more needed, {r.used} of {r.limit} in use.")
        for r in rows
        if r.needed and r.limit is not None and r.used is not None and r.limit >= 0 and r.used + r.needed > r.limit
    ]
