"""More servers than a page of Nova's has."""

from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess

MANY, LARGEST_PAGE = 1100, 1000


def test_a_list_of_many_servers_comes_in_pages(tmp_path):
    with CloudsimProcess(tmp_path / "state", hosts=20, boot_seconds=0) as process:
        user = connect(process)
        network = user.network.create_network(name="n")
        user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.0.0.0/16")
        body = {
            "name": "vm",
            "imageRef": user.image.find_image("tiny").id,
            "flavorRef": user.compute.find_flavor("m1.tiny").id,
            "networks": [{"uuid": network.id}],
            "min_count": 100,
            "max_count": 100,
        }
        for _ in range(MANY // 100):
            assert user.compute.post("/servers", json={"server": body}).status_code == 202
        page = user.compute.get("/servers/detail").json()
        rest = user.compute.get(f"/servers/detail?marker={page['servers'][-1]['id']}").json()
        assert (len(page["servers"]), page["servers_links"][0]["rel"]) == (LARGEST_PAGE, "next")
        assert len({server["id"] for server in page["servers"] + rest["servers"]}) == MANY
        assert "servers_links" not in rest
        assert user.compute.get("/servers/detail?changes-since=2099-01-01T00:00:00Z").json()["servers"] == []
        assert len(user.network.get("/ports").json()["ports"]) == MANY
