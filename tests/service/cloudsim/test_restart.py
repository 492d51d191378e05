"""The state outlives the process, whichever way it ends."""

from __future__ import annotations

import pytest

from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_resources_tokens_and_deadlines_survive(tmp_path, end):
    process = CloudsimProcess(tmp_path / "state", hosts=1, boot_seconds=0.8).start()
    try:
        user = connect(process)
        network = user.network.create_network(name="n")
        user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.0.0.0/24")
        image = user.image.create_image("raw", disk_format="raw", container_format="bare", data=b"data", wait=True)
        server = user.compute.create_server(
            name="vm",
            image_id=user.image.find_image("tiny").id,
            flavor_id=user.compute.find_flavor("vnf.sriov").id,
            networks=[{"uuid": network.id}],
        )
        process.control("PUT", "/settings", {"token_seconds": 1234})
        token = user.auth_token

        getattr(process, end)()
        process.start()

        server = user.compute.wait_for_server(user.compute.get_server(server.id), interval=0.05)
        assert server.status == "ACTIVE"
        assert user.auth_token == token
        assert user.image.download_image(image).content == b"data"
        second = user.network.create_port(network_id=network.id)
        assert second.fixed_ips[0]["ip_address"] == "10.0.0.3"
        assert process.control("GET", "/settings")["settings"]["token_seconds"] == 1234
        assert len(list(user.compute.flavors())) == 8
        statistics = connect(process, "cloudsim-admin").compute.get("/os-hypervisors/statistics").json()
        assert statistics["hypervisor_statistics"]["vcpus_used"] == 4
    finally:
        process.stop()
