"""The computation of a plan: a pure function of VNFD, target, current stack and cloud."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from vnfm.catalog.domain.conditional_vdus import condition_text, undecided, with_absent
from vnfm.catalog.domain.vnfd import AspectDelta, Vdu, Vnfd
from vnfm.lcm.domain.chains import plan_chains, port_moves
from vnfm.lcm.domain.links import plan_network
from vnfm.lcm.domain.operation_request import QUOTA_EXCEEDED, Rejection, Target
from vnfm.lcm.domain.plan import (
    ARTEFACT,
    Artefact,
    Plan,
    PlannedQuota,
    PlannedResource,
    Stage,
    image_name,
)
from vnfm.lcm.domain.plan_builder import CloudSnapshot, CurrentStack, PlanBuilder
from vnfm.lcm.domain.sizing import (
    Roster,
    RosterChange,
    deployed,
    last_slots,
    pair_numbers,
    pairs,
    resize_all,
    reuse_indexes,
    vnfc_counts,
)
from vnfm.lcm.domain.stages import MOVE, StagedChange, one_by_one, stages
from vnfm.lcm.domain.vdu_flavors import own_values, plan_flavor, warn_about_scheduler_filters
from vnfm.lcm.domain.vim_quota import planned_quota, quota_errors, release_quota


def compute_plan(vnfd: Vnfd, target: Target, current: CurrentStack, view: CloudSnapshot) -> Plan | Rejection:
    """The plan that leads from the current stack to the target, or every reason against it.

    Flavors, images and networks of existing VNFCs are kept, whatever the cloud would offer today, unless the target
    changes them: Heat would resize for another flavor, rebuild for another image, replug for another network.
    """
    vnfd = _deployed(vnfd, target, current, view)
    builder = PlanBuilder(vnfd, target, current, view, warnings=[*target.warnings, *_left_out(vnfd, current)])
    builder.parameters |= {
        s.name: target.settings[s.name] for s in vnfd.settings if not s.hidden and s.name in target.settings
    }
    builder.parameters |= {**vnfd.fixed_parameters, **target.flavour.parameters}
    for link in vnfd.virtual_links:
        plan_network(builder, link)
    numbers = vnfc_counts(vnfd, target.flavour, target.scale_levels)
    removable = {delta.vdu_id for delta in target.flavour.deltas() if delta.removals_parameter}
    rosters = {vdu: roster if vdu in removable else reuse_indexes(roster) for vdu, roster in current.rosters.items()}
    last = {vdu: last_slots(roster, numbers.get(vdu, 0)) for vdu, roster in rosters.items() if vdu not in removable}
    resized = resize_all(vnfd, rosters, numbers, {**target.remove, **last})
    plan_chains(builder, {vdu_id: change.roster for vdu_id, change in resized.items()})
    for vdu in vnfd.vdus:
        _plan_vdu(builder, vdu, resized[vdu.id])
    quota = planned_quota(builder)
    if builder.errors:
        return Rejection(tuple(builder.errors), missing_flavors=tuple(builder.missing_flavors))
    if short := quota_errors(quota):
        return Rejection(tuple(short), QUOTA_EXCEEDED)
    _plan_variants(builder)
    return _plan(builder, resized, quota)


def _deployed(vnfd: Vnfd, target: Target, current: CurrentStack, view: CloudSnapshot) -> Vnfd:
    """The VNFD with those VDUs absent whose condition in the HOT does not hold."""
    known = deployed(vnfd, target.settings, target.flavour, current.rosters)
    return with_absent(known, set(view.absent) & undecided(vnfd, target.settings, target.flavour))


def _left_out(vnfd: Vnfd, current: CurrentStack) -> list[str]:
    """Return warnings of VDUs that a condition of the HOT leaves out of a new deployment, or takes from this one."""
    return [
        f"{vdu.name} is left out: the HOT has it under a condition that depends on {condition_text(vdu)}, and it does "
        "not hold."
        for vdu in vnfd.vdus
        if vdu.absent and (not current.rosters or current.rosters.get(vdu.id, Roster()).slots)
    ]


def _plan_variants(builder: PlanBuilder) -> None:
    """Choose the template of each variable type by the settings and by the pairs that there will be."""
    pairs_of = {vdu.id: builder.parameters.get(vdu.pairs_parameter) for vdu in builder.vnfd.vdus if vdu.in_pairs}
    used = {pair for vdu_id, value in pairs_of.items() if value for pair in pair_numbers(vdu_id, value)}
    for variant in builder.vnfd.variants:
        value = builder.target.settings.get(variant.setting)
        builder.registry[variant.registry_type] = variant.template(value, used)


def _plan(builder: PlanBuilder, resized: Mapping[str, RosterChange], quota: tuple[PlannedQuota, ...]) -> Plan:
    target = builder.target
    hidden = {setting.name for setting in builder.vnfd.settings if setting.hidden}
    return Plan(
        flavour_id=target.flavour.id,
        instantiation_level_id=target.instantiation_level_id,
        scale_levels=dict(target.scale_levels),
        settings={name: value for name, value in target.chosen.items() if name not in hidden},
        rosters={vdu_id: change.roster.as_json() for vdu_id, change in resized.items()},
        removed={vdu_id: list(change.removed.values()) for vdu_id, change in resized.items() if change.removed},
        added={vdu_id: list(change.added.values()) for vdu_id, change in resized.items()},
        registry=builder.registry,
        parameters=builder.parameters,
        undo_parameters=builder.undo_parameters,
        undo_slots=builder.undo_slots,
        stages=_stages(builder),
        touched=builder.touched,
        rebuilt=builder.rebuilt,
        one_way=" ".join(builder.one_way),
        artefacts=tuple(builder.artefacts),
        resources=tuple(builder.resources),
        flavors=tuple(builder.flavors),
        networks=tuple(builder.networks),
        quota=quota,
        warnings=tuple(builder.warnings),
    )


def _plan_vdu(builder: PlanBuilder, vdu: Vdu, change: RosterChange) -> None:
    kept = [slot for index, slot in change.roster.slots.items() if index not in change.added]
    resized = plan_flavor(builder, vdu, kept, len(change.added))
    rebuilt = _plan_image(builder, vdu, kept)
    moves = {slot: port_moves(builder, vdu, slot) for slot in kept}
    for index, slot in change.roster.slots.items():
        updates = [text for text in (resized.get(slot), rebuilt.get(slot), *moves.get(slot, ())) if text]
        action: Literal["create", "update", "keep"] = (
            "create" if index in change.added else "update" if updates else "keep"
        )
        detail = "; ".join(updates) if action == "update" else vdu.description
        builder.resources.append(PlannedResource.of_vnfc(action, vdu.name, slot, detail))
    builder.resources += [
        PlannedResource.of_vnfc("delete", vdu.name, slot, vdu.description) for slot in change.removed.values()
    ]
    if change.added or resized:
        warn_about_scheduler_filters(builder, vdu)
    if rebuilt:
        builder.rebuilt[vdu.id] = list(rebuilt)
    if resized:
        builder.resized[vdu.id] = list(resized)
    if touched := [slot for slot in kept if slot in resized or slot in rebuilt]:
        builder.touched[vdu.id] = touched
    builder.added[vdu.id] = list(change.added.values())
    builder.needed["instances"] += len(change.added)
    ports = builder.vnfd.least_ports_of(vdu, builder.target.settings)
    builder.needed["ports"] += len(change.added) * ports + sum(map(len, moves.values()))
    release_quota(builder, vdu, len(change.removed))
    if vdu.volumes:
        for resource, each in (("volumes", vdu.volumes), ("gigabytes", vdu.volumes_gib)):
            builder.needed[resource] = builder.needed.get(resource, 0) + len(change.added) * each
    delta = builder.target.flavour.delta(vdu.id)
    if delta is not None:
        _plan_group(builder, vdu, delta, change)


def _plan_group(builder: PlanBuilder, vdu: Vdu, delta: AspectDelta, change: RosterChange) -> None:
    """The group's size and slots, and those after a rollback: added members are removed, removed ones created again.

    Heat does not show whether it has already retired the removed indexes, so both they and the indexes
    that it would assign next map to the slots.
    """
    paired = _json_value(builder.current.parameters.get(vdu.pairs_parameter)) if vdu.in_pairs else {}
    slots_after = change.roster.slots
    builder.parameters |= _group_parameters(vdu, delta, len(slots_after), slots_after, change.removed, paired=paired)
    before = builder.current.rosters.get(vdu.id, Roster())
    recreated = dict(
        enumerate(change.removed.values(), before.next_index) if delta.removals_parameter else change.removed
    )
    if recreated:
        builder.undo_slots[vdu.id] = {str(index): slot for index, slot in recreated.items()}
    if change.added or change.removed:
        slots = {**before.slots, **recreated}
        old = {slot: str(index) for index, slot in change.removed.items()}
        paired = {**paired, **{str(i): paired[old[slot]] for i, slot in recreated.items() if old[slot] in paired}}
        builder.undo_parameters |= _group_parameters(vdu, delta, len(before.slots), slots, change.added, paired=paired)


def _group_parameters(
    vdu: Vdu,
    delta: AspectDelta,
    count: int,
    slots: Mapping[int, str],
    removed: Mapping[int, str],
    *,
    paired: Mapping[str, Any],
) -> dict[str, Any]:
    """`paired` is the stack's value of the VDU's pairs."""
    values: dict[str, Any] = {delta.count_parameter: count}
    if delta.slots_parameter:
        values[delta.slots_parameter] = {str(index): slot for index, slot in slots.items()}
    if delta.removals_parameter:
        values[delta.removals_parameter] = [str(index) for index in sorted(removed)]
    if vdu.pairs_parameter:
        values[vdu.pairs_parameter] = pairs(vdu, slots, paired)
    return values


def _json_value(value: Any) -> Mapping[str, Any]:
    """A parameter of type json, which Heat reports as text; empty for none."""
    found = json.loads(value) if isinstance(value, str) and value else value
    return found if isinstance(found, dict) else {}


def _plan_image(builder: PlanBuilder, vdu: Vdu, kept: Sequence[str]) -> dict[str, str]:
    """Choose the VDU's image; returns slot → text for each VNFC that is rebuilt."""
    if not vdu.image_parameter:
        return {}
    old = builder.current.vdu(vdu)
    current = builder.current.parameters.get(old.image_parameter) if old else None
    own = own_values(builder, old.images_parameter if old else "", kept)
    if current and not builder.target.upgrade:
        builder.parameters[vdu.image_parameter] = current
        if vdu.images_parameter:
            builder.parameters[vdu.images_parameter] = own
        return {}
    if vdu.images_parameter:
        builder.parameters[vdu.images_parameter] = {}
    chosen = str(builder.target.settings.get(vdu.image_parameter) or "")
    if chosen:
        _warn_about_default_image(builder, vdu, chosen)
    wanted = chosen or _provide_image(builder, vdu)
    same = (wanted, builder.view.artefacts.get(wanted))
    return {slot: f"rebuilt from {wanted}" for slot in kept if own.get(slot, current) not in same}


