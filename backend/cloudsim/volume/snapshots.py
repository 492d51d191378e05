"""Snapshots of volumes; one with ``fail-snapshot`` in its name ends in ``error``."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.volume.common import bad, body_of, invalid_volume, not_found
from cloudsim.volume.quotas import refuse_over_quota

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc
    from cloudsim.volume.volumes import Volumes

DELETABLE = ("available", "error")
FORCED = ("available", "in-use")
_ATTRIBUTES = ("id", "volume_id", "status", "size", "name", "description", "metadata", "created_at")


class Snapshots:
    def __init__(self, cloud: Cloud, volumes: Volumes) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._volumes = volumes
        for name in ("completed", "gone"):
            cloud.timers.register(f"volume_snapshot.{name}", getattr(self, name))

    def get(self, ctx: RequestContext, ident: str) -> Doc:
        """Return the snapshot if the caller may see it. Raises ApiFault 404."""
        doc = self._store.get("volume_snapshot", ident)
        if doc is None or not (ctx.is_admin or doc["project_id"] == ctx.project_id):
            raise not_found(f"Snapshot {ident} could not be found.")
        return doc

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        brief = ("id", "volume_id", "status", "size", "name", "description", "metadata", "created_at")
        return Reply(200, {"snapshots": [{name: doc[name] for name in brief} for doc in self._listed(ctx, request)]})

    async def detail(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"snapshots": [_view(doc) for doc in self._listed(ctx, request)]})

    def _listed(self, ctx: RequestContext, request: Request) -> list[Doc]:
        """Return the caller's snapshots, newest first; unknown filters are ignored."""
        query = request.query
        everyone = ctx.is_admin and query.get("all_tenants", "0").lower() not in {"0", "false", ""}
        own = [doc for doc in self._store.list("volume_snapshot") if everyone or doc["project_id"] == ctx.project_id]
        wanted = [(name, query[name]) for name in ("name", "status", "volume_id") if name in query]
        found = [doc for doc in reversed(own) if all(doc[name] == value for name, value in wanted)]
        start = next((place + 1 for place, doc in enumerate(found) if doc["id"] == query.get("marker")), 0)
        limit = query.get("limit", "")
        return found[start : start + int(limit)] if limit.isdigit() else found[start:]

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"snapshot": _view(self.get(ctx, request.params["id"]))})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        given = body_of(request, "snapshot")
        if "volume_id" not in given:
            raise bad("'volume_id' must be specified")
        volume = self._volumes.get(ctx, str(given["volume_id"]))
        forced = str(given.get("force", False)).lower() in {"true", "1"}
        if volume["status"] not in (FORCED if forced else ("available",)):
            status = volume["status"]
            raise invalid_volume(f"Volume {volume['id']} status must be available, but current status is: {status}.")
        refuse_over_quota(self._cloud, ctx.project_id, volumes=0, snapshots=1, gigabytes=volume["size"])
        doc: Doc = {
            "id": str(uuid.uuid4()),
            "project_id": ctx.project_id,
            "volume_id": volume["id"],
            "status": "creating",
            "size": volume["size"],
            "name": given.get("name") or given.get("display_name"),
            "description": given.get("description") or given.get("display_description"),
            "metadata": {str(key): str(value) for key, value in (given.get("metadata") or {}).items()},
            "created_at": self._cloud.clock.now().strftime("%Y-%m-%dT%H:%M:%S.%f"),
            "bootable": volume["bootable"],
            "image_metadata": volume["image_metadata"],
        }
        self._store.put("volume_snapshot", doc["id"], doc)
        self._cloud.timers.after(self._seconds(), "volume_snapshot.completed", snapshot_id=doc["id"])
        return Reply(202, {"snapshot": _view(doc)})

    def _seconds(self) -> float:
        return float(self._cloud.setting("action_seconds"))

    async def completed(self, snapshot_id: str) -> None:
        doc = self._store.get("volume_snapshot", snapshot_id)
        if doc is not None and doc["status"] == "creating":
            doc["status"] = "error" if "fail-snapshot" in (doc["name"] or "") else "available"
            self._store.put("volume_snapshot", snapshot_id, doc)

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        if doc["status"] not in DELETABLE:
            raise bad("Invalid snapshot: Volume Snapshot status must be available or error.")
        doc["status"] = "deleting"
        self._store.put("volume_snapshot", doc["id"], doc)
        self._cloud.timers.after(self._seconds(), "volume_snapshot.gone", snapshot_id=doc["id"])
        return Reply(202)

    async def gone(self, snapshot_id: str) -> None:
        self._store.delete("volume_snapshot", snapshot_id)


def _view(doc: Doc) -> Doc:
    progress = "100%" if doc["status"] == "available" else "0%"
    extended = {"progress": progress, "project_id": doc["project_id"]}
    return {name: doc[name] for name in _ATTRIBUTES} | {
        f"os-extended-snapshot-attributes:{name}": value for name, value in extended.items()
    }
