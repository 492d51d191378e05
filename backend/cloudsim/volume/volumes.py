"""Volumes: list, show, create, change and delete."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import Reply
from cloudsim.volume.common import bad, body_of, invalid_input, invalid_volume, not_found
from cloudsim.volume.quotas import refuse_over_quota

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc
    from cloudsim.volume.types import Types

DELETABLE = ("available", "error", "error_restoring", "error_extending")
_LISTED = (
    "id", "status", "size", "availability_zone", "created_at", "name", "description", "volume_type", "source_volid",
    "metadata", "user_id",
    "snapshot_id",
)  # fmt: skip
_FIXED = {
    "encrypted": False, "replication_status": "disabled", "consistencygroup_id": None,
    "multiattach": False, "os-volume-replication:driver_data": None, "os-volume-replication:extended_status": None,
}  # fmt: skip


class Volumes:
    def __init__(self, cloud: Cloud, types: Types) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._types = types
        self._store.index("volume", "project", lambda doc: [doc["project_id"]])
        for name in ("created", "deleted"):
            cloud.timers.register(f"volume.{name}", getattr(self, name))

    def get(self, ctx: RequestContext, ident: str) -> Doc:
        """Return the volume if the caller may see it. Raises ApiFault 404."""
        doc = self._store.get("volume", ident)
        if doc is None or not (ctx.is_admin or doc["project_id"] == ctx.project_id):
            raise not_found(f"Volume {ident} could not be found.")
        return doc

    def save(self, doc: Doc) -> None:
        self._store.put("volume", doc["id"], doc)

    # List and show

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        brief = [
            {"id": doc["id"], "name": doc["name"], "links": _links(doc, request)} for doc in self._listed(ctx, request)
        ]
        return Reply(200, {"volumes": brief})

    async def detail(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"volumes": [_view(doc, ctx, request) for doc in self._listed(ctx, request)]})

    def _listed(self, ctx: RequestContext, request: Request) -> list[Doc]:
        """Return the caller's volumes, newest first; unknown filters are ignored."""
        query = request.query
        everyone = ctx.is_admin and query.get("all_tenants", "0").lower() not in {"0", "false", ""}
        found = self._store.list("volume") if everyone else [*self._store.find("volume", "project", ctx.project_id)]
        for name in ("name", "status"):
            if name in query:
                found = [doc for doc in found if doc[name] == query[name]]
        found.reverse()
        start = next((place + 1 for place, doc in enumerate(found) if doc["id"] == query.get("marker")), 0)
        limit = query.get("limit", "")
        return found[start : start + int(limit)] if limit.isdigit() else found[start:]

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"volume": _view(self.get(ctx, request.params["id"]), ctx, request)})

    # Create

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        given = body_of(request, "volume")
        kind = self._types.find(str(given["volume_type"])) if given.get("volume_type") else None
        snapshot = self._snapshot(ctx, str(given["snapshot_id"])) if given.get("snapshot_id") else None
        source = self.get(ctx, str(given["source_volid"])) if given.get("source_volid") else snapshot
        size = _size(given.get("size"), source)
        image = self._image(ctx, given.get("imageRef") or given.get("image_id"), size)
        zone = given.get("availability_zone") or "nova"
        if zone != "nova":
            raise invalid_input(f"Availability zone '{zone}' is invalid")
        refuse_over_quota(self._cloud, ctx.project_id, volumes=1, gigabytes=size)
        doc: Doc = {
            "id": str(uuid.uuid4()),
            "project_id": ctx.project_id,
            "user_id": ctx.user_id,
            "name": given.get("name") or given.get("display_name"),
            "description": given.get("description") or given.get("display_description"),
            "size": size,
            "status": "creating",
            "availability_zone": zone,
            "created_at": self._cloud.clock.now().strftime("%Y-%m-%dT%H:%M:%S.%f"),
            "volume_type": kind["name"] if kind else None,
            "source_volid": source["id"] if source and not snapshot else None,
            "snapshot_id": snapshot["id"] if snapshot else None,
            "bootable": False,
            "metadata": _metadata(given.get("metadata") or {}),
            "image_metadata": image or (source or {}).get("image_metadata"),
            "attachments": [],
        }
        self.save(doc)
        self._cloud.timers.after(self._seconds(), "volume.created", volume_id=doc["id"])
        return Reply(202, {"volume": _view(doc, ctx, request)})

    def _snapshot(self, ctx: RequestContext, ident: str) -> Doc:
        """Return the snapshot from which a volume is created. Raises ApiFault 404 or 400."""
        doc = self._store.get("volume_snapshot", ident)
        if doc is None or not (ctx.is_admin or doc["project_id"] == ctx.project_id):
            raise not_found(f"Snapshot {ident} could not be found.")
        if doc["status"] != "available":
            raise bad("Invalid snapshot: Originating snapshot status must be one of available values")
        return doc

    def _seconds(self) -> float:
        return float(self._cloud.setting("action_seconds"))

    def _image(self, ctx: RequestContext, wanted: Any, size: int) -> dict[str, str] | None:
        """Return the image's fields that a bootable volume keeps. Raises ApiFault 400."""
        if not wanted:
            return None
        image = self._store.get("image", str(wanted).rsplit("/", 1)[-1])
        if image is None or not (ctx.is_admin or image["visibility"] == "public" or image["owner"] == ctx.project_id):
            raise bad("Invalid image identifier or unable to access requested image.")
        if image["status"] != "active":
            raise invalid_input(f"Image {image['id']} is not active.")
        least = -(-(image["size"] or 0) // (1 << 30))
        if least > size:
            raise invalid_input(f"Size of specified image {least}GB is larger than volume size {size}GB.")
        if image["min_disk"] > size:
            least = image["min_disk"]
            raise invalid_input(f"Volume size {size}GB cannot be smaller than the image minDisk size {least}GB.")
        kept = ("checksum", "container_format", "disk_format", "min_disk", "min_ram", "size")
        return {"image_id": image["id"], "image_name": str(image["name"]), **{key: str(image[key]) for key in kept}}

    async def created(self, volume_id: str) -> None:
        doc = self._store.get("volume", volume_id)
        if doc is None or doc["status"] != "creating":
            return
        failed = "fail-volume" in (doc["name"] or "")
        doc.update(status="error" if failed else "available", bootable=bool(doc["image_metadata"]) and not failed)
        self.save(doc)

    # Change and delete

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        doc, given = self.get(ctx, request.params["id"]), body_of(request, "volume")
        for name in ("name", "description"):
            doc[name] = given.get(name, given.get(f"display_{name}", doc[name]))
        if "metadata" in given:
            doc["metadata"] = _metadata(given["metadata"])
        self.save(doc)
        return Reply(200, {"volume": _view(doc, ctx, request)})

    async def metadata(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"metadata": self.get(ctx, request.params["id"])["metadata"]})

    async def merge_metadata(self, ctx: RequestContext, request: Request) -> Reply:
        return self._set_metadata(ctx, request, keep=True)

    async def replace_metadata(self, ctx: RequestContext, request: Request) -> Reply:
        return self._set_metadata(ctx, request, keep=False)

    def _set_metadata(self, ctx: RequestContext, request: Request, *, keep: bool) -> Reply:
        doc = self.get(ctx, request.params["id"])
        doc["metadata"] = {**(doc["metadata"] if keep else {}), **_metadata(body_of(request, "metadata"))}
        self.save(doc)
        return Reply(200, {"metadata": doc["metadata"]})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        if doc["attachments"]:
            raise bad("Volume cannot be deleted while in attached state")
        if doc["status"] not in DELETABLE:
            status = doc["status"]
            raise invalid_volume(f"Volume status must be available or error, but current status is: {status}.")
        held = sum(one["volume_id"] == doc["id"] for one in self._store.list("volume_snapshot"))
        if held:
            raise invalid_volume(f"Volume still has {held} dependent snapshots.")
        self.discard(doc)
        return Reply(202)

    def discard(self, doc: Doc) -> None:
        """Start the deletion of a volume."""
        doc["status"] = "deleting"
        self.save(doc)
        self._cloud.timers.after(self._seconds(), "volume.deleted", volume_id=doc["id"])

    async def deleted(self, volume_id: str) -> None:
        self._store.delete("volume", volume_id)


