"""Nova's quotas and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.compute.common import bad, body_of, forbidden, require_admin, whole
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request

DEFAULTS = {
    "instances": 10,
    "cores": 20,
    "ram": 51200,
    "key_pairs": 100,
    "server_groups": 10,
    "server_group_members": 10,
    "metadata_items": 128,
    "injected_files": 5,
    "injected_file_content_bytes": 10240,
    "injected_file_path_bytes": 255,
    "security_groups": 10,
    "security_group_rules": 20,
    "floating_ips": 10,
    "fixed_ips": -1,
}
UNLIMITED = -1
COUNTED = ("instances", "cores", "ram")


def limits_of(cloud: Cloud, project_id: str) -> dict[str, int]:
    """Return the limits of a project; -1 means unlimited."""
    changed = cloud.store.get("compute_quota", project_id)
    return {**DEFAULTS, **(changed["limits"] if changed else {})}


def set_limits(cloud: Cloud, project_id: str, changes: dict[str, int]) -> dict[str, int]:
    held = {**limits_of(cloud, project_id), **changes}
    cloud.store.put("compute_quota", project_id, {"project_id": project_id, "limits": held})
    return held


def usage_of(cloud: Cloud, project_id: str) -> dict[str, int]:
    """Return a project's usage."""
    used = dict.fromkeys(COUNTED, 0)
    for server in cloud.store.find("server", "project", project_id):
        sizes = [one["flavor"] for one in (server, server.get("resize")) if one]  # both, until a resize is confirmed
        used["instances"] += 1
        used["cores"] += max(size["vcpus"] for size in sizes)
        used["ram"] += max(size["ram"] for size in sizes)
    return used


def refuse_over_quota(cloud: Cloud, project_id: str, wanted: dict[str, int]) -> None:
    """Raise ApiFault 403 with Nova's message if usage plus ``wanted`` exceeds a limit."""
    limits = limits_of(cloud, project_id)
    if all(limits[name] == UNLIMITED for name in wanted):
        return
    used = usage_of(cloud, project_id)
    over = [name for name in wanted if limits[name] != UNLIMITED and used[name] + wanted[name] > limits[name]]
    if over:
        names = ", ".join(over)
        requested = ", ".join(str(wanted[name]) for name in over)
        held = ", ".join(str(used[name]) for name in over)
        allowed = ", ".join(str(limits[name]) for name in over)
        message = f"Quota exceeded for {names}: Requested {requested}, but already used {held} of {allowed} {names}"
        raise forbidden(message)


class Quotas:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        project = request.params["id"]
        if project != ctx.project_id:
            require_admin(ctx, "os_compute_api:os-quota-sets:show")
        return Reply(200, {"quota_set": {"id": project, **limits_of(self._cloud, project)}})

    async def defaults(self, _ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"quota_set": {"id": request.params["id"], **DEFAULTS}})

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-quota-sets:update")
        project, given = request.params["id"], body_of(request, "quota_set")
        changes: dict[str, int] = {}
        used = usage_of(self._cloud, project)
        for name, value in given.items():
            if name in {"force", "id", "tenant_id"}:
                continue
            if name not in DEFAULTS:
                message = "Additional properties are not allowed"
                raise bad(
                    f"Invalid input for field/attribute quota_set. Value: {given}. {message} ('{name}' was unexpected)"
                )
            changes[name] = whole(given, name, UNLIMITED)
            if changes[name] != UNLIMITED and changes[name] < used.get(name, 0) and not given.get("force"):
                reason = f"must be greater than or equal to already used and reserved {used[name]}."
                raise bad(f"Quota limit {value} for {name} {reason}")
        return Reply(200, {"quota_set": set_limits(self._cloud, project, changes)})

    async def reset(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "os_compute_api:os-quota-sets:delete")
        self._cloud.store.delete("compute_quota", request.params["id"])
        return Reply(202)

    async def limits(self, ctx: RequestContext, request: Request) -> Reply:
        project = request.query.get("tenant_id", ctx.project_id) if ctx.is_admin else ctx.project_id
        limits, used = limits_of(self._cloud, project), usage_of(self._cloud, project)
        groups = self._cloud.store.count("server_group", "project", project)
        absolute = {
            "maxTotalInstances": limits["instances"],
            "maxTotalCores": limits["cores"],
            "maxTotalRAMSize": limits["ram"],
            "maxTotalKeypairs": limits["key_pairs"],
            "maxServerGroups": limits["server_groups"],
            "maxServerGroupMembers": limits["server_group_members"],
            "maxServerMeta": limits["metadata_items"],
            "maxImageMeta": limits["metadata_items"],
            "maxPersonality": limits["injected_files"],
            "maxPersonalitySize": limits["injected_file_content_bytes"],
            "maxSecurityGroups": limits["security_groups"],
            "maxSecurityGroupRules": limits["security_group_rules"],
            "maxTotalFloatingIps": limits["floating_ips"],
            "totalInstancesUsed": used["instances"],
            "totalCoresUsed": used["cores"],
            "totalRAMUsed": used["ram"],
            "totalServerGroupsUsed": groups,
            "totalSecurityGroupsUsed": 0,
            "totalFloatingIpsUsed": 0,
        }
        return Reply(200, {"limits": {"rate": [], "absolute": absolute}})
