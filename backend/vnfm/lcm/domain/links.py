"""The networks of a plan: created by the stack or existing, kept or moved to."""

from typing import Literal

from vnfm.catalog.domain.settings import addresses_on, network_errors
from vnfm.catalog.domain.vnfd import VirtualLink
from vnfm.clouds.types import Network
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.fixed import plan_fixed_network
from vnfm.lcm.domain.operation_request import OWN_NETWORK
from vnfm.lcm.domain.plan import PlannedNetwork, PlannedResource
from vnfm.lcm.domain.plan_builder import PlanBuilder


def plan_network(builder: PlanBuilder, link: VirtualLink) -> None:
    """Decide on the network behind a virtual link."""
    if not link.is_used(builder.target.settings):
        _plan_unused_network(builder, link)
    elif link.fixed_network:
        plan_fixed_network(builder, link)
    else:
        _plan_chosen_network(builder, link)


def _plan_unused_network(builder: PlanBuilder, link: VirtualLink) -> None:
    name, number = link.network_parameter, builder.target.settings[link.number_setting]
    if builder.target.settings.get(name):
        message = (
            f"There is no {link.name}: {link.number_setting} is {number:g}, and would have to be {link.from_number}."
        )
        builder.errors.append(FieldError(builder.target.pointer(name), message))
    builder.parameters[name] = ""
    builder.registry[link.registry_type] = link.unused_template


def _plan_chosen_network(builder: PlanBuilder, link: VirtualLink) -> None:
    name = link.network_parameter
    current = _current_network(builder, link)
    keeps = current is not None and name not in builder.target.changed
    wanted = (current if keeps else str(builder.target.settings.get(name) or "")) if name else ""
    if not wanted and name and not link.registry_type:
        message = f"{link.name}: the package makes no network of its own. Name one that exists."
        builder.errors.append(FieldError(builder.target.pointer(name), message))
        return
    if not wanted:
        _plan_created_network(builder, link, current)
        return
    if link.registry_type:
        builder.registry[link.registry_type] = link.existing_template
    matches = [n for n in builder.view.networks if wanted in (n.id, n.name)]
    if len(matches) != 1:
        why = "is not a network that this project may use" if not matches else "names several networks; give the id"
        builder.errors.append(FieldError(builder.target.pointer(name), f"{wanted!r} {why}."))
        return
    network = matches[0]
    if network.id in builder.current.networks:
        builder.errors.append(FieldError(builder.target.pointer(name), f"{wanted!r} {OWN_NETWORK}."))
        return
    same = current in (network.id, network.name)
    # The value that Heat has: for another name of the same network, Liberty's Heat would replace every port on it.
    builder.parameters[name] = current if same else network.id
    builder.networks.append(PlannedNetwork(link.id, name, "existing", network.name, network.id))
    builder.errors += network_errors(builder.vnfd, link.id, builder.target.settings, network)
    if not network.subnets:
        builder.warnings.append(f"Network {network.name} has no subnet: its ports will have no address.")
    if current == "":
        builder.resources.append(PlannedResource("delete", "network", link.name, "when no port is on it any more"))
    if not same:
        _reject_used_addresses(builder, link, network)
    if current is not None and not same:
        _move(builder, link, network.name, current, creates=not current)


def _reject_used_addresses(builder: PlanBuilder, link: VirtualLink, network: Network) -> None:
    """Neutron shows no ports of other projects, and may still reject an address that passes here."""
    holders = {
        address: port for port in builder.view.ports if port.network_id == network.id for address in port.ip_addresses
    }
    for name, address in addresses_on(builder.vnfd, link.id, builder.target.settings).items():
        if port := holders.get(address):
            message = f"{address} is taken on network {network.name}, by port {port.name or port.id}."
            builder.errors.append(FieldError(builder.target.pointer(name), message))


def _current_network(builder: PlanBuilder, link: VirtualLink) -> str | None:
    """The existing network of the link, "" when the stack created one, None when the link is new."""
    if builder.current.vnfd is None:
        return None
    old = next((old for old in builder.current.vnfd.virtual_links if old.id == link.id), None)
    return None if old is None else str(builder.current.parameters.get(old.network_parameter) or "")


def _plan_created_network(builder: PlanBuilder, link: VirtualLink, current: str | None) -> None:
    name = link.network_parameter
    if name:
        builder.parameters[name] = ""
    if link.registry_type:
        builder.registry[link.registry_type] = link.created_template
    builder.networks.append(PlannedNetwork(link.id, name, "created", ""))
    action: Literal["create", "keep"] = "keep" if current == "" else "create"
    builder.resources.append(PlannedResource(action, "network", link.name, link.description))
    builder.needed["networks"] += action == "create"
    if current:
        _move(builder, link, "a network of the stack's own", current, creates=True)


def _move(builder: PlanBuilder, link: VirtualLink, where: str, current: str, *, creates: bool) -> None:
    """The link's ports move to another network; `creates` when the stack creates one of the two."""
    builder.moved[link.id] = where
    builder.warnings.append(
        f"{link.name}: its ports are replaced by new ones on {where}. They have other MAC addresses, and other IP "
        "addresses where the package fixes none; the servers keep running. Nova plugs a new port in as the last NIC of "
        "its VM, so look after the guest's order of NICs."
    )
    if link.vnic_type != "normal":
        builder.warnings.append(
            f"{link.name}: only Nova 22.0 (Victoria) and later can plug SR-IOV ports into a VM that runs. Where these "
            "ports are such and Nova is older, Heat fails, and the operation can be rolled back."
        )
    if not creates:
        return
    if link.moving_template:
        builder.moving_registry[link.registry_type] = link.moving_template
        builder.moving_parameters |= {link.network_parameter: current} if current else {}
    else:
        message = f"The package cannot move {link.name} between an existing network and one of its own."
        builder.errors.append(FieldError(builder.target.pointer(link.network_parameter), message))
