"""A chain of vRouters whose length changes: links between neighbours only, VMs that stay, one port re-plugged."""

from typing import TYPE_CHECKING, Any

import openstack
import pytest

from tests.factories.catalog import onboarded
from tests.factories.networks import make_network
from tests.factories.packages import VCPE, shipped_zip
from tests.service.lcm.cloud_snapshot import cloud_snapshot
from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle, assert_clean
from tests.service.lcm.vcpe_links import CHAINS, links, plugged, recorded, replugged
from vnfm.inventory.domain.drift import drift
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.selectors.instance_status import instance_status
from vnfm.lcm.services.plans import plan_request

if TYPE_CHECKING:
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def life(lifecycle: Lifecycle) -> Lifecycle:
    lifecycle.package = onboarded(shipped_zip(VCPE))
    return lifecycle


@pytest.fixture
def plant(lifecycle: Lifecycle, cloudsim: Any) -> str:
    """A network of another user."""
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    connection = openstack.connection.Connection(config=config.get_one("cloudsim"))
    return make_network(connection, "plant", "192.168.9.0/24")


def instantiated(life: Lifecycle, level: str) -> VnfInstance:
    instance = life.create()
    request = {**life.instantiate_request(), "instantiationLevelId": level}
    life.done(instance, Operation.INSTANTIATE, request)
    return instance


def to(life: Lifecycle, instance: VnfInstance, level: str) -> None:
    life.done(instance, Operation.SCALE_TO_LEVEL, {"instantiationLevelId": level})


@pytest.mark.matrix(1)
@pytest.mark.parametrize("level", CHAINS)
def test_neighbours_alone_are_linked(life: Lifecycle, level: str) -> None:
    instance = instantiated(life, level)
    assert links(life, instance) == CHAINS[level]
    assert recorded(life, instance) == CHAINS[level]
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


def test_the_chain_grows_and_shrinks_under_vms_that_stay(life: Lifecycle) -> None:
    instance = instantiated(life, "ece-only")
    ways = [
        ("one-router", {"ece-network"}),
        ("two-routers", {"router-1-outward"}),
        ("one-router", {"router-1-outward"}),
        ("ece-only", {"ece-network"}),
        ("two-routers", {"ece-network"}),
        ("ece-only", {"ece-network"}),
    ]
    for level, moved in ways:
        servers, before = life.servers_of(instance), plugged(life, instance)
        to(life, instance, level)
        assert links(life, instance) == CHAINS[level]
        assert recorded(life, instance) == CHAINS[level]
        assert replugged(before, plugged(life, instance)) == moved
        after = life.servers_of(instance)
        assert all(after[slot] == servers[slot] for slot in servers.keys() & after.keys()), "a VM was replaced"
        assert {seen.status for seen in cloud_snapshot(life, instance).values()} == {"ACTIVE"}
        assert drift(instance_status(instance_id=instance.id).view) == []


def test_the_first_router_may_go_and_come_again(life: Lifecycle) -> None:
    instance = instantiated(life, "two-routers")
    ece, second = (life.servers_of(instance)[slot] for slot in ("ece", "2"))
    first = instance.vnfcs.get(vdu_id="router", slot="1")
    request = {"type": "SCALE_IN", "aspectId": "chain", "additionalParams": {"vnfcToRemove": [str(first.id)]}}
    before = plugged(life, instance)
    life.done(instance, Operation.SCALE, request)
    assert life.servers_of(instance) == {"ece": ece, "2": second}
    assert links(life, instance) == {"access": {"ece"}, "chain1": {"ece", "2"}, "wan": {"2"}}
    assert replugged(before, plugged(life, instance)) == {"router-2-inward"}
    to(life, instance, "two-routers")
    assert links(life, instance) == CHAINS["two-routers"]
    assert (life.servers_of(instance)["ece"], life.servers_of(instance)["2"]) == (ece, second)


def test_a_router_that_cannot_be_created_leaves_the_chain_unchanged(life: Lifecycle, cloudsim: Any) -> None:
    instance = instantiated(life, "one-router")
    servers = life.servers_of(instance)
    refusal = {"service": "compute", "method": "POST", "path": "/servers$", "callers": "internal"}
    cloudsim.control("POST", "/failures", {**refusal, "effect": "status", "status": 403, "message": "No."})
    op = life.run(life.start(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "chain"}).id)
    cloudsim.control("DELETE", "/failures")
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    assert life.servers_of(instance) == servers
    assert links(life, instance) == recorded(life, instance) == CHAINS["one-router"]
    to(life, instance, "two-routers")
    assert links(life, instance) == CHAINS["two-routers"]


def test_a_healed_router_is_in_its_place(life: Lifecycle) -> None:
    instance = instantiated(life, "two-routers")
    servers = life.servers_of(instance)
    life.cloud.servers.delete(servers["1"])
    first = instance.vnfcs.get(vdu_id="router", slot="1")
    life.done(instance, Operation.HEAL, {"vnfcInstanceId": [str(first.id)]})
    after = life.servers_of(instance)
    assert (after["ece"], after["2"]) == (servers["ece"], servers["2"])
    assert after["1"] != servers["1"]
    assert links(life, instance) == CHAINS["two-routers"]


def test_the_wan_moves_to_the_last_router(life: Lifecycle, plant: str) -> None:
    instance = instantiated(life, "one-router")
    before = plugged(life, instance)
    request = {"extVirtualLinks": [{"id": "w", "resourceId": plant, "extCps": [{"cpdId": "router-outward"}]}]}
    life.done(instance, Operation.CHANGE_EXT_CONN, request)
    assert replugged(before, plugged(life, instance)) == {"router-1-outward"}
    networks = {network.id: network.name for network in life.cloud.networks.list()}
    assert {link.vl_id: networks[link.network_id] for link in instance.virtual_links.all()}["wan"] == "plant"
    to(life, instance, "ece-only")
    ports = {name: network for seen in cloud_snapshot(life, instance).values() for name, network in seen.ports.items()}
    assert ports["-ece-network"] == "plant"


def test_the_plan_says_which_port_moves_and_that_the_vm_stays(life: Lifecycle) -> None:
    instance = instantiated(life, "one-router")
    request = {"instantiationLevelId": "two-routers"}
    preview = plan_request(
        request=parse_request(Operation.SCALE_TO_LEVEL, request), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    assert preview.result is not None
    rows = {r["name"]: (r["action"], r["detail"]) for r in preview.result["resources"] if r["type"] == "vnfc"}
    assert rows["Slot ece (ECE)"][0] == "keep"
    assert rows["Slot 1 (vRouter)"] == ("update", "Outward moves from WAN to Chain link 2")
    assert rows["Slot 2 (vRouter)"][0] == "create"
    assert any("The VM keeps running" in warning for warning in preview.result["warnings"])
    assert {q["resource"]: q["needed"] for q in preview.result["quota"]}["ports"] == 4


def test_the_api_shows_external_links_of_this_flavour(api: "APIClient", life: Lifecycle) -> None:
    instance = instantiated(life, "two-routers")
    info = api.get(f"/vnflcm/v2/vnf_instances/{instance.id}").json()["instantiatedVnfInfo"]
    outside = ["ece-access", "ece-management", "router-management", "router-management", "router-outward"]
    assert sorted(cp["cpdId"] for cp in info["extCpInfo"]) == outside
    inner = {row["vnfVirtualLinkDescId"] for row in info["vnfVirtualLinkResourceInfo"]}
    assert inner == {"chain1", "chain2"}
