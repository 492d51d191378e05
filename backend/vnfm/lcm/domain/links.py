"""The networks of a plan: made by the stack or taken, kept or moved to."""

from typing import Literal

from vnfm.catalog.domain.settings import addresses_on, network_errors
from vnfm.catalog.domain.vnfd import VirtualLink
from vnfm.clouds.types import Network
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.draft import Draft
from vnfm.lcm.domain.plan import PlannedNetwork, PlannedResource


def plan_network(draft: Draft, link: VirtualLink) -> None:
    """Decide on the network behind a virtual link."""
    name = link.network_parameter
    standing = _standing_network(draft, link)
    keeps = standing is not None and name not in draft.target.changed
    wanted = (standing if keeps else str(draft.target.settings.get(name) or "")) if name else ""
    if not wanted and name and not link.registry_type:
        message = f"{link.name}: the package makes no network of its own. Name one that exists."
        draft.errors.append(FieldError(draft.target.pointer(name), message))
        return
    if not wanted:
        _plan_made_network(draft, link, standing)
        return
    if link.registry_type:
        draft.registry[link.registry_type] = link.existing_template
    matches = [n for n in draft.view.networks if wanted in (n.id, n.name)]
    if len(matches) != 1:
        why = "is not a network that this project may use" if not matches else "names several networks; give the id"
        draft.errors.append(FieldError(draft.target.pointer(name), f"{wanted!r} {why}."))
        return
    network = matches[0]
    if network.id in draft.before.networks:
        why = "is a network of this instance's own stack, which goes when it is left. Name another one, or none"
        draft.errors.append(FieldError(draft.target.pointer(name), f"{wanted!r} {why}."))
        return
    same = standing in (network.id, network.name)
    # As Heat was given it: by another name for the same network, Liberty's Heat would replace every port on it.
    draft.parameters[name] = standing if same else network.id
    draft.networks.append(PlannedNetwork(link.id, name, "existing", network.name, network.id))
    draft.errors += network_errors(draft.vnfd, link.id, draft.target.settings, network)
    if not network.subnets:
        draft.warnings.append(f"Network {network.name} has no subnet: its ports will have no address.")
    if standing == "":
        draft.resources.append(PlannedResource("delete", "network", link.name, "when no port is on it any more"))
    if not same:
        _refuse_taken_addresses(draft, link, network)
    if standing is not None and not same:
        _move(draft, link, network.name, standing, made=not standing)


def _refuse_taken_addresses(draft: Draft, link: VirtualLink, network: Network) -> None:
    """Of ports of other projects nothing is shown: Neutron may still refuse what passes here."""
    holders = {
        address: port for port in draft.view.ports if port.network_id == network.id for address in port.ip_addresses
    }
    for name, address in addresses_on(draft.vnfd, link.id, draft.target.settings).items():
        if port := holders.get(address):
            message = f"{address} is taken on network {network.name}, by port {port.name or port.id}."
            draft.errors.append(FieldError(draft.target.pointer(name), message))


def _standing_network(draft: Draft, link: VirtualLink) -> str | None:
    """The existing network that the link is on, "" when the stack made one, None when there is no such link yet."""
    if draft.before.vnfd is None:
        return None
    old = next((old for old in draft.before.vnfd.virtual_links if old.id == link.id), None)
    return None if old is None else str(draft.before.parameters.get(old.network_parameter) or "")


def _plan_made_network(draft: Draft, link: VirtualLink, standing: str | None) -> None:
    name = link.network_parameter
    if name:
        draft.parameters[name] = ""
    if link.registry_type:
        draft.registry[link.registry_type] = link.created_template
    draft.networks.append(PlannedNetwork(link.id, name, "created", ""))
    action: Literal["create", "keep"] = "keep" if standing == "" else "create"
    draft.resources.append(PlannedResource(action, "network", link.name, link.description))
    draft.needed["networks"] += action == "create"
    if standing:
        _move(draft, link, "a network of the stack's own", standing, made=True)


def _move(draft: Draft, link: VirtualLink, where: str, standing: str, *, made: bool) -> None:
    """The link's ports go to another network; `made` when the stack makes one of the two."""
    draft.moved[link.id] = where
    draft.warnings.append(
        f"{link.name}: its ports are replaced by new ones on {where}. They have other MAC addresses, and other IP "
        "addresses where the package fixes none; the servers keep running. Nova plugs a new port in as the last NIC of "
        "its VM, so look after the guest's order of NICs."
    )
    if link.vnic_type != "normal":
        draft.warnings.append(
            f"{link.name}: only Nova 22.0 (Victoria) and later can plug SR-IOV ports into a VM that runs. Where these "
            "ports are such and Nova is older, Heat fails, and the operation can be rolled back."
        )
    if not made:
        return
    if link.moving_template:
        draft.moving_registry[link.registry_type] = link.moving_template
        draft.moving_parameters |= {link.network_parameter: standing} if standing else {}
    else:
        message = f"The package cannot move {link.name} between an existing network and one of its own."
        draft.errors.append(FieldError(draft.target.pointer(link.network_parameter), message))
