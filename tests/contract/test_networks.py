"""A network with its subnet, as an operator makes one where a VNF is attached to it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from openstack.config import OpenStackConfig
from openstack.connection import Connection

from vnfm.clouds.errors import CloudError
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Network


@pytest.fixture
def create(cloud: Cloud, target: tuple[Path, str], prefix: str) -> Iterator[Callable[[str, str, bool], Network]]:
    """The product deletes no network, so the fixture does: those asked for here, as stacks of other tests may stand."""
    file, entry = target
    neutron = Connection(config=OpenStackConfig(config_files=[str(file)]).get_one(entry)).network
    asked: set[str] = set()

    def create(suffix: str, cidr: str, dhcp: bool) -> Network:
        asked.add(name := f"{prefix}-{suffix}")
        return cloud.networks.create(name, cidr, dhcp=dhcp)

    yield create
    for network in neutron.networks():
        if network.name in asked:
            neutron.delete_network(network)


@pytest.mark.parametrize(("cidr", "version"), [("10.99.0.0/24", 4), ("2001:db8:99::/64", 6)])
def test_it_is_listed_with_its_subnet(
    cloud: Cloud, create: Callable[[str, str, bool], Network], cidr: str, version: int
) -> None:
    network = create(f"made-{version}", cidr, False)
    (subnet,) = network.subnets
    assert (subnet.cidr, subnet.ip_version, subnet.dhcp) == (cidr, version, False)
    assert subnet.gateway_ip
    (listed,) = (one for one in cloud.networks.list() if one.id == network.id)
    assert (listed.name, listed.external, listed.shared, listed.subnets) == (network.name, False, False, (subnet,))


def test_without_its_subnet_nothing_is_left(
    cloud: Cloud, create: Callable[[str, str, bool], Network], prefix: str
) -> None:
    with pytest.raises(CloudError) as caught:
        create("refused", "10.99.0.0/31", True)
    assert "incompatible with DHCP" in caught.value.message
    assert not [one for one in cloud.networks.list() if one.name == f"{prefix}-refused"]
