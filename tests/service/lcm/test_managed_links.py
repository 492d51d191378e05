"""Internal virtual links that the NFVO made (SOL003 4.4.1.12): the stack uses their networks where its template can."""

from typing import TYPE_CHECKING, Any

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.networks import make_network
from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle
from tests.support.etsi_schema import errors
from vnfm.lcm.domain.states import Operation

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.support.cloudsim_process import CloudsimProcess

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fabric(lifecycle: Lifecycle, cloudsim: "CloudsimProcess") -> str:
    """The NFVO's network for the routers' fabric."""
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    return make_network(Connection(config=config.get_one("cloudsim")), "nfvo-fabric", "198.18.40.0/24")


def managed(network: str, vl_id: str = "fabric") -> dict[str, Any]:
    return {"id": "nfvo-vl-1", "vnfVirtualLinkDescId": vl_id, "resourceId": network}


@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_the_stack_takes_the_network_of_the_nfvo(
    api: "APIClient", lifecycle: Lifecycle, fabric: str, edition: str
) -> None:
    instance = lifecycle.create()
    url = f"/vnflcm/{edition}/vnf_instances/{instance.id}"
    body = lifecycle.instantiate_request() | {"extManagedVirtualLinks": [managed(fabric)]}
    if edition == "v1":
        body["vimConnectionInfo"] = [{"id": key} | info for key, info in body["vimConnectionInfo"].items()]
    started = api.post(f"{url}/instantiate", body, format="json")
    assert started.status_code == 202, started.json()
    occurrence = api.get(started.headers["Location"]).json()
    assert occurrence["operationParams"] == body
    op = lifecycle.run(occurrence["id"])
    assert op.state == "COMPLETED", lifecycle.story(op)

    answer = api.get(url).json()
    assert errors("VnfInstance", answer, edition) == []
    info = answer["instantiatedVnfInfo"]
    (link,) = info["extManagedVirtualLinkInfo"]
    assert (link["id"], link["vnfVirtualLinkDescId"]) == ("nfvo-vl-1", "fabric")
    assert link["networkResource"]["resourceId"] == fabric
    ports = {port.id for port in lifecycle.cloud.networks.ports() if port.network_id == fabric and port.server_id}
    assert {port["id"] for port in link["vnfLinkPorts"]} == ports
    assert len(ports) == len(lifecycle.servers_of(instance))
    others = info["vnfVirtualLinkResourceInfo" if edition == "v2" else "virtualLinkResourceInfo"]
    assert "fabric" not in {other["vnfVirtualLinkDescId"] for other in others}
    instance.refresh_from_db()
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    assert fabric in {network.id for network in lifecycle.cloud.networks.list()}, "it is the NFVO's"


@pytest.mark.parametrize(
    ("vl_id", "words"),
    [
        ("antenna", "no virtual link 'antenna'"),
        ("management", "external virtual link: name its connection points in extVirtualLinks"),
    ],
)
def test_a_link_that_the_template_cannot_take_is_refused_with_the_reason(
    api: "APIClient", lifecycle: Lifecycle, fabric: str, vl_id: str, words: str
) -> None:
    url = f"/vnflcm/v2/vnf_instances/{lifecycle.create().id}/instantiate"
    body = lifecycle.instantiate_request() | {"extManagedVirtualLinks": [managed(fabric, vl_id=vl_id)]}
    answer = api.post(url, body, format="json")
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["field"] == "/extManagedVirtualLinks/0/vnfVirtualLinkDescId"
    assert words in error["message"]


def test_a_link_stays_where_the_vnf_has_been_instantiated(api: "APIClient", lifecycle: Lifecycle, fabric: str) -> None:
    instance = lifecycle.instantiated()
    body = {"newFlavourId": "default", "extManagedVirtualLinks": [managed(fabric)]}
    answer = api.post(f"/vnflcm/v2/vnf_instances/{instance.id}/change_flavour", body, format="json")
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["field"]) == (422, "/extManagedVirtualLinks/0/resourceId")
    assert "internal to the VNF: its network stays" in error["message"]
