"""Addresses that elements may have, and networks that the secrets of mediation policies may be sent to."""

from collections.abc import Iterable, Sequence
from ipaddress import (
    IPv4Network,
    IPv6Network,
    collapse_addresses,
    ip_address,
    ip_network,
    summarize_address_range,
)

from vnfm.elements.domain.addresses import parse_range

Network = IPv4Network | IPv6Network

NO_ELEMENTS: dict[str, tuple[Network, ...]] = {
    "a loopback address": (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128")),
    "a link-local address": (IPv4Network("169.254.0.0/16"), IPv6Network("fe80::/10")),
    "a multicast address": (IPv4Network("224.0.0.0/4"), IPv6Network("ff00::/8")),
    "a broadcast or reserved address": (IPv4Network("240.0.0.0/4"),),
    "an unspecified address": (IPv4Network("0.0.0.0/8"), IPv6Network("::/128")),
    "an IPv4 address in IPv6 form": (IPv6Network("::ffff:0:0/96"),),
}
"""Kind of an address → the networks of such addresses (RFC 6890)."""
LARGEST = {4: 8, 6: 32}
"""Shortest prefix of a policy's network, by IP version: a whole Internet would not be a limit."""


def address_problem(address: str, allowed: Sequence[Network]) -> str:
    """Why no element may have this address, as a sentence; "" when one may. `allowed`: networks that may be used
    though they are listed in `NO_ELEMENTS`.
    """
    return _network_problem(ip_network(address), allowed)


def range_destination_problem(text: str, allowed: Sequence[Network]) -> str:
    """The same for all addresses of a valid range; see `addresses.parse_range`."""
    return next(filter(None, (_network_problem(network, allowed) for network in _networks_of(text))), "")


def _network_problem(network: Network, allowed: Sequence[Network]) -> str:
    if _within(network, allowed):
        return ""
    for kind, listed in NO_ELEMENTS.items():
        if any(network.version == other.version and network.overlaps(other) for other in listed):
            where = str(network.network_address) if network.num_addresses == 1 else str(network)
            return f"{where} is {kind}." if network.num_addresses == 1 else f"{where} has {kind}."
    return ""


def networks_problem(networks: Iterable[str]) -> str:
    """Return the fault of a policy's networks as a sentence; "" if they are valid."""
    for text in networks:
        try:
            network = ip_network(text)
        except ValueError as error:
            return f"{text!r} is not a network: {error}."
        if network.prefixlen < LARGEST[network.version]:
            return f"{network} is too large: choose a /{LARGEST[network.version]} or a smaller one."
    return ""


def covers(networks: Iterable[str], address: str) -> bool:
    """Return whether a secret for these networks may be sent to the address."""
    try:
        destination = ip_address(address)
    except ValueError:
        return False
    return any(destination in ip_network(text) for text in networks)


def covers_range(networks: Iterable[str], text: str) -> bool:
    """Return whether a secret for these networks may be sent to all addresses of a valid range."""
    return contains(networks, map(str, _networks_of(text)))


def contains(networks: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether all addresses of `others` are addresses of `networks`."""
    outer = [ip_network(text) for text in networks]
    whole: list[Network] = [
        *collapse_addresses(network for network in outer if isinstance(network, IPv4Network)),
        *collapse_addresses(network for network in outer if isinstance(network, IPv6Network)),
    ]
    return all(_within(ip_network(text), whole) for text in others)


def _within(network: Network, outer: Iterable[Network]) -> bool:
    return any(
        other.version == network.version
        and other.network_address <= network.network_address  # type: ignore[operator]  # of one version
        and network.broadcast_address <= other.broadcast_address  # type: ignore[operator]
        for other in outer
    )


def _networks_of(text: str) -> list[Network]:
    begin, end = parse_range(text)
    return list(summarize_address_range(begin, end))
