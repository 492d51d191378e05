"""What a fresh cloud has: the external network ``public``, and room for the project ``vnf``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.identity.seed import stable_id
from cloudsim.network.quotas import DEFAULTS, UNLIMITED, set_limits

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

PUBLIC = "public"


async def seed(cloud: Cloud) -> None:
    """Make what a first start makes; a cloud that was used is left alone."""
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
    made = await cloud.dispatcher.call(ctx, "network", "POST", "/networks", json={"network": network})
    subnet = {
        "network_id": (made.body or {})["network"]["id"],
        "name": f"{PUBLIC}-v4",
        "ip_version": 4,
        "cidr": "203.0.113.0/24",
        "gateway_ip": "203.0.113.1",
        "enable_dhcp": False,
    }
    await cloud.dispatcher.call(ctx, "network", "POST", "/subnets", json={"subnet": subnet})
    cloud.store.put("seeded", "network", {"id": "network"})
