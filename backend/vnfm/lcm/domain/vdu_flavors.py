"""The Nova flavor of each VDU in a plan: kept, requested, matched or created, and which VNFCs are resized to it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal

from vnfm.catalog.domain.flavors import choose_flavor, scheduler_filters
from vnfm.catalog.domain.vnfd import ResourceNeeds, Vdu
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.fixed import cost_of, plan_fixed_flavor
from vnfm.lcm.domain.missing_flavors import create_or_refuse
from vnfm.lcm.domain.plan import PlannedFlavor
from vnfm.lcm.domain.plan_builder import PlanBuilder


def plan_flavor(builder: PlanBuilder, vdu: Vdu, staying: Sequence[str], new: int) -> dict[str, str]:
    """Choose the VDU's Nova flavor; returns slot → text for each VNFC that is resized."""
    if not vdu.flavor_parameter:
        plan_fixed_flavor(builder, vdu, new)
        return {}
    needs, old = builder.target.flavour.needs_of(vdu), builder.current.vdu(vdu)
    current = str(builder.current.parameters.get(old.flavor_parameter) or "") if old else ""
    own = own_values(builder, old.flavors_parameter if old else "", staying)
    needed_before = builder.current.flavour.needs_of(old) if old and builder.current.flavour else needs
    keeps = bool(current and needed_before == needs and vdu.flavor_parameter not in builder.target.changed)
    if vdu.flavors_parameter:
        builder.parameters[vdu.flavors_parameter] = own if keeps else {}
    if keeps:
        builder.flavors.append(_unchanged(builder, vdu, needs, current, own))
    elif chosen := _choose(builder, vdu, needs, _largest_disk(builder, {current, *own.values()}) if staying else 0):
        builder.flavors.append(chosen)
    else:
        return {}
    name = builder.flavors[-1].flavor_name
    builder.parameters[vdu.flavor_parameter] = name
    cost, cost_before = cost_of(builder, name, needs), cost_of(builder, current, needed_before)
    same = (name, _id_of(builder, name))
    before = {slot: current if keeps else str(own.get(slot, current)) for slot in staying if current}
    resized = {slot: f"resized from {old} to {name}" for slot, old in before.items() if old not in same}
    for resource, amount, amount_before in zip(("cores", "ram_mib"), cost, cost_before, strict=True):
        builder.needed[resource] += new * amount + len(resized) * max(0, amount - amount_before)
        builder.released[resource] = builder.released.get(resource, 0) + len(resized) * max(0, amount_before - amount)
    if not resized:
        return {}
    least = min((before[slot] for slot in resized), key=lambda flavor: _disk(builder, flavor))
    if _disk(builder, name) > _disk(builder, least):
        builder.one_way.append(f"{vdu.name}: {name} has a larger disk than {least}, and Nova makes no disk smaller.")
    at = "one after the other" if vdu.flavors_parameter else "all at the same time"
    origins = " or ".join(dict.fromkeys(before[slot] for slot in resized))
    many = "VNFC is" if len(resized) == 1 else f"VNFCs are, {at},"
    builder.warnings.append(
        f"{vdu.name}: {len(resized)} {many} resized from {origins} to {name}; each restarts. "
        "Nova holds the old and the new size of a VM until the resize is done: the hosts need room for both."
    )
    return resized


def _unchanged(
    builder: PlanBuilder, vdu: Vdu, needs: ResourceNeeds, current: str, own: Mapping[str, Any]
) -> PlannedFlavor:
    """The flavor of the VNFCs that run; those with another one, of `own`, are named."""
    same, reason = (current, _id_of(builder, current)), f"{current} is the flavor of the VNFCs that run"
    others = [f"slot {slot}, which has {flavor}" for slot, flavor in sorted(own.items()) if flavor not in same]
    if others:
        reason += f", but for {'; '.join(others)}"
        until = f"a change of flavour has other needs, or another value of {vdu.flavor_parameter}"
        builder.warnings.append(f"{vdu.name}: {reason}. That stays until {until}.")
    return PlannedFlavor(vdu.id, vdu.flavor_parameter, current, "kept", asdict(needs), (current,), f"{reason}.")


