"""Nova acts on a server that is there: reboot, rebuild, resize, evacuate, on a clock that stands."""

from __future__ import annotations

import asyncio

import pytest

from cloudsim.app import mount
from cloudsim.identity.seed import stable_uuid

SMALL, MEDIUM, TINY = (stable_uuid(f"flavor:m1.{name}") for name in ("small", "medium", "tiny"))
BOOT, ACTION = 2.0, 0.5


def act(sim, server, body, *, admin=False):
    return sim.call("compute", "POST", f"/servers/{server['id']}/action", body, admin=admin)


def state(sim, server):
    shown = sim.server(server["id"])
    return shown["status"], shown["OS-EXT-STS:task_state"]


def free_memory(sim, host):
    return sim.cloud.parts["fleet"].free(host).free_memory()


def kill(sim, host):
    doc = sim.cloud.store.get("host", host)
    doc["alive"] = False
    sim.cloud.parts["fleet"].refresh(doc)


def flavor_of(sim, name, **fields):
    size = {"vcpus": 1, "ram": 2048, "disk": 20}
    return sim.ok("compute", "POST", "/flavors", {"flavor": {"name": name, **size, **fields}}, admin=True)["id"]


def stopped(sim, server):
    act(sim, server, {"os-stop": None})
    sim.advance(ACTION)
    return server


@pytest.fixture
def server(sim):
    return sim.boot(flavor="m1.small")


def test_a_hard_reboot_shows_as_such_only_on_a_running_server(sim, server):
    assert act(sim, server, {"reboot": {"type": "HARD"}}).status == 202
    assert state(sim, server) == ("HARD_REBOOT", "rebooting_hard")
    sim.advance(ACTION)
    assert state(sim, server) == ("ACTIVE", None)
    act(sim, stopped(sim, server), {"reboot": {"type": "HARD"}})
    assert state(sim, server) == ("SHUTOFF", "rebooting_hard")
    sim.advance(ACTION)
    assert state(sim, server) == ("ACTIVE", None)
    act(sim, server, {"os-resetState": {"state": "error"}}, admin=True)
    act(sim, server, {"reboot": {"type": "HARD"}})
    assert state(sim, server) == ("ERROR", "rebooting_hard")
    sim.advance(ACTION)
    assert state(sim, server) == ("ACTIVE", None)


def test_a_stopped_server_that_is_rebuilt_runs_for_a_moment(sim, server):
    assert act(sim, stopped(sim, server), {"rebuild": {"imageRef": sim.image}}).status == 202
    assert state(sim, server) == ("REBUILD", "rebuilding")
    sim.advance(BOOT)
    assert state(sim, server) == ("ACTIVE", "powering-off")
    sim.advance(ACTION)
    assert state(sim, server) == ("SHUTOFF", None)
    assert sim.server(server["id"])["OS-EXT-SRV-ATTR:host"] == server["OS-EXT-SRV-ATTR:host"]


def test_an_image_that_is_not_there_cannot_be_rebuilt_from(sim, server):
    assert act(sim, server, {"rebuild": {"imageRef": TINY}}).fault.message == "Cannot find image for rebuild"


def test_a_resize_holds_both_sizes_until_it_is_confirmed(sim, server):
    first, empty = server["OS-EXT-SRV-ATTR:host"], free_memory(sim, "compute-02")
    before = free_memory(sim, first)
    assert act(sim, server, {"resize": {"flavorRef": MEDIUM}}).status == 202
    assert state(sim, server) == ("RESIZE", "resize_prep")
    assert sim.server(server["id"])["flavor"]["id"] == SMALL
    sim.advance(BOOT)
    assert state(sim, server) == ("VERIFY_RESIZE", None)
    shown = sim.server(server["id"])
    assert (shown["flavor"]["id"], shown["OS-EXT-SRV-ATTR:host"]) == (MEDIUM, "compute-02")
    assert (free_memory(sim, first), free_memory(sim, "compute-02")) == (before, empty - 4096)
    port = sim.ok("network", "GET", "/ports", device_id=server["id"], admin=True)[0]
    assert (port["binding:host_id"], port["status"]) == ("compute-02", "ACTIVE")
    assert act(sim, server, {"confirmResize": None}).status == 204
    assert act(sim, server, {"confirmResize": None}).fault.message == "Instance has not been resized."
    sim.advance(ACTION)
    assert state(sim, server) == ("ACTIVE", None)
    assert (free_memory(sim, first), free_memory(sim, "compute-02")) == (before + 2048, empty - 4096)
    assert "vm_state active" in act(sim, server, {"confirmResize": None}).fault.message


def test_a_stopped_server_stays_off_through_a_resize(sim, server):
    act(sim, stopped(sim, server), {"resize": {"flavorRef": MEDIUM}})
    assert state(sim, server)[0] == "RESIZE"
    sim.advance(BOOT)
    act(sim, server, {"confirmResize": None})
    sim.advance(ACTION)
    assert state(sim, server) == ("SHUTOFF", None)


def test_a_server_of_two_sizes_can_be_deleted_and_a_restart_forgets_neither(sim, server):
    empty = free_memory(sim, "compute-01") + 2048
    act(sim, server, {"resize": {"flavorRef": MEDIUM}})
    sim.advance(BOOT)
    mount(sim.cloud)
    asyncio.run(sim._start())
    assert (free_memory(sim, "compute-01"), free_memory(sim, "compute-02")) == (empty - 2048, empty - 4096)
    sim.call("compute", "DELETE", f"/servers/{server['id']}")
    sim.advance(ACTION)
    assert (free_memory(sim, "compute-01"), free_memory(sim, "compute-02")) == (empty, empty)


