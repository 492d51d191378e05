"""An NFVO knows only the network: range, gateway and addresses of the management are asked of the cloud."""

from typing import Any

import openstack
import pytest
from openstack.connection import Connection

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)

LINK = [{"id": "oam", "resourceId": "oam", "extCps": [{"cpdId": "control-management"}]}]


@pytest.fixture
def oam(lifecycle: Lifecycle, cloudsim: Any) -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    connection = Connection(config=config.get_one("cloudsim"))
    network = connection.network.create_network(name="oam")
    connection.network.create_subnet(
        network_id=network.id,
        ip_version=4,
        cidr="127.30.0.0/24",
        gateway_ip="127.30.0.1",
        allocation_pools=[{"start": "127.30.0.50", "end": "127.30.0.60"}],
    )
    return connection


@pytest.mark.parametrize("params", [{}, {"management_cidr": "127.30.0.0/24"}], ids=["network alone", "with its range"])
def test_an_instance_on_a_network_of_another_range(
    lifecycle: Lifecycle, oam: Connection, params: dict[str, Any]
) -> None:
    def deployed() -> VnfInstance:
        instance = lifecycle.create()
        request = {**lifecycle.instantiate_request(**params), "extVirtualLinks": LINK}
        lifecycle.done(instance, Operation.INSTANTIATE, request)
        return instance

    first, second = deployed(), deployed()
    names = ("management_ip_active", "management_ip_standby")
    assert [first.settings[name] for name in names] == ["127.30.0.50", "127.30.0.51"]
    assert [second.settings[name] for name in names] == ["127.30.0.53", "127.30.0.54"], "Neutron gave a data path .52"
    stack = lifecycle.cloud.stacks.show(first.stack_id)
    assert stack.parameters["management_access"] == "127.30.0.0/24", "no wider than the management network"
    assert (first.management_subnet, first.settings["management_gateway"]) == ("127.30.0.0/24", "127.30.0.1")