def own_values(builder: PlanBuilder, parameter: str, staying: Sequence[str]) -> dict[str, Any]:
    """Slot → image or flavor of VNFCs that stay with another one than the rest, as a failed operation leaves them."""
    values = dict(builder.current.parameters.get(parameter) or {}) if parameter else {}
    return {slot: values[slot] for slot in staying if slot in values}


def _choose(builder: PlanBuilder, vdu: Vdu, needs: ResourceNeeds, disk: int) -> PlannedFlavor | None:
    """The flavor that is requested, matches or will be created; None after adding an error when there is none.

    `disk` is the GiB that running VNFCs have: libvirt cannot resize to less, and Liberty's Heat then waits forever.
    """
    needs = replace(needs, disk_gib=max(needs.disk_gib, disk))
    requested = str(builder.target.settings.get(vdu.flavor_parameter) or "")
    choice = choose_flavor(needs, builder.view.flavors, requested or None)
    setting = builder.vnfd.setting(vdu.flavor_parameter)
    is_default = setting is not None and requested == str(setting.default or "")
    source: Literal["requested", "default", "matched"]
    if choice.flavor is not None and choice.flavor.disk_gib < disk:
        message = f"{choice.flavor.name} has {choice.flavor.disk_gib} GiB disk; Nova makes no disk smaller than {disk}."
        builder.errors.append(FieldError(f"/additionalParams/{vdu.flavor_parameter}", message))
        return None
    if choice.flavor is not None:
        name = choice.flavor.name
        source = "matched" if not requested else "default" if is_default else "requested"
    elif requested:
        builder.errors.append(FieldError(f"/additionalParams/{vdu.flavor_parameter}", choice.reason))
        return None
    else:
        return create_or_refuse(builder, vdu, needs, choice)
    if choice.shortfalls:
        builder.warnings.append(f"{vdu.name}: flavor {name} falls short: {', '.join(choice.shortfalls)}.")
    candidates = tuple(flavor.name for flavor in choice.candidates)
    return PlannedFlavor(
        vdu.id, vdu.flavor_parameter, name, source, asdict(needs), candidates, choice.reason, choice.surplus
    )


def warn_about_scheduler_filters(builder: PlanBuilder, vdu: Vdu) -> None:
    """Nova applies the flavor's extra specs only with scheduler filters, which no OpenStack API shows."""
    chosen = next((planned.flavor_name for planned in builder.flavors if planned.vdu_id == vdu.id), "")
    flavor = next((flavor for flavor in builder.view.flavors if chosen in (flavor.name, flavor.id)), None)
    needed, enabled = scheduler_filters(builder.target.flavour.needs_of(vdu), flavor), builder.view.scheduler_filters
    lacking = ", ".join(name for name in needed if enabled is None or name not in enabled)
    if lacking and enabled is None:
        builder.warnings.append(
            f"{vdu.name}: Nova places it as its flavor requires only with the scheduler filters {lacking}. "
            "OpenStack does not show whether they are enabled: ask the cloud's administrator, and note the filters "
            "with the cloud."
        )
    elif lacking:
        builder.warnings.append(
            f"{vdu.name}: this cloud's scheduler lacks {lacking}, so that Nova may place it on a host that does not "
            "fit. Have the cloud's administrator enable what is lacking."
        )


def _id_of(builder: PlanBuilder, name: str) -> str:
    return next((flavor.id for flavor in builder.view.flavors if flavor.name == name), name)


def _largest_disk(builder: PlanBuilder, names: Collection[str]) -> int:
    return max(_disk(builder, name) for name in names)


def _disk(builder: PlanBuilder, name: str) -> int:
    """GiB of the flavor's disk; for a flavor that does not exist (yet), the planned size."""
    planned = next((chosen.needs["disk_gib"] for chosen in builder.flavors if chosen.flavor_name == name), 0)
    return next((f.disk_gib for f in builder.view.flavors if name in (f.name, f.id)), planned)
