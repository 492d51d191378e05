"""The trail into the cloud's own logs: every request that changes something, by whichever library it was sent."""

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard
from vnfm.clouds.call_log import record_calls
from vnfm.clouds.errors import NotFound
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Connection, Flavor, Image, StackInput

STRANGER = "00000000-0000-4000-8000-000000000000"


def test_each_service_says_by_which_id_it_knows_our_request(
    connection: Connection, admin_connection: Connection, yard: Yard, prefix: str
) -> None:
    cloud, admin = (OpenStackProvider().connect(one) for one in (connection, admin_connection))
    with record_calls() as calls:
        image_id = cloud.images.create(Image("", f"{prefix}-trail", "", 0, "", "raw", "bare"))
        cloud.images.delete(image_id)
        flavor_id = admin.flavors.create(Flavor("", f"{prefix}-trail", 1, 64, 1))
        admin.flavors.delete(flavor_id)
        stack_id = cloud.stacks.create(yard.name("trail"), StackInput(templates.NETWORK, {}, {}, {}, tags=(prefix,)))
        yard.made.append(stack_id)
        with pytest.raises(NotFound):
            cloud.servers.reboot(STRANGER)
    rows = [(call.service, call.method, call.path.rpartition("/")[2], call.status) for call in calls]
    assert rows == [
        ("glance", "POST", "images", 201),
        ("glance", "DELETE", image_id, 204),
        ("nova", "POST", "flavors", 200),
        ("nova", "DELETE", flavor_id, 202),
        ("heat", "POST", "stacks", 201),
        ("nova", "POST", "action", 404),
    ]
    assert all(call.request_id.startswith("req-") for call in calls)
    assert [call.at for call in calls] == sorted(call.at for call in calls)
    assert all(call.path.startswith("/") for call in calls)


def test_reading_leaves_no_trail(cloud: Cloud) -> None:
    with record_calls() as calls:
        cloud.servers.list()
        cloud.probe()
    assert calls == []
