"""Snapshots of the whole simulated cloud."""

from __future__ import annotations

import pytest

TEMPLATE = {
    "heat_template_version": "2015-10-15",
    "resources": {"net": {"type": "OS::Neutron::Net", "properties": {"name": "of a stack"}}},
}


def restore(cloud, ident):
    assert cloud.request("POST", f"/control/v1/snapshots/{ident}/restore")[0] == 204


def test_all_is_as_it_was_and_goes_on(cloud, user, boot):
    stack = user.orchestration.create_stack(name="s", template=TEMPLATE)
    server = boot()
    image = user.image.create_image("raw", disk_format="raw", container_format="bare", data=b"data", wait=True)
    cloud.control("PUT", "/settings", {"token_seconds": 1234})
    cloud.settle(30)
    snapshot = cloud.snapshot()

    user.compute.delete_server(server)
    user.image.delete_image(image)
    user.orchestration.delete_stack(stack)
    cloud.control("POST", "/reset")
    restore(cloud, snapshot)

    assert cloud.snapshot() == snapshot
    assert cloud.control("GET", "/settings")["settings"]["token_seconds"] == 1234
    assert user.compute.get_server(server.id).status == "ACTIVE"
    assert user.image.download_image(image).content == b"data"
    assert user.network.find_network("of a stack") is not None
    token = user.auth_token
    user.orchestration.delete_stack(stack)
    user.compute.stop_server(server)
    cloud.settle(30)
    assert user.network.find_network("of a stack") is None
    assert user.compute.get_server(server.id).status == "SHUTOFF"
    restore(cloud, snapshot)
    assert user.auth_token == token, "tokens stay valid"
    assert user.compute.get_server(server.id).status == "ACTIVE"


def test_each_state_has_an_id_of_its_own(cloud, user):
    before = cloud.snapshot()
    assert cloud.snapshot() == before
    user.network.create_network(name="n")
    assert cloud.snapshot() != before


@pytest.mark.parametrize("under_way", ["a boot", "a failure rule"])
def test_not_while_anything_is_under_way(cloud, boot, under_way):
    if under_way == "a boot":
        boot(metadata={"cloudsim:boot_seconds": "30"}, wait=False)
    else:
        cloud.control("POST", "/failures", {"service": "compute", "effect": "status"})
    status, answer = cloud.request("POST", "/control/v1/snapshots")
    assert (status, answer["NeutronError"]["message"][:17]) == (409, "Something is unde")


def test_an_unknown_one(cloud):
    assert cloud.request("POST", "/control/v1/snapshots/x/restore")[0] == 404
