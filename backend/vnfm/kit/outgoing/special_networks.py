"""Networks without ordinary servers on the Internet: IANA's special-purpose registries, and those that clouds reserve.

A table of our own, because `ipaddress.is_global` differs from one release of Python to the next (CVE-2024-4032), and
counts anycast services such as PCP and AS112 as global. Refused are all rows, as no package source and no subscriber is
at an address of a protocol. Last compared with the registries of 2025-10-09; `tests/unit/kit/iana_special.txt` has
their rows.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_IPV4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # RFC 791
        "10.0.0.0/8",  # RFC 1918
        "100.64.0.0/10",  # RFC 6598
        "127.0.0.0/8",  # RFC 1122
        "168.63.129.16/32",  # Azure's platform, reachable from its virtual machines alone
        "169.254.0.0/16",  # RFC 3927
        "172.16.0.0/12",  # RFC 1918
        "192.0.0.0/24",  # RFC 6890; 192.0.0.192 is the metadata service of Oracle's cloud
        "192.0.2.0/24",  # RFC 5737
        "192.31.196.0/24",  # RFC 7535
        "192.52.193.0/24",  # RFC 7450
        "192.88.99.0/24",  # RFC 7526, RFC 6751
        "192.168.0.0/16",  # RFC 1918
        "192.175.48.0/24",  # RFC 7534
        "198.18.0.0/15",  # RFC 2544
        "198.51.100.0/24",  # RFC 5737
        "203.0.113.0/24",  # RFC 5737
        "224.0.0.0/4",  # RFC 5771: multicast
        "240.0.0.0/4",  # RFC 1112; with 255.255.255.255
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All of IPv6 that IANA has assigned as global unicast; ::1, ULA, link-local, SRv6 SIDs and multicast are outside."""
_IPV6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # RFC 2928: Teredo, benchmarking, ORCHID, anycast services
        "2001:db8::/32",  # RFC 3849
        "2620:4f:8000::/48",  # RFC 7534
        "3fff::/20",  # RFC 9637
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052, 2.1. The local-use prefix of RFC 8215 is outside of global unicast."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """True if the address, as `meant_address` returns it, may be a server on the Internet."""
    if isinstance(address, IPv6Address):
        return address in _GLOBAL_UNICAST and not any(address in network for network in _IPV6)
    return not any(address in network for network in _IPV4)


def meant_address(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address to which an IPv6 one leads, where it does: mapped, 6to4 (RFC 3056) and NAT64 (RFC 6052)."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or address
