"""Addresses of a VNF on a network that exists: what the request leaves open is the network's."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.lcm.deployments import catalog_vnfds
from vnfm.catalog.domain.settings import effective_settings
from vnfm.clouds.types import Network, Subnet
from vnfm.lcm.domain.network_addresses import address_settings, left_to_the_network

VSR = next(vnfd for vnfd in catalog_vnfds() if vnfd.product_name == "VSR-PE")
CIDR, GATEWAY, ACTIVE, STANDBY = (
    "management_cidr",
    "management_gateway",
    "management_ip_active",
    "management_ip_standby",
)
OAM = Subnet("s-1", "n-1", "oam", "127.30.0.0/24", "127.30.0.254", 4, True, (("127.30.0.100", "127.30.0.110"),))
NETWORK = Network("n-1", "oam", "ACTIVE", False, True, (OAM,))


def completed(network: Network = NETWORK, taken: set[str] | None = None, **chosen: Any) -> Any:
    chosen = {"management_network": "oam", **chosen}
    settings = effective_settings(VSR, chosen)
    values, errors = address_settings(VSR, settings, chosen, [network], {"n-1": taken or set()})
    return [error.message for error in errors] or {**settings, **values}


def of(settings: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(settings[name] for name in (CIDR, GATEWAY, ACTIVE, STANDBY))


def test_the_network_alone_gives_range_gateway_and_free_addresses_of_its_pool() -> None:
    assert of(completed()) == ("127.30.0.0/24", "127.30.0.254", "127.30.0.100", "127.30.0.101")
    busy = completed(taken={"127.30.0.100", "127.30.0.102"})
    assert of(busy)[2:] == ("127.30.0.101", "127.30.0.103")


def test_what_the_request_names_stays() -> None:
    assert of(completed(management_ip_active="127.30.0.9"))[2:] == ("127.30.0.9", "127.30.0.100")
    assert of(completed(management_cidr="127.30.0.0/24", management_gateway="127.30.0.1"))[1] == "127.30.0.1"


def test_the_packages_own_addresses_stay_where_they_fit_and_are_free() -> None:
    default = replace(OAM, cidr="10.10.0.0/24", gateway_ip="10.10.0.1", allocation_pools=(("10.10.0.2", "10.10.0.9"),))
    network = replace(NETWORK, subnets=(OAM, default))
    assert of(completed(network)) == ("10.10.0.0/24", "10.10.0.1", "10.10.0.10", "10.10.0.11")
    assert of(completed(network, taken={"10.10.0.10"}))[2:] == ("10.10.0.2", "10.10.0.11")


def test_the_subnet_that_holds_the_named_addresses_is_meant() -> None:
    other = replace(OAM, cidr="192.0.2.0/24", gateway_ip="", allocation_pools=())
    settings = completed(replace(NETWORK, subnets=(OAM, other)), management_ip_active="192.0.2.7")
    assert of(settings) == ("192.0.2.0/24", "10.10.0.1", "192.0.2.7", "192.0.2.1"), "it has no gateway to tell"


@pytest.mark.parametrize(
    ("network", "chosen", "words"),
    [
        (NETWORK, {"management_ip_active": "192.0.2.7"}, "192.0.2.7 is in no subnet of network oam"),
        (replace(NETWORK, subnets=(replace(OAM, allocation_pools=(("127.30.0.9", "127.30.0.9"),)),)), {}, "no free"),
    ],
)
def test_a_network_without_room_is_an_error(network: Network, chosen: dict[str, str], words: str) -> None:
    assert words in completed(network, **chosen)[0]


def test_a_network_that_is_not_visible_gives_nothing() -> None:
    defaults = effective_settings(VSR, {})
    assert of(completed(replace(NETWORK, subnets=()))) == of(defaults)
    assert of(completed(replace(NETWORK, name="other", id="n-2"))) == of(defaults)


def test_before_the_cloud_answers_only_what_it_decides_is_no_error() -> None:
    everything = {CIDR, GATEWAY, ACTIVE, STANDBY}
    assert left_to_the_network(VSR, {}) == set()
    assert left_to_the_network(VSR, {"management_network": "oam"}) == everything
    assert left_to_the_network(VSR, {"management_network": "oam", CIDR: "127.30.0.0/24"}) == everything - {CIDR}
    whole = {CIDR: "192.0.2.0/24", GATEWAY: "192.0.2.1", ACTIVE: "192.0.2.9", STANDBY: "192.0.2.8"}
    assert left_to_the_network(VSR, {"management_network": "oam", **whole}) == set()
