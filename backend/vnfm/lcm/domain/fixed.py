"""The flavors and networks of a plan that the template names itself, so that none is chosen."""

from dataclasses import asdict
from typing import Literal

from vnfm.catalog.domain.flavors import shortfalls
from vnfm.catalog.domain.vnfd import ResourceNeeds, Vdu, VirtualLink
from vnfm.clouds.types import Flavor
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.plan import PlannedFlavor, PlannedNetwork
from vnfm.lcm.domain.plan_builder import PlanBuilder


def cost_of(builder: PlanBuilder, name: str, needs: ResourceNeeds) -> tuple[int, int]:
    """VCPUs and MiB of one VNFC: the flavor's, or the needs where the flavor does not exist (yet)."""
    flavor = _flavor(builder, name)
    return (flavor.vcpus, flavor.memory_mib) if flavor else (needs.vcpus, needs.memory_mib)


def plan_fixed_flavor(builder: PlanBuilder, vdu: Vdu, new: int) -> None:
    """The flavor that the template names, makes, or computes; an error when the cloud lacks the one that it names."""
    needs = builder.target.flavour.needs_of(vdu)
    flavor = _flavor(builder, vdu.fixed_flavor) if vdu.fixed_flavor else None
    if vdu.fixed_flavor and flavor is None:
        message = f"The template gives {vdu.name} the flavor {vdu.fixed_flavor!r} itself, and this cloud has none such."
        builder.errors.append(FieldError("", f"{message} Have it created, or write another into the template."))
        return
    made = vdu.flavor_resource
    if made and new and builder.view.may_create_flavors is False:
        message = f"The stack creates the flavor {made} of {vdu.name}, and the VIM's user may create none."
        builder.errors.append(
            FieldError("", f"{message} Use a user who may, or write a present flavor into the template.")
        )
        return
    if made and new and builder.target.create_flavors is False:
        message = f"The stack creates the flavor {made} of {vdu.name}, and the request allows no creation."
        hint = "Leave createFlavors out, or write a present flavor into the template."
        builder.errors.append(FieldError("/additionalParams/createFlavors", f"{message} {hint}"))
        return
    reason = f"The stack creates it: {made}." if made else "The template names it itself, so that none is chosen."
    name = flavor.name if flavor else made
    candidates = (flavor.name,) if flavor else ()
    source: Literal["stack", "fixed"] = "stack" if made else "fixed"
    builder.flavors.append(PlannedFlavor(vdu.id, "", name, source, asdict(needs), candidates, reason))
    if flavor is not None and (lacking := shortfalls(needs, flavor)):
        builder.warnings.append(f"{vdu.name}: flavor {flavor.name} falls short: {', '.join(lacking)}.")
    if made and new:
        builder.warnings.append(
            f"{vdu.name}: the stack creates its flavor {made}. Nova lets only administrators create flavors, unless "
            "the cloud's policy says otherwise."
        )
    for resource, amount in zip(("cores", "ram_mib"), cost_of(builder, vdu.fixed_flavor, needs), strict=True):
        builder.needed[resource] += new * amount


def plan_fixed_network(builder: PlanBuilder, link: VirtualLink) -> None:
    """The existing network that the template names."""
    wanted = link.fixed_network
    matches = [network for network in builder.view.networks if wanted in (network.id, network.name)]
    if len(matches) != 1:
        why = "names several networks of this cloud" if matches else "is no network that this project may use"
        message = f"The template puts {link.name} on {wanted!r} itself, which {why}."
        builder.errors.append(FieldError("", f"{message} Have one of that name, or write another into the template."))
        return
    builder.networks.append(PlannedNetwork(link.id, "", "existing", matches[0].name, matches[0].id))
    if not matches[0].subnets:
        builder.warnings.append(f"Network {matches[0].name} has no subnet: its ports will have no address.")


def _flavor(builder: PlanBuilder, name: str) -> Flavor | None:
    return next((flavor for flavor in builder.view.flavors if name in (flavor.name, flavor.id)), None)
