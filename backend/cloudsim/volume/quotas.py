"""Cinder's quotas and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.volume.common import bad, body_of, over_limit, require_admin

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request

DEFAULTS = {
    "volumes": 10,
    "gigabytes": 1000,
    "per_volume_gigabytes": -1,
    "snapshots": 10,
    "backups": 10,
    "backup_gigabytes": 1000,
}
UNLIMITED = -1


def limits_of(cloud: Cloud, project_id: str) -> dict[str, int]:
    """Return the limits of a project; -1 means unlimited."""
    changed = cloud.store.get("volume_quota", project_id)
    return {**DEFAULTS, **(changed["limits"] if changed else {})}


def set_limits(cloud: Cloud, project_id: str, changes: dict[str, int]) -> dict[str, int]:
    held = {**limits_of(cloud, project_id), **changes}
    cloud.store.put("volume_quota", project_id, {"project_id": project_id, "limits": held})
    return held


def usage_of(cloud: Cloud, project_id: str) -> dict[str, int]:
    """Return a project's usage: volumes, snapshots, and the GiB of both."""
    sizes = [doc["size"] for doc in cloud.store.find("volume", "project", project_id)]
    kept = [doc["size"] for doc in cloud.store.list("volume_snapshot") if doc["project_id"] == project_id]
    used = {"volumes": len(sizes), "snapshots": len(kept), "gigabytes": sum(sizes) + sum(kept)}
    return {**dict.fromkeys(DEFAULTS, 0), **used}


def refuse_over_quota(cloud: Cloud, project_id: str, *, volumes: int, gigabytes: int, snapshots: int = 0) -> None:
    """Raise ApiFault 413 with Cinder's message if the additional usage exceeds a limit."""
    limits, used = limits_of(cloud, project_id), usage_of(cloud, project_id)
    if UNLIMITED < limits["per_volume_gigabytes"] < gigabytes:
        limit = limits["per_volume_gigabytes"]
        raise over_limit(f"Requested volume size {gigabytes} is larger than maximum allowed limit {limit}.")
    if UNLIMITED < limits["gigabytes"] < used["gigabytes"] + gigabytes:
        raise over_limit(
            f"Requested volume or snapshot exceeds allowed gigabytes quota. Requested {gigabytes}G, quota is"
            f" {limits['gigabytes']}G and {used['gigabytes']}G has been consumed."
        )
    if UNLIMITED < limits["volumes"] < used["volumes"] + volumes:
        raise over_limit(f"Maximum number of volumes allowed ({limits['volumes']}) exceeded for quota 'volumes'.")
    if UNLIMITED < limits["snapshots"] < used["snapshots"] + snapshots:
        raise over_limit(f"Maximum number of snapshots allowed ({limits['snapshots']}) exceeded")


class Quotas:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        project = request.params["id"]
        if project != ctx.project_id:
            require_admin(ctx, "volume_extension:quotas:show")
        limits = limits_of(self._cloud, project)
        if request.query.get("usage", "").lower() not in {"true", "1"}:
            return Reply(200, {"quota_set": {"id": project, **limits}})
        used = usage_of(self._cloud, project)
        shown = {name: {"limit": limits[name], "in_use": used[name], "reserved": 0} for name in limits}
        return Reply(200, {"quota_set": {"id": project, **shown}})

    async def defaults(self, _ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"quota_set": {"id": request.params["id"], **DEFAULTS}})

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "volume_extension:quotas:update")
        changes = {name: value for name, value in body_of(request, "quota_set").items() if name != "tenant_id"}
        unknown = sorted(set(changes) - set(DEFAULTS))
        if unknown:
            raise bad(f"Bad key(s) in quota set: {','.join(unknown)}")
        for name, value in changes.items():
            if not isinstance(value, int) or value < UNLIMITED:
                raise bad(f"{name} must be an integer.")
        return Reply(200, {"quota_set": set_limits(self._cloud, request.params["id"], changes)})

    async def reset(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "volume_extension:quotas:delete")
        self._cloud.store.delete("volume_quota", request.params["id"])
        return Reply(200)

    async def limits(self, ctx: RequestContext, _request: Request) -> Reply:
        limits, used = limits_of(self._cloud, ctx.project_id), usage_of(self._cloud, ctx.project_id)
        absolute = {
            "maxTotalVolumes": limits["volumes"],
            "maxTotalVolumeGigabytes": limits["gigabytes"],
            "maxTotalSnapshots": limits["snapshots"],
            "maxTotalBackups": limits["backups"],
            "maxTotalBackupGigabytes": limits["backup_gigabytes"],
            "totalVolumesUsed": used["volumes"],
            "totalGigabytesUsed": used["gigabytes"],
            "totalSnapshotsUsed": used["snapshots"],
            "totalBackupsUsed": 0,
            "totalBackupGigabytesUsed": 0,
        }
        return Reply(200, {"limits": {"rate": [], "absolute": absolute}})
