from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.elements.domain.destinations import address_problem, contains, covers, covers_range, range_destination_problem

LOOPBACK = IPv4Network("127.0.0.0/8")
MAPPED = IPv6Network("::ffff:0:0/96")


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("127.9.9.9", "loopback"),
        ("169.254.169.254", "link-local"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "broadcast"),
        ("0.0.0.0", "unspecified"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("fe80::1", "link-local"),
        ("ff02::1", "multicast"),
        ("::ffff:10.0.0.1", "in IPv6 form"),
        ("10.0.0.1", ""),
        ("192.0.2.1", ""),
        ("2001:db8::1", ""),
    ],
)
def test_addresses_that_no_element_has(address: str, kind: str) -> None:
    problem = address_problem(address, [])
    assert kind in problem
    assert bool(problem) == bool(kind)
    assert address_problem(address, [ip_network(address)]) == ""


def test_only_the_networks_that_are_allowed() -> None:
    assert address_problem("127.0.0.1", [LOOPBACK]) == ""
    assert address_problem("::ffff:127.0.0.1", [LOOPBACK])
    assert address_problem("::ffff:127.0.0.1", [MAPPED]) == ""
    assert range_destination_problem("126.255.255.250-127.0.0.1", [])
    assert range_destination_problem("126.255.255.250-127.0.0.1", [LOOPBACK]) == ""
    assert range_destination_problem("127.255.255.250-128.0.0.9", [LOOPBACK]) == ""


def test_networks_together_contain_a_range() -> None:
    halves = ["10.1.0.0/17", "10.1.128.0/17"]
    assert contains(halves, ["10.1.0.0/16"])
    assert contains(halves, [])
    assert not contains(halves, ["10.0.0.0/15"])
    assert not contains(halves, ["2001:db8::/64"])
    assert covers_range(halves, "10.1.127.250-10.1.128.9")
    assert not covers_range(halves, "10.1.255.250-10.2.0.1")


@given(st.ip_addresses(v=4), st.integers(8, 32), st.ip_addresses(v=4))
def test_a_network_covers_its_addresses_and_no_others(inside: IPv4Address, prefix: int, other: IPv4Address) -> None:
    network = ip_network(f"{inside}/{prefix}", strict=False)
    assert covers([str(network)], str(inside))
    assert covers([str(network)], str(other)) == (ip_address(other) in network)
    assert not covers([], str(inside))
    assert not covers([str(network)], "router.example")
