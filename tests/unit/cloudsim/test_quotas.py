"""Quotas refuse in the words of the service that refuses."""

from __future__ import annotations

from cloudsim.compute.quotas import set_limits as set_compute
from cloudsim.network.quotas import set_limits as set_network


def create(sim, count=1, flavor="m1.medium"):
    from cloudsim.identity.seed import stable_uuid

    server = {"name": "vm", "imageRef": sim.image, "flavorRef": stable_uuid(f"flavor:{flavor}"), "networks": []}
    return sim.call("compute", "POST", "/servers", {"server": {**server, "min_count": count}})


def test_instances(sim):
    set_compute(sim.cloud, sim.project, {"instances": 1})
    sim.boot()
    reply = create(sim)
    message = "Quota exceeded for instances: Requested 1, but already used 1 of 1 instances"
    assert reply.status == 403
    assert reply.body == {"forbidden": {"code": 403, "message": message}}


def test_every_resource_over_its_limit_is_named(sim):
    set_compute(sim.cloud, sim.project, {"cores": 1, "ram": 4000})
    message = "Quota exceeded for cores, ram: Requested 2, 4096, but already used 0, 0 of 1, 4000 cores, ram"
    assert create(sim).body["forbidden"]["message"] == message


def test_a_batch_counts_as_a_whole(sim):
    set_compute(sim.cloud, sim.project, {"instances": 2})
    assert create(sim, count=3).status == 403
    assert create(sim, count=2).status == 202


def test_deleted_servers_count_no_more(sim):
    set_compute(sim.cloud, sim.project, {"instances": 1})
    server = sim.boot()
    sim.call("compute", "DELETE", f"/servers/{server['id']}")
    sim.advance(1)
    assert create(sim).status == 202


def test_group_members(sim):
    set_compute(sim.cloud, sim.project, {"server_group_members": 1})
    group = sim.ok("compute", "POST", "/os-server-groups", {"server_group": {"name": "g", "policies": ["affinity"]}})
    sim.boot(hints={"group": group["id"]})
    servers = {"server": {"name": "x", "imageRef": sim.image, "flavorRef": sim.boot()["flavor"]["id"], "networks": []}}
    reply = sim.call("compute", "POST", "/servers", {**servers, "os:scheduler_hints": {"group": group["id"]}})
    assert (reply.status, reply.fault.message) == (403, "Quota exceeded, too many servers in group")


def test_ports(sim):
    network = sim.network()
    set_network(sim.cloud, sim.project, {"port": 1})
    sim.port(network)
    reply = sim.call("network", "POST", "/ports", {"port": {"network_id": network["id"]}})
    assert (reply.status, reply.fault.type) == (409, "OverQuota")
    assert reply.fault.message == "Quota exceeded for resources: ['port']."


def test_limits_show_the_usage(sim):
    sim.boot(flavor="vnf.control")
    absolute = sim.ok("compute", "GET", "/limits")["absolute"]
    assert (absolute["totalInstancesUsed"], absolute["totalCoresUsed"], absolute["totalRAMUsed"]) == (1, 4, 8192)
