"""Interfaces and ports of an address, by the networks of interfaces."""

import pytest

from vnfm.elements.domain.links import Links
from vnfm.elements.models import Interface

INTERFACES = (
    Interface(if_index=1, addresses=["198.51.100.1/31", "2001:db8:0:1::1/64"], port_if_index=11),
    Interface(if_index=2, addresses=["198.51.100.0/30"]),
    Interface(if_index=3, addresses=["fe80::1/64", "nonsense", "192.0.2.1"]),
    Interface(if_index=4, addresses=["198.51.100.3/30", "fe80::4/64"], port_if_index=11),
    Interface(if_index=5, addresses=["203.0.113.1/0", "::1/0"]),
)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("198.51.100.0", [1, 2, 4, 11]),
        ("198.51.100.2", [2, 4, 11]),
        ("198.51.100.9", []),
        ("2001:db8:0:1::9", [1, 11]),
        ("2001:db8:0:2::9", []),
        ("fe80::2%1001", []),
        ("192.0.2.1", [3]),
        ("192.0.2.2", []),
        ("no address", []),
        ("", []),
    ],
)
def test_an_address_is_behind_interfaces_and_their_ports(address: str, expected: list[int]) -> None:
    assert Links(INTERFACES).behind(address) == expected
