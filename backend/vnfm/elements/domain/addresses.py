"""Ranges of management addresses, for discovery and for new VNFs."""

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address

MAX_ADDRESSES = 65_536
"""Addresses of one rule: a /16. Probing each address of more takes too long."""


LARGEST, SMALLEST = 8, 29
"""Prefix lengths of a range of management subnets; the smallest has room for a gateway and a router's addresses."""
_NO_HOSTS = [IPv4Network(text) for text in ("0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4")]
"""This network, multicast, reserved (RFC 6890)."""


def range_problem(text: str) -> str:
    """Why no management subnets can be taken from it, as a sentence; "" when they can."""
    try:
        network = IPv4Network(text)
    except ValueError as error:
        return f"{text!r} is not an IPv4 network: {error}."
    if network.prefixlen > SMALLEST:
        return f"{network} has no room for a management subnet: choose a /{SMALLEST} or a larger one."
    if network.prefixlen < LARGEST:
        return f"{network} is more than VNFs can use: choose a /{LARGEST} or a smaller one."
    if any(map(network.overlaps, _NO_HOSTS)):
        return f"{network} has addresses that no router can have."
    return ""


def parse_range(text: str) -> tuple[Address, Address]:
    """First and last address of a network, a range or an address. Raises ValueError with the reason."""
    first, dash, last = (part.strip() for part in text.partition("-"))
    if dash:
        begin, end = ip_address(first), ip_address(last)
        if begin.version != end.version or int(begin) > int(end):
            raise ValueError(f"{text!r} does not lead from an address to a later one.")
        return begin, end
    network = ip_network(first, strict=False)
    if network.num_addresses <= 2:  # noqa: PLR2004 - a single address, or a link (RFC 3021): all are hosts
        return network[0], network[-1]
    return (network[1], network[-2]) if network.version == 4 else (network[0], network[-1])  # noqa: PLR2004


def ranges_problem(ranges: Sequence[str]) -> str:
    """Return the fault of these ranges as a sentence; "" if they are valid."""
    total = 0
    for text in ranges:
        try:
            begin, end = parse_range(text)
        except ValueError as error:
            return str(error)
        total += int(end) - int(begin) + 1
    return f"These are {total} addresses; a rule may have {MAX_ADDRESSES}." if total > MAX_ADDRESSES else ""


def addresses_in(include: Iterable[str], exclude: Iterable[str]) -> Iterator[str]:
    """Every address to probe, each once."""
    excluded = [parse_range(text) for text in exclude]
    yielded: set[Address] = set()
    for text in include:
        begin, end = parse_range(text)
        kind = type(begin)
        for number in range(int(begin), int(end) + 1):
            address = kind(number)
            if address not in yielded and not any(_within(address, *bounds) for bounds in excluded):
                yielded.add(address)
                yield str(address)


def _within(address: Address, begin: Address, end: Address) -> bool:
    return address.version == begin.version and int(begin) <= int(address) <= int(end)
