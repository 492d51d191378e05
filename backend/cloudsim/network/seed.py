"""The networks of a new cloud: the external network ``public``, and quotas of the project ``vnf``.

An operator's cloud also has DevStack's tenant network ``private``, which templates name, and its router.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.identity.seed import stable_id
from cloudsim.network.quotas import DEFAULTS, UNLIMITED, set_limits

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

PUBLIC, PRIVATE = "public", "private"


async def seed(cloud: Cloud) -> None:
    """Create the objects of a new cloud; an existing one is not changed."""
    if cloud.store.get("seeded", "network"):
        return
    admin_project = stable_id("project:admin")
    ctx = cloud.dispatcher.trusted_context(admin_project, roles=frozenset({"admin"}))
    for project in ("vnf", "admin"):
        set_limits(cloud, stable_id(f"project:{project}"), dict.fromkeys(DEFAULTS, UNLIMITED))
    network = {
        "name": PUBLIC,
        "shared": True,
        "router:external": True,
        "provider:network_type": "flat",
        "provider:physical_network": "physnet0",
    }
    public = await _create(cloud, ctx, "network", network)
    subnet = {
        "network_id": public,
        "name": f"{PUBLIC}-v4",
        "ip_version": 4,
        "cidr": "203.0.113.0/24",
        "gateway_ip": "203.0.113.1",
        "enable_dhcp": False,
    }
    await _create(cloud, ctx, "subnet", subnet)
    if cloud.options.seed == "operator":
        await _seed_private(cloud, public)
    cloud.store.put("seeded", "network", {"id": "network"})


async def _seed_private(cloud: Cloud, public: str) -> None:
    """Create ``private`` in the project ``vnf``, with a router for floating IPs of its ports."""
    ctx = cloud.dispatcher.trusted_context(stable_id("project:vnf"), roles=frozenset({"member"}))
    network = await _create(cloud, ctx, "network", {"name": PRIVATE})
    subnet = {"network_id": network, "name": f"{PRIVATE}-subnet", "ip_version": 4, "cidr": "10.0.0.0/24"}
    router = await _create(cloud, ctx, "router", {"name": "router1", "external_gateway_info": {"network_id": public}})
    port = {"subnet_id": await _create(cloud, ctx, "subnet", subnet)}
    await cloud.dispatcher.call(ctx, "network", "PUT", f"/routers/{router}/add_router_interface", json=port)


async def _create(cloud: Cloud, ctx: RequestContext, kind: str, fields: Doc) -> str:
    """Create a resource by the API, and return its id."""
    made = await cloud.dispatcher.call(ctx, "network", "POST", f"/{kind}s", json={kind: fields})
    return str((made.body or {})[kind]["id"])
