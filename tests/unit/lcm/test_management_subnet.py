"""Each VNF's own management subnet, from the range of a profile."""

from dataclasses import replace
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories.packages import SHIPPED, VCPE, shipped_folders, shipped_package
from vnfm.catalog.domain.settings import validate_settings
from vnfm.catalog.domain.vnfd import AddressPlan, Vnfd
from vnfm.lcm.domain.management_subnet import addresses_in_use, is_chosen, management_plan, subnet_settings

RANGE = IPv4Network("127.30.0.0/16")
NOKIA = [folder for folder in shipped_folders() if "nokia" in folder.parts]


@pytest.fixture(scope="module")
def vnfd() -> Vnfd:
    return shipped_package(SHIPPED).vnfd


@pytest.fixture(scope="module")
def plan(vnfd: Vnfd) -> AddressPlan:
    found = management_plan(vnfd)
    assert found is not None
    return found


def test_addresses_keep_their_place_in_the_subnet(vnfd: Vnfd, plan: AddressPlan) -> None:
    assert subnet_settings(vnfd, plan, RANGE, []) == {
        "management_cidr": "127.30.0.0/24",
        "management_gateway": "127.30.0.1",
        "management_ip_active": "127.30.0.10",
        "management_ip_standby": "127.30.0.11",
    }


@pytest.mark.parametrize("folder", NOKIA, ids=lambda folder: folder.parts[-2])
def test_each_shipped_router_gets_a_valid_subnet(folder: Path) -> None:
    vnfd = shipped_package(folder).vnfd
    plan = management_plan(vnfd)
    assert plan is not None
    settings = subnet_settings(vnfd, plan, RANGE, [])
    assert settings
    assert not validate_settings(vnfd, settings)


def test_subnets_in_use_are_skipped_and_a_full_range_has_none(vnfd: Vnfd, plan: AddressPlan) -> None:
    known = ["127.30.0.0/24", "127.30.1.77", 5, None, "pe-1", "10.0.0.0/8", "127.30.2.9/24"]
    used = list(addresses_in_use(known, RANGE))
    assert used == [IPv4Network("127.30.0.0/24"), IPv4Network("127.30.1.77/32")]
    settings = subnet_settings(vnfd, plan, RANGE, used)
    assert settings is not None
    assert settings["management_cidr"] == "127.30.2.0/24"
    assert subnet_settings(vnfd, plan, IPv4Network("127.30.0.0/23"), used) is None


@given(taken=st.sets(st.integers(0, 255), max_size=200))
def test_a_free_subnet_is_found_whatever_is_in_use(vnfd: Vnfd, plan: AddressPlan, taken: set[int]) -> None:
    used = [IPv4Network(f"127.30.{number}.0/24") for number in taken]
    settings = subnet_settings(vnfd, plan, RANGE, used)
    assert settings is not None
    subnet = IPv4Network(settings["management_cidr"])
    assert not any(subnet.overlaps(each) for each in used)
    assert IPv4Address(settings["management_ip_active"]) in subnet


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"management_cidr": "10.1.0.0/24"}, True),
        ({"management_ip_standby": "10.10.0.20"}, True),
        ({"management_network": "mgmt"}, True),
        ({"management_network": "", "management_cidr": None}, False),
        ({"fabric_cidr": "10.9.0.0/24"}, False),
    ],
    ids=str,
)
def test_the_choice_of_the_operator_counts(
    vnfd: Vnfd, plan: AddressPlan, chosen: dict[str, str], *, expected: bool
) -> None:
    assert is_chosen(vnfd, plan, chosen) is expected


def test_a_default_that_does_not_fit_is_left_alone(vnfd: Vnfd, plan: AddressPlan) -> None:
    assert subnet_settings(vnfd, plan, IPv4Network("127.30.0.0/25"), []) == {}, "smaller than the subnet"
    settings = tuple(replace(one, default="") if one.name == plan.cidr else one for one in vnfd.settings)
    assert subnet_settings(replace(vnfd, settings=settings), plan, RANGE, []) == {}


def test_a_vnf_without_a_network_element_has_no_management_subnet() -> None:
    assert management_plan(shipped_package(VCPE).vnfd) is None