def _size(wanted: Any, source: Doc | None) -> int:
    """Return the GiB of a new volume. Raises ApiFault 400."""
    if not wanted and source:
        return int(source["size"])
    try:
        size = int(wanted)
    except (TypeError, ValueError):
        size = 0
    if size <= 0:
        raise invalid_input(f"Volume size '{wanted}' must be an integer and greater than 0")
    if source and size < source["size"]:
        held = source["size"]
        message = f"Volume size '{size}'GB cannot be smaller than original volume size  {held}GB."
        raise invalid_input(f"{message} They must be >= original volume size.")
    return size


def _metadata(given: Any) -> dict[str, str]:
    if not isinstance(given, dict):
        raise bad("Invalid volume metadata: metadata must be a mapping")
    return {str(key): str(value) for key, value in given.items()}


def _links(doc: Doc, request: Request) -> list[Doc]:
    project = request.params["project_id"]
    return [
        {"rel": "self", "href": f"{request.base}/v2/{project}/volumes/{doc['id']}"},
        {"rel": "bookmark", "href": f"{request.base}/{project}/volumes/{doc['id']}"},
    ]


def _view(doc: Doc, ctx: RequestContext, request: Request) -> Doc:
    view = {name: doc.get(name) for name in _LISTED} | _FIXED
    view["bootable"] = str(doc["bootable"]).lower()
    view["attachments"] = [{"id": doc["id"], "volume_id": doc["id"], **one} for one in doc["attachments"]]
    view["links"] = _links(doc, request)
    view["os-vol-tenant-attr:tenant_id"] = doc["project_id"]
    if doc["image_metadata"]:
        view["volume_image_metadata"] = doc["image_metadata"]
    if ctx.is_admin:
        view["migration_status"] = None
        view["os-vol-host-attr:host"] = "controller@lvmdriver-1#lvmdriver-1"
    return view
