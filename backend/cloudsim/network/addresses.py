"""The addresses of ports, chosen by the client or allocated from the pools."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault
from cloudsim.network.allocation import Allocator, Exhausted

if TYPE_CHECKING:
    from cloudsim.core.store import Doc, Store


class Addresses:
    """The used addresses by subnet, computed from the ports at first use and after a change of the pools."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pools: dict[str, Allocator] = {}

    def forget(self, subnet_id: str) -> None:
        self._pools.pop(subnet_id, None)

    def assign(self, network: Doc, wanted: list[dict[str, str]] | None) -> list[dict[str, str]]:
        """Return the fixed IPs of a new port; None means one of each IP version of the network. Raises ApiFault."""
        subnets = list(self._store.find("subnet", "network", network["id"]))
        if wanted is None:
            return self._automatic(network, subnets)
        given: list[dict[str, str]] = []
        try:
            for item in wanted:
                given.append(self._one(network, subnets, item))  # noqa: PERF401 - undone on a fault
        except ApiFault:
            self.release(given)
            raise
        return given

    def release(self, fixed_ips: list[dict[str, str]]) -> None:
        for item in fixed_ips:
            pool = self._pools.get(item["subnet_id"])
            if pool:
                pool.release(int(ipaddress.ip_address(item["ip_address"])))

    def _pool(self, subnet: Doc) -> Allocator:
        pool = self._pools.get(subnet["id"])
        if pool is None:
            used = [
                int(ipaddress.ip_address(item["ip_address"]))
                for port in self._store.find("port", "subnet", subnet["id"])
                for item in port["fixed_ips"]
                if item["subnet_id"] == subnet["id"]
            ]
            ranges = [
                (int(ipaddress.ip_address(pool["start"])), int(ipaddress.ip_address(pool["end"])))
                for pool in subnet["allocation_pools"]
            ]
            pool = self._pools[subnet["id"]] = Allocator(ranges, used)
        return pool

    def _automatic(self, network: Doc, subnets: list[Doc]) -> list[dict[str, str]]:
        given = []
        for version in (4, 6):
            of_version = [subnet for subnet in subnets if subnet["ip_version"] == version]
            if of_version:
                given.append(self._next_of_any(network, of_version))
        return given

    def _next_of_any(self, network: Doc, subnets: list[Doc]) -> dict[str, str]:
        for subnet in subnets:
            try:
                number = self._pool(subnet).take()
            except Exhausted:
                continue
            return {"subnet_id": subnet["id"], "ip_address": _address(number, subnet)}
        message = f"No more IP addresses available on network {network['id']}."
        raise ApiFault(409, "IpAddressGenerationFailure", message)

    def _one(self, network: Doc, subnets: list[Doc], item: dict[str, str]) -> dict[str, str]:
        subnet = None
        if "subnet_id" in item:
            subnet = next((doc for doc in subnets if doc["id"] == item["subnet_id"]), None)
            if subnet is None:
                raise ApiFault(
                    400,
                    "InvalidInput",
                    "Invalid input for operation: Failed to create port on network"
                    f" {network['id']}, because fixed_ips included invalid subnet {item['subnet_id']}.",
                )
        if "ip_address" not in item:
            return self._next_of_any(network, [subnet] if subnet else subnets)
        address = ipaddress.ip_address(item["ip_address"])
        fits = [doc for doc in ([subnet] if subnet else subnets) if address in ipaddress.ip_network(doc["cidr"])]
        if not fits:
            which = "the specified subnet" if subnet else "any of the subnets on the specified network"
            kind = "InvalidIpForSubnet" if subnet else "InvalidIpForNetwork"
            raise ApiFault(400, kind, f"IP address {address} is not a valid IP for {which}.")
        if not self._pool(fits[0]).take_exactly(int(address)):
            raise ApiFault(
                409,
                "IpAddressInUse",
                f"Unable to complete operation for network {network['id']}. The IP address {address} is in use.",
            )
        return {"subnet_id": fits[0]["id"], "ip_address": str(address)}


def _address(number: int, subnet: Doc) -> str:
    make = ipaddress.IPv4Address if subnet["ip_version"] == 4 else ipaddress.IPv6Address  # noqa: PLR2004 - IPv4
    return str(make(number))
