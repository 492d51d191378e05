"""Subnets with ranges, gateways and pools."""

from __future__ import annotations

import ipaddress
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.core.errors import ApiFault
from cloudsim.network import attributes as at
from cloudsim.network.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc
    from cloudsim.network.addresses import Addresses

    Network = ipaddress.IPv4Network | ipaddress.IPv6Network

IPV6_MODES = at.optional(at.one_of("slaac", "dhcpv6-stateful", "dhcpv6-stateless"))


def _pool(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or set(value) != {"start", "end"}:
        raise ValueError(f"'{value}' is not a valid allocation pool")
    return {"start": at.ip(value["start"]), "end": at.ip(value["end"])}


def _host_route(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or set(value) != {"destination", "nexthop"}:
        raise ValueError(f"'{value}' is not a valid host route")
    return {"destination": at.cidr(value["destination"]), "nexthop": at.ip(value["nexthop"])}


class Subnets(Resource):
    kind = "subnet"
    plural = path = "subnets"
    not_found = ("SubnetNotFound", "Subnet {id} could not be found.")
    spec: ClassVar[Mapping[str, at.Attr]] = {
        **at.COMMON,
        "network_id": at.Attr(at.REQUIRED, at.uuid, put=False),
        "ip_version": at.Attr(at.REQUIRED, at.integer, put=False),
        "cidr": at.Attr(at.REQUIRED, at.cidr, put=False),
        "gateway_ip": at.Attr(at.UNSET, at.optional(at.ip)),
        "enable_dhcp": at.Attr(True, at.boolean),
        "allocation_pools": at.Attr(at.UNSET, at.list_of(_pool)),
        "dns_nameservers": at.Attr(list, at.list_of(at.ip)),
        "host_routes": at.Attr(list, at.list_of(_host_route)),
        "ipv6_address_mode": at.Attr(None, IPV6_MODES, put=False),
        "ipv6_ra_mode": at.Attr(None, IPV6_MODES, put=False),
        "subnetpool_id": at.Attr(None, at.optional(at.uuid), put=False),
        "prefixlen": at.Attr(at.UNSET, put=False),
        "shared": at.Attr(at.UNSET, post=False, put=False),
    }

    def __init__(self, cloud: Cloud, addresses: Addresses) -> None:
        super().__init__(cloud)
        self._addresses = addresses
        self.store.index("subnet", "network", lambda doc: [doc["network_id"]])

    def _network_shared(self, doc: Doc) -> bool:
        network = self.store.get("network", doc["network_id"])
        return bool(network and (network["shared"] or network["router:external"]))

    def candidates(self, ctx: RequestContext, query: Mapping[str, list[str]]) -> Iterable[Doc]:
        if "network_id" in query:
            return chain.from_iterable(self.store.find("subnet", "network", ident) for ident in query["network_id"])
        if ctx.is_admin:
            return super().candidates(ctx, query)
        shared = (net for net in self.store.find("network", "shared", True) if net["tenant_id"] != ctx.project_id)
        others = (doc for net in shared for doc in self.store.find("subnet", "network", net["id"]))
        return chain(self.store.find("subnet", "project", ctx.project_id), others)

    def visible(self, ctx: RequestContext, doc: Doc) -> bool:
        return super().visible(ctx, doc) or self._network_shared(doc)

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        network = self.store.get("network", attrs["network_id"])
        if network is None or not (ctx.is_admin or network["tenant_id"] == ctx.project_id):
            raise ApiFault(404, "NetworkNotFound", f"Network {attrs['network_id']} could not be found.")
        cidr = ipaddress.ip_network(attrs["cidr"])
        if cidr.version != attrs["ip_version"]:
            raise at.invalid_operation(f"cidr '{cidr}' does not match the ip_version '{attrs['ip_version']}'")
        if attrs["enable_dhcp"] and cidr.prefixlen > cidr.max_prefixlen - 2:
            message = "Subnet has a prefix length that is incompatible with DHCP service enabled."
            raise at.invalid_operation(message)
        self._refuse_overlap(network["id"], cidr)
        if "gateway_ip" not in attrs:
            attrs["gateway_ip"] = str(cidr.network_address + 1)
        gateway = attrs["gateway_ip"]
        _check_gateway(cidr, gateway)
        pools = attrs.get("allocation_pools") or _default_pools(cidr, gateway)
        _check_pools(cidr, pools, gateway)
        attrs.pop("prefixlen", None)
        doc = {**attrs, "allocation_pools": pools}
        self.store.put("subnet", doc["id"], doc)
        network["subnets"].append(doc["id"])
        self.store.put("network", network["id"], network)
        return doc

    def _refuse_overlap(self, network_id: str, cidr: Network) -> None:
        for other in self.store.find("subnet", "network", network_id):
            held = ipaddress.ip_network(other["cidr"])
            if held.version == cidr.version and held.overlaps(cidr):
                raise at.invalid_operation(
                    f"Requested subnet with cidr: {cidr} for network: {network_id} overlaps with another subnet"
                )

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        cidr = ipaddress.ip_network(doc["cidr"])
        gateway = attrs.get("gateway_ip", doc["gateway_ip"])
        _check_gateway(cidr, gateway)
        _check_pools(cidr, {**doc, **attrs}["allocation_pools"], gateway)
        doc.update(attrs)
        self._addresses.forget(doc["id"])
        return self.store.put("subnet", doc["id"], doc)

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        for port in [*self.store.find("port", "subnet", doc["id"])]:
            if port["device_owner"] != "network:dhcp":
                raise ApiFault(
                    409,
                    "SubnetInUse",
                    f"Unable to complete operation on subnet {doc['id']}. One or more ports have an IP allocation from"
                    " this subnet.",
                )
        self._addresses.forget(doc["id"])
        self.store.delete("subnet", doc["id"])
        network = self.store.get("network", doc["network_id"])
        if network:
            network["subnets"].remove(doc["id"])
            self.store.put("network", network["id"], network)


def _check_gateway(cidr: Network, gateway: str | None) -> None:
    if gateway is None:
        return
    address = ipaddress.ip_address(gateway)
    edges = {cidr.network_address, cidr.broadcast_address} if cidr.num_addresses > 2 else set()  # noqa: PLR2004 - a /31
    if address not in cidr or (cidr.version == 4 and address in edges):  # noqa: PLR2004 - IPv4
        raise at.invalid_operation("Gateway is not valid on subnet")


def _default_pools(cidr: Network, gateway: str | None) -> list[dict[str, str]]:
    """Return pools of all host addresses of the range, without the gateway."""
    first, last = int(cidr.network_address) + 1, int(cidr.broadcast_address) - (1 if cidr.version == 4 else 0)  # noqa: PLR2004
    hole = int(ipaddress.ip_address(gateway)) if gateway else None
    ranges = [(first, last)] if hole is None else [(first, hole - 1), (hole + 1, last)]
    make = ipaddress.IPv4Address if cidr.version == 4 else ipaddress.IPv6Address  # noqa: PLR2004
    return [{"start": str(make(low)), "end": str(make(high))} for low, high in ranges if low <= high]


def _check_pools(cidr: Network, pools: list[dict[str, str]], gateway: str | None) -> None:
    ranges = []
    for pool in pools:
        start, end = ipaddress.ip_address(pool["start"]), ipaddress.ip_address(pool["end"])
        shown = f"{start}-{end}"
        if start.version != cidr.version or end.version != cidr.version or int(start) > int(end):
            raise ApiFault(400, "InvalidAllocationPool", f"The allocation pool {shown} is not valid.")
        if start not in cidr or end not in cidr:
            message = f"The allocation pool {shown} spans beyond the subnet cidr {cidr}."
            raise ApiFault(400, "OutOfBoundsAllocationPool", message)
        ranges.append((int(start), int(end), shown))
    for (_, high, one), (low, _, other) in pairwise(sorted(ranges)):
        if low <= high:
            message = f"Found overlapping allocation pools: {one}, {other} for subnet {cidr}."
            raise ApiFault(409, "OverlappingAllocationPools", message)
    for low, high, shown in ranges:
        if gateway and low <= int(ipaddress.ip_address(gateway)) <= high:
            message = f"Gateway ip {gateway} conflicts with allocation pool {shown}."
            raise ApiFault(409, "GatewayConflictWithAllocationPools", message)
