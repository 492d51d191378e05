"""A management subnet of its own for each VNF, from the address range of a management profile."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import AddressPlan, Vnfd


def addresses_in_use(values: Iterable[Any], within: IPv4Network) -> Iterator[IPv4Network]:
    """The subnets and addresses among `values`, of any type, that are in the range; an address as its /32."""
    for value in values:
        try:
            network = IPv4Network(value) if isinstance(value, str) else None
        except ValueError:
            continue
        if network is not None and network.subnet_of(within):
            yield network


def management_plan(vnfd: Vnfd) -> AddressPlan | None:
    """The address plan of the subnet in which the VNF's network element is managed; None where it has none."""
    spec = vnfd.element
    if spec is None:
        return None
    points = {cp.id: cp.virtual_link for vdu in vnfd.vdus for cp in vdu.connection_points}
    link = points.get(spec.address_point, "")
    return next(
        (
            plan
            for plan in vnfd.address_plans
            if (spec.address_setting and spec.address_setting in plan.addresses) or (link and plan.virtual_link == link)
        ),
        None,
    )


def management_subnet(vnfd: Vnfd, settings: Mapping[str, Any]) -> str:
    """The subnet of that plan, by a setting or its default; "" without one that is an IPv4 network."""
    plan = management_plan(vnfd)
    value = effective_settings(vnfd, settings).get(plan.cidr) if plan is not None else None
    try:
        return str(IPv4Network(value or ""))
    except ValueError:
        return ""


def is_chosen(vnfd: Vnfd, plan: AddressPlan, chosen: Mapping[str, Any]) -> bool:
    """True if the operator chose the subnet, one of its addresses, or its network."""
    networks = (link.network_parameter for link in vnfd.virtual_links if link.id == plan.virtual_link)
    return any(chosen.get(name) not in (None, "") for name in (plan.cidr, plan.gateway, *plan.addresses, *networks))


def subnet_settings(
    vnfd: Vnfd, plan: AddressPlan, within: IPv4Network, used: Iterable[IPv4Network]
) -> dict[str, str] | None:
    """The default subnet and its addresses, moved to the first free subnet of the range; None when it has no free one.

    Empty where the defaults are not addresses of one subnet that is smaller than the range.
    """
    defaults = {setting.name: setting.default for setting in vnfd.settings}
    names = [name for name in (plan.gateway, *plan.addresses) if name and defaults.get(name)]
    try:
        subnet = IPv4Network(defaults.get(plan.cidr) or "")
        addresses = {name: IPv4Address(defaults[name]) for name in names}
    except ValueError:
        return {}
    if subnet.prefixlen < within.prefixlen or not all(address in subnet for address in addresses.values()):
        return {}
    taken = list(used)
    free = (new for new in within.subnets(new_prefix=subnet.prefixlen) if not any(map(new.overlaps, taken)))
    new = next(free, None)
    if new is None:
        return None
    offsets = {name: int(address) - int(subnet.network_address) for name, address in addresses.items()}
    moved = {name: str(new.network_address + offset) for name, offset in offsets.items()}
    return {plan.cidr: str(new), **moved}