def test_quota_counts_the_larger_of_two_sizes(sim, server):
    quota = {"quota_set": {"ram": 4096}}
    sim.ok("compute", "PUT", f"/os-quota-sets/{sim.project}", quota, admin=True)
    used = lambda: sim.ok("compute", "GET", "/limits")["absolute"]["totalRAMUsed"]  # noqa: E731
    assert act(sim, server, {"resize": {"flavorRef": stable_uuid("flavor:m1.large")}}).status == 403
    act(sim, server, {"resize": {"flavorRef": MEDIUM}})
    assert used() == 4096
    sim.advance(BOOT)
    act(sim, server, {"confirmResize": None})
    sim.advance(ACTION)
    assert used() == 4096
    act(sim, server, {"resize": {"flavorRef": flavor_of(sim, "less", disk=40)}})
    sim.advance(BOOT)
    assert used() == 4096
    act(sim, server, {"confirmResize": None})
    sim.advance(ACTION)
    assert used() == 2048


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (SMALL, "When resizing, instances must change flavor!"),
        ("nowhere", "Flavor nowhere could not be found."),
        ("huge", "No valid host was found. No valid host found for resize"),
        ("no-valid-host", "No valid host was found. No valid host found for resize"),
    ],
)
def test_a_resize_that_is_refused(sim, server, reference, words):
    flavors = {"huge": {"vcpus": 2000, "disk": 20}, "no-valid-host": {}}
    wanted = flavor_of(sim, reference, **flavors[reference]) if reference in flavors else reference
    reply = act(sim, server, {"resize": {"flavorRef": wanted}})
    assert (reply.status, reply.fault.message) == (400, words)
    assert state(sim, server) == ("ACTIVE", None)


def test_a_disk_cannot_shrink_and_the_server_stays_as_it_was(sim, server):
    free = free_memory(sim, "compute-02")
    assert act(sim, server, {"resize": {"flavorRef": TINY}}).status == 202
    sim.advance(BOOT)
    assert state(sim, server) == ("ACTIVE", None)
    assert sim.server(server["id"])["flavor"]["id"] == SMALL
    assert free_memory(sim, "compute-02") == free


def test_a_crash_between_two_sizes_leaves_one_of_them(sim, server):
    free = free_memory(sim, "compute-01")
    act(sim, server, {"resize": {"flavorRef": MEDIUM}})
    sim.advance(BOOT)
    sim.cloud.parts["lifecycle"].force(sim.cloud.store.get("server", server["id"]), "stopped")
    assert state(sim, server) == ("SHUTOFF", None)
    assert free_memory(sim, "compute-01") == free + 2048
    assert sim.server(server["id"])["flavor"]["id"] == MEDIUM


def test_a_size_that_does_not_boot(sim, server):
    act(sim, server, {"resize": {"flavorRef": flavor_of(sim, "fail-boot")}})
    sim.advance(BOOT)
    assert state(sim, server) == ("ERROR", None)


@pytest.mark.parametrize("action", [{"reboot": {"type": "HARD"}}, {"os-stop": None}, {"resize": {"flavorRef": SMALL}}])
def test_a_resize_waits_to_be_confirmed_before_all_else(sim, server, action):
    act(sim, server, {"resize": {"flavorRef": MEDIUM}})
    sim.advance(BOOT)
    assert "while it is in vm_state resized" in act(sim, server, action).fault.message


def test_evacuation_from_a_dead_host(sim, server):
    host = server["OS-EXT-SRV-ATTR:host"]
    body = {"evacuate": {"onSharedStorage": False}}
    assert "still in use" in act(sim, server, body, admin=True).fault.message
    assert act(sim, server, body).status == 403
    kill(sim, host)
    assert act(sim, server, body, admin=True).status == 200
    assert state(sim, server) == ("REBUILD", "rebuilding")
    sim.advance(BOOT)
    assert state(sim, server) == ("ACTIVE", None)
    assert sim.server(server["id"])["OS-EXT-SRV-ATTR:host"] != host


def test_a_stopped_server_is_evacuated_and_stopped_again(sim, server):
    stopped(sim, server)
    kill(sim, server["OS-EXT-SRV-ATTR:host"])
    act(sim, server, {"evacuate": {"onSharedStorage": False}}, admin=True)
    sim.advance(BOOT)
    sim.advance(ACTION)
    assert state(sim, server) == ("SHUTOFF", None)


def test_an_evacuation_that_finds_no_host_is_accepted_and_comes_to_nothing(sim, server):
    for host in ("compute-01", "compute-02"):
        kill(sim, host)
    assert act(sim, server, {"evacuate": {"onSharedStorage": False}}, admin=True).status == 200
    assert state(sim, server) == ("REBUILD", "rebuilding")
    sim.advance(ACTION)
    assert state(sim, server) == ("ACTIVE", None)
    assert sim.server(server["id"])["OS-EXT-SRV-ATTR:host"] == server["OS-EXT-SRV-ATTR:host"]


def test_a_server_that_was_at_work_when_its_host_died_must_be_reset_first(sim, server):
    act(sim, server, {"os-stop": None})
    kill(sim, server["OS-EXT-SRV-ATTR:host"])
    sim.advance(ACTION)
    body = {"evacuate": {"onSharedStorage": False}}
    assert "while it is in task_state powering-off" in act(sim, server, body, admin=True).fault.message
    act(sim, server, {"os-resetState": {"state": "error"}}, admin=True)
    assert act(sim, server, body, admin=True).status == 200
