"""The life of a server, on a clock that stands."""

from __future__ import annotations

import asyncio

import pytest

from cloudsim.compute.lifecycle import NO_VALID_HOST


def act(sim, server, body, *, admin=False):
    return sim.call("compute", "POST", f"/servers/{server['id']}/action", body, admin=admin)


def group_of(sim, policy):
    return sim.ok("compute", "POST", "/os-server-groups", {"server_group": {"name": "g", "policies": [policy]}})["id"]


def test_a_server_builds_for_its_boot_time_and_its_ports_follow(sim):
    port = sim.port(sim.network(), **{"binding:vnic_type": "direct"})
    server = sim.boot(networks=[{"port": port["id"]}], metadata={"cloudsim:boot_seconds": "5"})
    assert (server["status"], server["OS-EXT-STS:task_state"]) == ("BUILD", "spawning")
    assert sim.ok("network", "GET", f"/ports/{port['id']}")["status"] == "DOWN"
    sim.advance(3.1)
    assert sim.server(server["id"])["status"] == "ACTIVE"
    bound = sim.ok("network", "GET", f"/ports/{port['id']}", admin=True)
    assert (bound["status"], bound["binding:vif_type"], bound["binding:host_id"]) == ("ACTIVE", "hw_veb", "compute-01")


def test_deleting_gives_back_lent_ports_and_removes_own_ones(sim):
    network = sim.network()
    lent = sim.port(network)
    server = sim.boot(networks=[{"port": lent["id"]}, {"uuid": network["id"]}])
    assert len(sim.ok("network", "GET", "/ports", device_id=server["id"])) == 2
    assert sim.call("compute", "DELETE", f"/servers/{server['id']}").status == 204
    assert sim.server(server["id"])["OS-EXT-STS:task_state"] == "deleting"
    sim.advance(1)
    assert sim.call("compute", "GET", f"/servers/{server['id']}").status == 404
    assert [(port["id"], port["device_id"]) for port in sim.ok("network", "GET", "/ports")] == [(lent["id"], "")]


def test_changes_since_lists_deleted_servers(sim):
    server = sim.boot()
    sim.advance(10)
    since = sim.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    assert sim.ok("compute", "GET", "/servers/detail", **{"changes-since": since}) == []
    sim.call("compute", "DELETE", f"/servers/{server['id']}")
    sim.advance(1)
    changed = sim.ok("compute", "GET", "/servers/detail", **{"changes-since": since})
    assert [(one["id"], one["status"]) for one in changed] == [(server["id"], "DELETED")]
    assert sim.ok("compute", "GET", "/servers/detail") == []


def test_sentinel_fail_boot_in_a_servers_name(sim):
    server = sim.boot("vm-fail-boot")
    assert server["status"] == "ERROR"
    assert "Exceeded maximum number of retries" in server["fault"]["message"]


def test_sentinel_in_a_flavors_name(sim):
    flavor = {"name": "x-fail-boot", "ram": 64, "vcpus": 1, "disk": 1, "id": "f"}
    sim.ok("compute", "POST", "/flavors", {"flavor": flavor}, admin=True)
    server = {"name": "a", "imageRef": sim.image, "flavorRef": "f", "networks": []}
    made = sim.ok("compute", "POST", "/servers", {"server": server})
    assert sim.server(made["id"])["status"] == "BUILD"
    sim.advance(2)
    assert sim.server(made["id"])["status"] == "ERROR"


@pytest.mark.parametrize(
    ("name", "seconds", "status"),
    [("stuck-build", 10_000, "BUILD"), ("slow-boot-30", 29, "BUILD"), ("slow-boot-30", 31, "ACTIVE")],
)
def test_sentinels_of_time(sim, name, seconds, status):
    server = sim.boot(name)
    sim.advance(seconds - 2)
    assert sim.server(server["id"])["status"] == status


def test_anti_affinity_ends_with_the_hosts(sim):
    hint = {"group": group_of(sim, "anti-affinity")}
    servers = [sim.boot(hints=hint) for _ in range(3)]
    assert sorted(one["OS-EXT-SRV-ATTR:host"] or "" for one in servers) == ["", "compute-01", "compute-02"]
    assert servers[2]["status"] == "ERROR"
    assert servers[2]["fault"]["message"] == NO_VALID_HOST
    assert "ServerGroupAntiAffinityFilter: 0 host(s)" in servers[2]["fault"]["details"]


def test_affinity_keeps_together(sim):
    hint = {"group": group_of(sim, "affinity")}
    assert len({sim.boot(hints=hint)["OS-EXT-SRV-ATTR:host"] for _ in range(3)}) == 1


