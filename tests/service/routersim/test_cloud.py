"""Virtual elements on the simulated cloud: their cards are its VMs."""

from __future__ import annotations

import json

import openstack
import pytest
from openstack.connection import Connection

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until

INSTANCE = "11111111-2222-3333-4444-555555555555"


@pytest.fixture(scope="module")
def user(cloudsim: CloudsimProcess) -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    return Connection(config=config.get_one("cloudsim"))


def boot(user: Connection, slot: str, card: str, address: str = "") -> str:
    """Create a VM of the instance; returns its ID."""
    network = user.network.find_network("mgmt") or user.network.create_network(name="mgmt")
    if not network.subnet_ids:
        user.network.create_subnet(network_id=network.id, cidr="127.50.0.0/24", ip_version=4, name="mgmt")
    fixed = {"fixed_ip": address} if address else {}
    server = user.compute.create_server(
        name=f"vsr-{slot}",
        image_id=user.image.find_image("tiny").id,
        flavor_id=user.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": network.id, **fixed}],
        metadata={"vnf_instance": INSTANCE, "slot": slot, "timos": f"TIMOS: slot={slot} chassis=VSR card={card}"},
    )
    user.compute.wait_for_server(server, interval=0.05)
    return str(server.id)


def test_cards_follow_the_vms(cloudsim: CloudsimProcess, user: Connection, routersim: RoutersimProcess) -> None:
    vms = {slot: boot(user, slot, card, address) for slot, card, address in (
        ("A", "cpm-v", "127.50.0.10"), ("B", "cpm-v", "127.50.0.11"), ("1", "iom-v", ""), ("2", "iom-v", ""),
    )}  # fmt: skip
    routersim.control(
        "PUT", "/clouds/cloudsim", {"cloudsYaml": str(cloudsim.clouds_yaml), "seconds": 0.1, "adopt": True}
    )
    (element,) = [one for one in routersim.control("GET", "/elements")["elements"] if one["vnfInstance"] == INSTANCE]
    assert (element["kind"], element["address"]) == ("VSR", "127.50.0.10")

    def states() -> dict[str, str]:
        return {card["slot"]: card["state"] for card in routersim.element(element["name"])["cards"]}

    until(lambda: states() == dict.fromkeys("AB12", "IN_SERVICE"), "all cards")
    until(lambda: routersim.element(element["name"])["answers"], "the router to answer")

    cloudsim.control("POST", f"/servers/{vms['1']}/stop")
    until(lambda: states()["1"] == "PROVISIONED", "the empty slot")
    user.compute.delete_server(vms["2"])
    until(lambda: states()["2"] == "PROVISIONED", "the other empty slot")
    cloudsim.control("POST", f"/servers/{vms['1']}/start")
    until(lambda: states()["1"] == "IN_SERVICE", "the card")

    cloudsim.control("POST", f"/servers/{vms['A']}/stop")
    until(lambda: routersim.element(element["name"])["activeControl"] == "B", "the switchover")
    cloudsim.control("POST", f"/servers/{vms['B']}/stop")
    until(lambda: not routersim.element(element["name"])["answers"], "silence")
    cloudsim.control("POST", f"/servers/{vms['B']}/start")
    until(lambda: routersim.element(element["name"])["answers"], "its return")
    routersim.control("DELETE", "/clouds/cloudsim")
    assert json.dumps(states())
