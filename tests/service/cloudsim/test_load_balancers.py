"""LBaaS v1 of the simulated Neutron: a pool behind an address, and what keeps things from going."""

from collections.abc import Callable
from typing import Any

import pytest
from openstack.connection import Connection

POOL = {"protocol": "HTTP", "lb_method": "ROUND_ROBIN"}
MONITOR = {"type": "HTTP", "delay": 5, "timeout": 3, "max_retries": 2}
VIP = {"protocol": "HTTP", "protocol_port": 80}

Call = Callable[..., Any]


@pytest.fixture
def lb(user: Connection) -> Call:
    """`lb("POST", "pools", pool={…})` gives the document, or the status and the error's type."""

    def call(method: str, path: str, **body: Any) -> Any:
        reply = user.network.request(f"/lb/{path}", method, json=body or None, raise_exc=False)
        if reply.status_code >= 400:
            return reply.status_code, reply.json()["NeutronError"]["type"]
        return next(iter(reply.json().values())) if reply.content else None

    return call


@pytest.fixture
def subnet(user: Connection) -> str:
    network = user.network.create_network(name="inside")
    return str(user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.7.0.0/24").id)


def active(lb: Call, path: str) -> Any:
    while (shown := lb("GET", path))["status"] != "ACTIVE":
        assert shown["status"] in ("PENDING_CREATE", "PENDING_UPDATE")
    return shown


def test_a_pool_with_address_member_and_monitor(user: Connection, lb: Call, subnet: str) -> None:
    assert "lbaas" in {one.alias for one in user.network.extensions()}
    pool = lb("POST", "pools", pool={**POOL, "subnet_id": subnet})
    assert (pool["status"], pool["provider"], pool["members"]) == ("PENDING_CREATE", "haproxy", [])
    vip = lb("POST", "vips", vip={**VIP, "pool_id": pool["id"], "subnet_id": subnet})
    member = lb("POST", "members", member={"pool_id": pool["id"], "address": "10.7.0.9", "protocol_port": 8080})
    monitor = lb("POST", "health_monitors", health_monitor=MONITOR)
    bound = f"pools/{pool['id']}/health_monitors"
    assert lb("POST", bound, health_monitor={"id": monitor["id"]}) == [monitor["id"]]
    shown = active(lb, f"pools/{pool['id']}")
    assert (shown["vip_id"], shown["members"], shown["health_monitors"]) == (vip["id"], [member["id"]], [monitor["id"]])
    assert active(lb, f"members/{member['id']}")["weight"] == 1
    port = user.network.get_port(vip["port_id"])
    assert (port.name, port.status, port.fixed_ips[0]["ip_address"]) == (f"vip-{vip['id']}", "DOWN", vip["address"])

    assert lb("DELETE", f"pools/{pool['id']}") == (409, "PoolInUse")
    assert lb("DELETE", f"health_monitors/{monitor['id']}") == (409, "HealthMonitorInUse")
    assert lb("POST", bound, health_monitor={"id": monitor["id"]}) == (409, "PoolMonitorAssociationExists")
    assert user.network.delete(f"/ports/{port.id}").json()["NeutronError"]["type"] == "ServicePortInUse"
    lb("DELETE", f"vips/{vip['id']}")
    assert user.network.find_port(port.id) is None
    assert user.network.delete(f"/subnets/{subnet}").json()["NeutronError"]["type"] == "SubnetInUse"
    lb("DELETE", f"pools/{pool['id']}")
    assert lb("GET", "members") == []
    assert lb("GET", f"health_monitors/{monitor['id']}")["pools"] == []
    user.network.delete_subnet(subnet)


@pytest.mark.parametrize(
    ("path", "body", "refusal"),
    [
        ("vips", {**VIP, "protocol": "TCP"}, (400, "ProtocolMismatch")),
        ("vips", {**VIP, "address": "10.7.0.1"}, (409, "IpAddressInUse")),
        ("vips", {**VIP, "session_persistence": {"type": "APP_COOKIE"}}, (500, "HTTPInternalServerError")),
        ("vips", {**VIP, "protocol_port": 70000}, (400, "HTTPBadRequest")),
        ("members", {"address": "10.7.0.9", "protocol_port": 80, "weight": 257}, (400, "HTTPBadRequest")),
        ("health_monitors", {**MONITOR, "timeout": 6}, (400, "DelayOrTimeoutInvalid")),
        ("health_monitors", {**MONITOR, "expected_codes": "fine"}, (400, "HTTPBadRequest")),
        ("pools", {**POOL, "protocol": "UDP"}, (400, "HTTPBadRequest")),
    ],
)
def test_invalid_load_balancers_are_refused(lb: Call, subnet: str, path: str, body: Any, refusal: Any) -> None:
    pool = lb("POST", "pools", pool={**POOL, "subnet_id": subnet})
    needed = {"vips": {"pool_id": pool["id"], "subnet_id": subnet}, "members": {"pool_id": pool["id"]}}
    assert lb("POST", path, **{path.removesuffix("s"): {**needed.get(path, {}), **body}}) == refusal


def test_one_address_for_a_pool_and_one_member_for_a_place(lb: Call, subnet: str) -> None:
    pool = lb("POST", "pools", pool={**POOL, "subnet_id": subnet})
    for path, body in (
        ("vips", {**VIP, "subnet_id": subnet}),
        ("members", {"address": "10.7.0.9", "protocol_port": 80}),
    ):
        one = {path.removesuffix("s"): {**body, "pool_id": pool["id"]}}
        assert isinstance(lb("POST", path, **one), dict)
        assert lb("POST", path, **one) == (500, "HTTPInternalServerError")


def test_quotas(cloud: Any, user: Connection, lb: Call, subnet: str) -> None:
    cloud.control("PUT", f"/quotas/{user.current_project_id}", {"network": {"pool": 1}})
    assert isinstance(lb("POST", "pools", pool={**POOL, "subnet_id": subnet}), dict)
    assert lb("POST", "pools", pool={**POOL, "subnet_id": subnet}) == (409, "OverQuota")