def _warn_about_default_image(builder: PlanBuilder, vdu: Vdu, chosen: str) -> None:
    """The package's own image is not used where the package's environment names another one."""
    image, setting = builder.vnfd.software_image(vdu.software_image), builder.vnfd.setting(vdu.image_parameter)
    if setting is not None and setting.default == chosen and not image.placeholder:
        builder.warnings.append(
            f"{vdu.name}: the environment of the package names image {chosen}, so {image.name} of the package is not "
            f"used. Leave {setting.label} empty to use it."
        )


def _provide_image(builder: PlanBuilder, vdu: Vdu) -> str:
    """Plan the upload of the package's own image; returns its key."""
    image = builder.vnfd.software_image(vdu.software_image)
    key = image_name(builder.vnfd, image.id, image.sha256)
    builder.parameters[vdu.image_parameter] = {ARTEFACT: key}
    if any(artefact.key == key for artefact in builder.artefacts):
        return key
    builder.artefacts.append(Artefact("image", key, image.id))
    if image.placeholder:
        setting = builder.vnfd.setting(vdu.image_parameter)
        label = setting.label if setting else vdu.image_parameter
        builder.warnings.append(f"Placeholder image {image.name}: supply your licensed image as {label}.")
    return key


def _stages(builder: PlanBuilder) -> tuple[Stage, ...]:
    """Upgrades one by one, networks in two steps; adds warnings where that is not possible."""
    vnfd = builder.vnfd
    order = one_by_one(vnfd, builder.rebuilt, {})
    if single := [f"{vdu.id}/{slot}" for vdu, slot in order]:
        builder.warnings.append(
            f"VNFCs are upgraded one after the other: {', '.join(single)}. Each restarts from a fresh disk: it keeps "
            "its UUID, ports and addresses, and loses what it stored."
        )
    builder.warnings += [
        f"{vdu.name}: all {len(builder.rebuilt[vdu.id])} VNFCs are rebuilt at once, each from a fresh disk: the "
        "package cannot upgrade them one by one."
        for vdu in vnfd.vdus
        if vdu.id in builder.rebuilt and not vdu.images_parameter
    ]
    moving = Stage(MOVE, builder.moving_parameters, builder.moving_registry) if builder.moving_registry else None
    before = _current_boot(builder)
    return stages(
        vnfd, StagedChange(builder.rebuilt, builder.resized, builder.added, before, builder.parameters, moving)
    )


def _current_boot(builder: PlanBuilder) -> dict[str, Any]:
    """The images and flavors last given to Heat, by the parameter names in the VNFD of the plan."""
    found: dict[str, Any] = {}
    for vdu in builder.vnfd.vdus:
        old = builder.current.vdu(vdu)
        if old is not None:
            names = ("image_parameter", "images_parameter", "flavor_parameter", "flavors_parameter")
            found |= {getattr(vdu, name): builder.current.parameters.get(getattr(old, name)) for name in names}
    return found
