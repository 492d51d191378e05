"""Addresses of a VNF on a network that exists: the network's own subnet in place of the package's defaults. Pure."""

from collections.abc import Collection, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network, summarize_address_range
from typing import Any

from vnfm.catalog.domain.vnfd import AddressPlan, Vnfd
from vnfm.clouds.types import Network, Subnet
from vnfm.kit.problem import FieldError

Settings = Mapping[str, Any]
_IPV4 = 4


def left_to_the_network(vnfd: Vnfd, chosen: Settings) -> set[str]:
    """Address settings that the cloud completes on request: those on a network that exists, of which the request names
    only some. They may be missing before.
    """
    found: set[str] = set()
    for plan in _plans_on_networks(vnfd, chosen):
        names = _names(plan)
        open_names = {name for name in names if not chosen.get(name)}
        found |= open_names if chosen.get(plan.cidr) else (set(names) if open_names else set())
    return found


def address_settings(
    vnfd: Vnfd, settings: Settings, chosen: Settings, networks: Collection[Network], in_use: Mapping[str, set[str]]
) -> tuple[dict[str, str], list[FieldError]]:
    """Values of the address settings that the request leaves open, and errors where the networks have no room.

    `in_use` are addresses that are in use, by network id. An address of the package's defaults stays where the network
    has its subnet and it is free; a network that does not exist, or whose subnets are not visible, gives nothing.
    """
    values: dict[str, str] = {}
    errors: list[FieldError] = []
    for plan in _plans_on_networks(vnfd, chosen):
        network = _network_of(vnfd, plan, chosen, networks)
        subnet = _subnet(plan, network, settings, chosen) if network else None
        if network is None or subnet is None:
            continue
        own, free = IPv4Network(subnet.cidr), _free(subnet, in_use.get(network.id, set()))
        values |= {} if chosen.get(plan.cidr) else {plan.cidr: subnet.cidr}
        if plan.gateway and not chosen.get(plan.gateway) and subnet.gateway_ip:
            values[plan.gateway] = subnet.gateway_ip
        used = {str(chosen[name]) for name in plan.addresses if chosen.get(name)}
        for name in plan.addresses:
            if chosen.get(name):
                errors += _outside(name, str(chosen[name]), own, network)
                continue
            preferred = str(settings.get(name) or "")
            is_free = _is_in(preferred, own) and preferred not in used | free[1]
            address = preferred if is_free else _next(free, used)
            if address is None:
                words = f"Network {network.name} has no free address left in {subnet.cidr}. Name one, or free some."
                errors.append(FieldError(f"/additionalParams/{name}", words))
                continue
            used.add(address)
            values[name] = address
    return values, errors


def _plans_on_networks(vnfd: Vnfd, chosen: Settings) -> Iterator[AddressPlan]:
    """Address plans of links for which the request names a network."""
    named = {link.id for link in vnfd.virtual_links if link.network_parameter and chosen.get(link.network_parameter)}
    return (plan for plan in vnfd.address_plans if plan.virtual_link in named)


def _names(plan: AddressPlan) -> list[str]:
    return [name for name in (plan.cidr, plan.gateway, *plan.addresses) if name]


def _network_of(vnfd: Vnfd, plan: AddressPlan, chosen: Settings, networks: Collection[Network]) -> Network | None:
    parameter = next(link.network_parameter for link in vnfd.virtual_links if link.id == plan.virtual_link)
    found = [network for network in networks if chosen[parameter] in (network.id, network.name)]
    return found[0] if len(found) == 1 else None


def _subnet(plan: AddressPlan, network: Network, settings: Settings, chosen: Settings) -> Subnet | None:
    """The one that the request means: by its range, by its addresses, as the package's default; else the first."""
    subnets = [subnet for subnet in network.subnets if subnet.ip_version == _IPV4]
    if chosen.get(plan.cidr):
        return next((subnet for subnet in subnets if subnet.cidr == chosen[plan.cidr]), None)
    addresses = [str(chosen[name]) for name in plan.addresses if chosen.get(name)]
    for subnet in subnets:
        if addresses and all(_is_in(address, IPv4Network(subnet.cidr)) for address in addresses):
            return subnet
    default = next((subnet for subnet in subnets if subnet.cidr == settings.get(plan.cidr)), None)
    return default or next(iter(subnets), None)


def _is_in(address: str, network: IPv4Network) -> bool:
    try:
        return IPv4Address(address) in network
    except ValueError:
        return False


def _outside(name: str, address: str, subnet: IPv4Network, network: Network) -> list[FieldError]:
    if _is_in(address, subnet):
        return []
    words = f"{address} is in no subnet of network {network.name}, whose addresses are {subnet}."
    return [FieldError(f"/additionalParams/{name}", words)]


def _free(subnet: Subnet, in_use: set[str]) -> tuple[list[IPv4Network], set[str]]:
    """Return the pools, or the whole subnet where these are not visible, and the addresses of them that are taken."""
    own = IPv4Network(subnet.cidr)
    pools = [
        block
        for start, end in subnet.allocation_pools
        for block in summarize_address_range(IPv4Address(start), IPv4Address(end))
    ]
    edge = {str(own.network_address), str(own.broadcast_address), subnet.gateway_ip}
    return pools or [own], in_use | edge


def _next(free: tuple[list[IPv4Network], set[str]], used: set[str]) -> str | None:
    """The lowest free one; of a pool no more are tried than are in use."""
    blocks, in_use = free
    found = (text for block in blocks for address in block if (text := str(address)) not in in_use and text not in used)
    return next(found, None)
