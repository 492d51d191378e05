"""Neutron v2.0 of Liberty with ML2: VLAN tenant networks, SR-IOV ports, L3, security groups, LBaaS v1, quotas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.core.service import Request, Route
from cloudsim.network import quotas, seed
from cloudsim.network.extensions import EXTENSIONS
from cloudsim.network.floating import FloatingIps
from cloudsim.network.networks import Networks
from cloudsim.network.ports import Ports
from cloudsim.network.routers import Routers
from cloudsim.network.security import SecurityGroupRules, SecurityGroups
from cloudsim.network.subnets import Subnets

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

RESOURCES = ("networks", "subnets", "ports", "routers", "floatingips", "security-groups", "security-group-rules")


def versions(base: str) -> Reply:
    """``GET /``: 200 with the one version."""
    links = [{"rel": "self", "href": f"{base}/v2.0"}]
    return Reply(200, {"versions": [{"id": "v2.0", "status": "CURRENT", "links": links}]})


async def _resources(_ctx: RequestContext, request: Request) -> Reply:
    """``GET /v2.0``: the list of collections."""
    return Reply(
        200,
        {
            "resources": [
                {
                    "name": path.removesuffix("s").replace("-", "_"),
                    "collection": path.replace("-", "_"),
                    "links": [{"rel": "self", "href": f"{request.base}/v2.0/{path}"}],
                }
                for path in RESOURCES
            ]
        },
    )


async def _extensions(_ctx: RequestContext, _request: Request) -> Reply:
    return Reply(200, {"extensions": EXTENSIONS})


async def _availability_zones(_ctx: RequestContext, _request: Request) -> Reply:
    zones = [{"name": "nova", "resource": resource, "state": "available"} for resource in ("network", "router")]
    return Reply(200, {"availability_zones": zones})


def routes(cloud: Cloud) -> list[Route]:
    ports = Ports(cloud)
    resources = (
        Networks(cloud),
        Subnets(cloud, ports.addresses),
        ports,
        Routers(cloud, ports),
        FloatingIps(cloud, ports),
        SecurityGroups(cloud),
        SecurityGroupRules(cloud),
    )
    return [
        Route("GET", "/v2.0", _resources),
        Route("GET", "/v2.0/extensions", _extensions),
        Route("GET", "/v2.0/availability_zones", _availability_zones),
        *quotas.routes(cloud),
        *(route for resource in resources for route in resource.routes()),
    ]


async def start(cloud: Cloud) -> None:
    await seed.seed(cloud)
