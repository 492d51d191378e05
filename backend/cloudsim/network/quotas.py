"""Neutron's quotas: Liberty's defaults, changes by project, and their checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

UNLIMITED = -1
DEFAULTS = {
    "network": 10,
    "subnet": 10,
    "port": 50,
    "router": 10,
    "floatingip": 50,
    "security_group": 10,
    "security_group_rule": 100,
    "vip": 10,
    "pool": 10,
    "member": UNLIMITED,
    "health_monitor": UNLIMITED,
}


def limits(cloud: Cloud, project_id: str) -> dict[str, int]:
    """Return the limits of a project; -1 means unlimited."""
    changed = cloud.store.get("network_quota", project_id)
    return {**DEFAULTS, **(changed["limits"] if changed else {})}


def set_limits(cloud: Cloud, project_id: str, changes: dict[str, int]) -> dict[str, int]:
    held = {**limits(cloud, project_id), **changes}
    cloud.store.put("network_quota", project_id, {"project_id": project_id, "limits": held})
    return held


def refuse_over_quota(cloud: Cloud, project_id: str, kind: str) -> None:
    """Raise ApiFault 409 if the project has reached its limit."""
    limit = limits(cloud, project_id)[kind]
    if limit != UNLIMITED and cloud.store.count(kind, "project", project_id) >= limit:
        raise ApiFault(409, "OverQuota", f"Quota exceeded for resources: ['{kind}'].")


def routes(cloud: Cloud) -> list[Route]:
    quotas = Quotas(cloud)
    return [
        Route("GET", "/v2.0/quotas", quotas.index),
        Route("GET", "/v2.0/quotas/{id}", quotas.show),
        Route("PUT", "/v2.0/quotas/{id}", quotas.update),
        Route("DELETE", "/v2.0/quotas/{id}", quotas.reset),
    ]


class Quotas:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    async def index(self, ctx: RequestContext, _request: Request) -> Reply:
        changed = self._cloud.store.list("network_quota") if ctx.is_admin else []
        return Reply(200, {"quotas": [{**doc["limits"], "tenant_id": doc["project_id"]} for doc in changed]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        project = request.params["id"]
        if project == "tenant":
            return Reply(200, {"tenant": {"tenant_id": ctx.project_id}})
        if project != ctx.project_id and not ctx.is_admin:
            raise ApiFault(403, "AdminRequired", "User does not have admin privileges: Non-admin is not authorised.")
        return Reply(200, {"quota": limits(self._cloud, project)})

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_admin(ctx)
        given = request.object.get("quota")
        if not isinstance(given, dict):
            raise ApiFault(400, "HTTPBadRequest", "Unable to find 'quota' in request body")
        for name, value in given.items():
            if name not in DEFAULTS:
                raise ApiFault(400, "HTTPBadRequest", f"Unrecognized attribute(s) '{name}'")
            if not isinstance(value, int) or value < UNLIMITED:
                message = f"Invalid input for {name}. Reason: '{value}' should be non-negative."
                raise ApiFault(400, "HTTPBadRequest", message)
        return Reply(200, {"quota": set_limits(self._cloud, request.params["id"], given)})

    async def reset(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_admin(ctx)
        self._cloud.store.delete("network_quota", request.params["id"])
        return Reply(204)

    @staticmethod
    def _require_admin(ctx: RequestContext) -> None:
        if not ctx.is_admin:
            raise ApiFault(403, "AdminRequired", "User does not have admin privileges: Cannot update quota values.")
