"""The links of an element on which an address is, by the networks of its interfaces."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_interface, ip_network
from typing import Protocol


class Addressed(Protocol):
    """An interface with its addresses, as 192.0.2.1/24, and the port that it is on."""

    if_index: int
    addresses: Sequence[str]
    port_if_index: int | None


class Links:
    """The interfaces of an element by the networks of their addresses.

    Routing instances may use the same networks, and interfaces do not name theirs: then there are several.
    """

    def __init__(self, interfaces: Iterable[Addressed]) -> None:
        self._behind: dict[IPv4Network | IPv6Network, set[int]] = {}
        for interface in interfaces:
            places = {interface.if_index, interface.port_if_index or interface.if_index}
            for own in interface.addresses:
                if (network := _network(own)) is not None:
                    self._behind.setdefault(network, set()).update(places)
        self._lengths = {(network.version, network.prefixlen) for network in self._behind}

    def behind(self, address: str) -> list[int]:
        """The ifIndex of each interface whose network contains the address, and of its port; ascending."""
        try:
            there = ip_address(address.partition("%")[0])
        except ValueError:
            return []
        networks = (
            ip_network((there, bits), strict=False) for version, bits in self._lengths if version == there.version
        )
        return sorted({each for network in networks for each in self._behind.get(network, ())})


def _network(own: str) -> IPv4Network | IPv6Network | None:
    """None for IPv6 link-local, which is on every link, and for addresses without a mask."""
    try:
        network = ip_interface(own).network
    except ValueError:
        return None
    everywhere = network.prefixlen == 0 or (isinstance(network, IPv6Network) and network.is_link_local)
    return None if everywhere else network
