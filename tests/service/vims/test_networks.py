"""POST /api/v1/vims/{id}/networks: a network made where an operator needs one; the cloud is the simulated one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.worker import serving
from vnfm.kit.models import OutboxEvent
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
NO_SUBNETS = {"service": "network", "method": "POST", "path": "/subnets", "effect": "status", "status": 409}


@pytest.fixture
def network_worker(transactional_db: None) -> Iterator[None]:
    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.tasks import create_network

    registry.install(OpenStackProvider())
    with serving(create_network):
        yield


@pytest.fixture
def vim(cloudsim: CloudsimProcess) -> Vim:
    from vnfm.vims.services import vim_register_from_clouds_yaml

    return vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim")


@pytest.fixture
def create(operator_api: APIClient, vim: Vim) -> Callable[..., Any]:
    return lambda **body: operator_api.post(f"/api/v1/vims/{vim.id}/networks", body, format="json")


@pytest.mark.usefixtures("network_worker")
@pytest.mark.parametrize(("cidr", "version"), [("10.99.0.0/24", 4), ("2001:db8:99::/64", 6)])
def test_a_network_is_created_and_can_be_picked_at_once(
    operator_api: APIClient, vim: Vim, create: Callable[..., Any], cidr: str, version: int
) -> None:
    answer = create(name=f"oam-{version}", cidr=cidr, dhcp=False)
    assert answer.status_code == 201, answer.json()
    network = answer.json()
    (subnet,) = network["subnets"]
    assert (network["name"], network["external"], network["shared"]) == (f"oam-{version}", False, False)
    assert (subnet["cidr"], subnet["ipVersion"], subnet["dhcp"]) == (cidr, version, False)
    assert subnet["gatewayIp"]
    assert network in operator_api.get(f"/api/v1/vims/{vim.id}/resources").json()["networks"]
    assert OutboxEvent.objects.filter(topic="vim.changed", aggregate_id=vim.id).exists()


@pytest.mark.parametrize(
    ("cidr", "complaint"),
    [
        ("10.99.0.1/24", "host bits"),
        ("10.99.0.0/31", "too small"),
        ("224.0.0.0/24", "not a subnet of VMs"),
        ("oam", "10.20.0.0/24"),
    ],
)
def test_a_subnet_that_is_none_is_refused_at_its_field(create: Callable[..., Any], cidr: str, complaint: str) -> None:
    answer = create(name="oam", cidr=cidr)
    assert answer.status_code in {400, 422}
    (error,) = answer.json()["errors"]
    assert error["field"] == "/cidr"
    assert complaint in error["message"]


@pytest.mark.usefixtures("network_worker")
def test_what_the_cloud_refuses_is_passed_on(vim: Vim, create: Callable[..., Any]) -> None:
    Vim.objects.filter(id=vim.id).update(auth_url="http://127.0.0.1:1/v3")
    answer = create(name="oam", cidr="10.99.0.0/24")
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (503, "VIM_UNREACHABLE")
    assert "Creating network oam failed" in problem["detail"]
    assert problem["nextStep"] == "Check the cloud's state and the network between, then try again."
    assert [cause["source"] for cause in problem["causes"]] == ["keystone"]


@pytest.mark.usefixtures("network_worker")
def test_a_network_whose_subnet_is_refused_is_deleted_again(
    operator_api: APIClient, cloudsim: CloudsimProcess, vim: Vim, create: Callable[..., Any]
) -> None:
    before = networks_of(vim)
    cloudsim.control("POST", "/failures", NO_SUBNETS)
    answer = create(name="oam", cidr="10.99.0.0/24")
    assert answer.status_code == 409, answer.json()
    assert networks_of(vim) == before


def networks_of(vim: Vim) -> list[str]:
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.selectors import connection_of

    return sorted(network.id for network in OpenStackProvider().connect(connection_of(vim)).networks.list())


def test_a_viewer_creates_none(viewer_api: APIClient, vim: Vim) -> None:
    body = {"name": "oam", "cidr": "10.99.0.0/24"}
    assert viewer_api.post(f"/api/v1/vims/{vim.id}/networks", body, format="json").status_code == 403