def test_the_faults_details_are_for_administrators(sim):
    server = sim.boot("no-valid-host")
    shown = sim.ok("compute", "GET", f"/servers/{server['id']}")
    assert shown["fault"]["message"] == NO_VALID_HOST
    assert "details" not in shown["fault"]
    assert "OS-EXT-SRV-ATTR:host" not in shown


def test_virtual_functions_run_out(sim):
    network = sim.network()
    states = []
    for _ in range(5):
        ports = [sim.port(network, **{"binding:vnic_type": "direct"}) for _ in range(8)]
        states.append(sim.boot(flavor="vnf.sriov", networks=[{"port": port["id"]} for port in ports])["status"])
    assert states == ["ACTIVE"] * 4 + ["ERROR"], "two hosts have two nodes with eight functions of physnet0 each"


def test_actions_go_through_their_task_states(sim):
    server = sim.boot()
    for body, during, after in (
        ({"os-stop": None}, "ACTIVE", "SHUTOFF"),
        ({"os-start": None}, "SHUTOFF", "ACTIVE"),
        ({"reboot": {"type": "SOFT"}}, "REBOOT", "ACTIVE"),
        ({"reboot": {"type": "HARD"}}, "HARD_REBOOT", "ACTIVE"),
        ({"pause": None}, "ACTIVE", "PAUSED"),
        ({"unpause": None}, "PAUSED", "ACTIVE"),
        ({"suspend": None}, "ACTIVE", "SUSPENDED"),
        ({"resume": None}, "SUSPENDED", "ACTIVE"),
        ({"rebuild": {"imageRef": sim.image}}, "REBUILD", "ACTIVE"),
    ):
        assert act(sim, server, body).status == 202, body
        assert sim.server(server["id"])["status"] == during, body
        sim.advance(3)
        assert sim.server(server["id"])["status"] == after, body


def test_actions_in_the_wrong_state_are_conflicts(sim):
    server = sim.boot()
    reply = act(sim, server, {"os-start": None})
    assert reply.status == 409
    assert reply.fault.message == f"Cannot 'start' instance {server['id']} while it is in vm_state active"
    act(sim, server, {"os-stop": None})
    assert "task_state powering-off" in act(sim, server, {"os-stop": None}).fault.message
    assert act(sim, server, {"os-explode": None}).fault.message == "There is no such action: os-explode"


def test_evacuation_moves_a_server_from_a_dead_host_and_keeps_its_id(sim):
    server = sim.boot()
    call = {"evacuate": {"onSharedStorage": True}}
    assert "still in use" in act(sim, server, call, admin=True).fault.message
    host = sim.cloud.store.get("host", server["OS-EXT-SRV-ATTR:host"])
    sim.cloud.parts["fleet"].refresh({**host, "alive": False})
    assert "onSharedStorage" in act(sim, server, {"evacuate": {}}, admin=True).fault.message
    assert act(sim, server, call, admin=True).status == 200
    sim.advance(3)
    after = sim.server(server["id"])
    assert (after["status"], after["OS-EXT-SRV-ATTR:host"]) == ("ACTIVE", "compute-02")


def test_user_data_must_be_base64(sim):
    server = {"name": "a", "imageRef": sim.image, "flavorRef": sim.boot()["flavor"]["id"], "networks": []}
    reply = sim.call("compute", "POST", "/servers", {"server": {**server, "user_data": "%%%"}})
    assert reply.status == 400


@pytest.mark.parametrize("version", ["", "2.1", "2.12", "latest"])
def test_microversions_of_liberty(sim, version):
    assert with_version(sim, version).status == 200


def test_microversions_end_with_liberty(sim):
    reply = with_version(sim, "2.13")
    message = "Version 2.13 is not supported by the API. Minimum is 2.1 and maximum is 2.12."
    assert (reply.status, reply.body) == (406, {"computeFault": {"code": 406, "message": message}})


def with_version(sim, version):
    headers = {"x-openstack-nova-api-version": version}
    return asyncio.run(sim.cloud.dispatcher.call(sim.user, "compute", "GET", "/servers", headers=headers))


def test_without_networks_the_only_one_is_used_and_two_are_too_many(sim):
    server = sim.boot(networks=[])
    assert list(server["addresses"]) == ["public"]
    sim.network()
    body = {"name": "a", "imageRef": sim.image, "flavorRef": server["flavor"]["id"]}
    reply = sim.call("compute", "POST", "/servers", {"server": body})
    assert (reply.status, reply.fault.message) == (
        409,
        "Multiple possible networks found, use a Network ID to be more specific.",
    )
