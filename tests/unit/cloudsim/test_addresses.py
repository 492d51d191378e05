"""Addresses, VLANs and bindings."""

from __future__ import annotations

import pytest

from cloudsim.network.allocation import Allocator, Exhausted


def test_allocator_takes_the_lowest_free_number():
    pool = Allocator([(5, 6), (10, 11)], used=[5])
    assert [pool.take(), pool.take(), pool.take()] == [6, 10, 11]
    with pytest.raises(Exhausted):
        pool.take()
    pool.release(10)
    assert pool.take() == 10


def test_allocator_keeps_a_chosen_number():
    pool = Allocator([(1, 3)])
    assert pool.take_exactly(2)
    assert not pool.take_exactly(2)
    assert [pool.take(), pool.take()] == [1, 3]


def test_allocator_work_grows_with_the_count_not_its_square():
    pool = Allocator([(1, 100_000)])
    assert [pool.take() for _ in range(100_000)][-1] == 100_000


def fault(sim, *args, **kwargs):
    reply = sim.call(*args, **kwargs)
    return reply.status, reply.fault.type, reply.fault.message


def test_addresses_come_from_the_pool_without_the_gateway(sim):
    network = sim.network("10.0.0.0/29")
    assert [sim.port(network)["fixed_ips"][0]["ip_address"] for _ in range(5)] == [f"10.0.0.{i}" for i in range(2, 7)]
    status, kind, message = fault(sim, "network", "POST", "/ports", {"port": {"network_id": network["id"]}})
    assert (status, kind) == (409, "IpAddressGenerationFailure")
    assert "No more IP addresses available" in message


def test_a_released_address_is_free_again(sim):
    network = sim.network("10.0.0.0/30", gateway_ip=None)
    port = sim.port(network)
    sim.port(network)
    sim.call("network", "DELETE", f"/ports/{port['id']}")
    assert sim.port(network)["fixed_ips"] == port["fixed_ips"]


@pytest.mark.parametrize(
    ("address", "status", "kind"),
    [
        ("10.0.0.9", 409, "IpAddressInUse"),
        ("10.9.0.9", 400, "InvalidIpForNetwork"),
        ("nonsense", 400, "HTTPBadRequest"),
    ],
)
def test_chosen_addresses_are_checked(sim, address, status, kind):
    network = sim.network()
    sim.port(network, fixed_ips=[{"ip_address": "10.0.0.9"}])
    body = {"port": {"network_id": network["id"], "fixed_ips": [{"ip_address": address}]}}
    assert fault(sim, "network", "POST", "/ports", body)[:2] == (status, kind)


def test_a_failed_update_of_addresses_leaks_none(sim):
    network = sim.network("10.0.0.0/29")
    port = sim.port(network, fixed_ips=[{"ip_address": "10.0.0.2"}])
    sim.port(network, fixed_ips=[{"ip_address": "10.0.0.3"}])
    body = {"port": {"fixed_ips": [{"ip_address": "10.0.0.4"}, {"ip_address": "10.0.0.3"}]}}
    assert sim.call("network", "PUT", f"/ports/{port['id']}", body).status == 409
    sim.port(network, fixed_ips=[{"ip_address": "10.0.0.4"}])


@pytest.mark.parametrize(
    ("subnet", "status", "words"),
    [
        ({"cidr": "10.0.0.0/33"}, 400, "is not a valid IP subnet"),
        ({"cidr": "10.0.0.7/24"}, 400, "'10.0.0.0/24' is recommended"),
        ({"cidr": "10.0.0.0/24", "gateway_ip": "10.0.1.1"}, 400, "Gateway is not valid on subnet"),
        ({"cidr": "10.0.0.0/24", "ip_version": 6}, 400, "does not match the ip_version"),
        (
            {"cidr": "10.0.0.0/24", "allocation_pools": [{"start": "10.0.1.2", "end": "10.0.1.9"}]},
            400,
            "spans beyond the subnet cidr",
        ),
        (
            {"cidr": "10.0.0.0/24", "allocation_pools": [{"start": "10.0.0.1", "end": "10.0.0.9"}]},
            409,
            "conflicts with allocation pool",
        ),
        ({"cidr": "10.0.0.0/24", "colour": "red"}, 400, "Unrecognized attribute(s) 'colour'"),
    ],
)
def test_bad_subnets_are_refused_in_neutrons_words(sim, subnet, status, words):
    network = sim.ok("network", "POST", "/networks", {"network": {}})
    body = {"subnet": {"network_id": network["id"], "ip_version": 4, **subnet}}
    found, _, message = fault(sim, "network", "POST", "/subnets", body)
    assert found == status
    assert words in message


def test_overlapping_subnets_of_a_network_are_refused(sim):
    network = sim.network("10.0.0.0/24")
    body = {"subnet": {"network_id": network["id"], "ip_version": 4, "cidr": "10.0.0.128/25"}}
    assert "overlaps with another subnet" in fault(sim, "network", "POST", "/subnets", body)[2]
    sim.network("10.0.0.0/24")


def test_tenant_networks_are_vlans_of_physnet0_and_vlans_come_back(sim):
    networks = [sim.network(f"10.{i}.0.0/24") for i in range(2)]
    shown = [sim.ok("network", "GET", f"/networks/{net['id']}", admin=True) for net in networks]
    assert [one["provider:segmentation_id"] for one in shown] == [2, 3]
    assert {one["provider:physical_network"] for one in shown} == {"physnet0"}
    assert "provider:segmentation_id" not in sim.ok("network", "GET", f"/networks/{networks[0]['id']}")
    sim.call("network", "DELETE", f"/networks/{networks[0]['id']}")
    again = sim.ok("network", "GET", f"/networks/{sim.network()['id']}", admin=True)
    assert again["provider:segmentation_id"] == 2


def test_bulk_create_is_all_or_nothing(sim):
    network = sim.network()
    ports = [{"network_id": network["id"]}, {"network_id": network["id"], "binding:vnic_type": "nonsense"}]
    assert sim.call("network", "POST", "/ports", {"ports": ports}).status == 400
    assert sim.ok("network", "GET", "/ports") == []


def test_a_network_in_use_is_not_deleted(sim):
    network = sim.network()
    sim.port(network)
    assert fault(sim, "network", "DELETE", f"/networks/{network['id']}")[:2] == (409, "NetworkInUse")


def test_unknown_filters_are_ignored(sim):
    network = sim.network()
    sim.port(network)
    assert len(sim.ok("network", "GET", "/ports", project_id="unknown")) == 1
    assert sim.ok("network", "GET", "/ports", tenant_id="unknown", admin=True) == []
