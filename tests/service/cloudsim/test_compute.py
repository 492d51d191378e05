"""Nova, by openstacksdk."""

from __future__ import annotations

import base64

import pytest
from openstack import exceptions


def test_the_client_negotiates_2_12(user):
    assert user.compute.get_endpoint_data().max_microversion == (2, 12)


def test_a_server_with_an_sriov_port(cloud, user, admin, boot):
    network = user.network.create_network(name="data")
    user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.1.0.0/24")
    port = user.network.create_port(network_id=network.id, binding_vnic_type="direct")
    data = base64.b64encode(b"slot=A").decode()
    server = boot("cpm", "vnf.sriov", networks=[{"port": port.id}], metadata={"slot": "A"}, user_data=data)
    assert server.status == "ACTIVE"
    assert server.addresses["data"][0]["addr"] == port.fixed_ips[0]["ip_address"]
    seen = admin.compute.get_server(server.id)
    bound = admin.network.get_port(port.id)
    assert bound.binding_host_id == seen.hypervisor_hostname
    assert (bound.binding_vif_type, bound.status) == ("hw_veb", "ACTIVE")
    claim = cloud.control("GET", f"/servers/{server.id}")["server"]["claim"]
    assert sum(node["dedicated"] for node in claim["nodes"]) == 4
    assert [one.action for one in user.compute.server_actions(server)] == ["create"]


def test_stop_start_and_delete(user, boot):
    server = boot()
    user.compute.stop_server(server)
    server = user.compute.wait_for_server(server, status="SHUTOFF", interval=0.05)
    with pytest.raises(exceptions.ConflictException, match="while it is in vm_state stopped"):
        user.compute.stop_server(server)
    user.compute.start_server(server)
    server = user.compute.wait_for_server(server, interval=0.05)
    user.compute.delete_server(server)
    user.compute.wait_for_delete(server, interval=0.05)
    assert [one.status for one in user.compute.servers(changes_since="2015-01-01T00:00:00Z")] == ["DELETED"]


def test_lists_filter_and_page(user, boot):
    for name in ("gw-a", "gw-b", "other"):
        boot(name)
    assert [one.name for one in user.compute.servers(name="^gw-")] == ["gw-b", "gw-a"]
    assert len(list(user.compute.servers(limit=1))) == 3
    assert list(user.compute.servers(status="SHUTOFF")) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"image_id": "nope"}, "Can not find requested image"),
        ({"flavor_id": "nope"}, "Invalid flavorRef provided"),
        ({"key_name": "nope"}, "Invalid key_name provided"),
        ({"networks": [{"uuid": "nope"}]}, "Network nope could not be found"),
    ],
)
def test_bad_requests_in_novas_words(user, changes, words):
    good = {
        "name": "a",
        "image_id": user.image.find_image("tiny").id,
        "flavor_id": user.compute.find_flavor("m1.tiny").id,
        "networks": [],
    }
    with pytest.raises(exceptions.BadRequestException, match=words):
        user.compute.create_server(**{**good, **changes})


def test_flavors_are_the_administrators_unless_the_policy_says_otherwise(cloud, user, admin):
    flavor = {"name": "mine", "ram": 1024, "vcpus": 1, "disk": 1}
    with pytest.raises(exceptions.ForbiddenException, match="os-flavor-manage"):
        user.compute.create_flavor(**flavor)
    cloud.control("PUT", "/settings", {"flavor_create_role": "member"})
    made = user.compute.create_flavor(**flavor)
    user.compute.create_flavor_extra_specs(made, {"hw:cpu_policy": "dedicated"})
    assert user.compute.fetch_flavor_extra_specs(made).extra_specs == {"hw:cpu_policy": "dedicated"}
    with pytest.raises(exceptions.ConflictException, match="already exists"):
        admin.compute.create_flavor(**flavor)


def test_quotas_and_limits(cloud, user, boot):
    cloud.control("PUT", "/quotas/vnf", {"compute": {"instances": 1}})
    boot()
    with pytest.raises(exceptions.ForbiddenException, match="Quota exceeded for instances: Requested 1, but already"):
        boot()
    limits = user.compute.get_limits().absolute
    assert (limits.instances, limits.instances_used) == (1, 1)


def test_soft_affinity_came_later(user):
    assert user.compute.create_server_group(name="g", policies=["anti-affinity"]).policies == ["anti-affinity"]
    with pytest.raises(exceptions.BadRequestException, match="is not one of"):
        user.compute.create_server_group(name="g", policies=["soft-affinity"])


def test_interfaces_of_a_running_server(user, boot):
    network = user.network.create_network(name="late")
    user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.2.0.0/24")
    server = boot()
    attached = user.compute.create_server_interface(server, net_id=network.id)
    assert attached.port_id in [one.port_id for one in user.compute.server_interfaces(server)]
    user.compute.delete_server_interface(attached.port_id, server=server)
    assert list(user.network.ports(network_id=network.id)) == []


def test_hypervisors_and_services(admin, user, boot):
    boot()
    hypervisors = admin.compute.get("/os-hypervisors/detail").json()["hypervisors"]
    assert [(one["state"], one["status"]) for one in hypervisors] == [("up", "enabled")] * 10
    assert sorted(one["running_vms"] for one in hypervisors) == [0] * 9 + [1]
    compute = [one for one in admin.compute.services() if one.binary == "nova-compute"]
    assert [one.is_forced_down for one in compute] == [False] * 10
    admin.compute.update_service_forced_down(compute[0], compute[0].host, "nova-compute", forced=True)
    assert admin.compute.get("/os-hypervisors").json()["hypervisors"][0]["state"] == "down"
    with pytest.raises(exceptions.ForbiddenException):
        list(user.compute.hypervisors())


def test_apis_after_liberty_are_absent(cloud, user):
    root = f"/compute/v2.1/{user.current_project_id}"
    token = {"X-Auth-Token": user.auth_token}
    assert cloud.request("GET", f"{root}/os-simple-tenant-usage-of-later", None, token)[0] == 404
    assert cloud.request("GET", f"{root}/os-quota-sets/x/detail", None, token)[0] == 404
    assert cloud.request("PATCH", f"{root}/servers", {}, token)[0] == 405
    version = {**token, "X-OpenStack-Nova-API-Version": "2.60"}
    assert cloud.request("GET", f"{root}/servers", None, version)[0] == 406
    later = {**token, "OpenStack-API-Version": "compute 2.60"}
    assert cloud.request("GET", f"{root}/servers", None, later)[0] == 200
