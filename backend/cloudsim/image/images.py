"""Images: records, data, changes by JSON patch, tags."""

from __future__ import annotations

import hashlib
import re
import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.image import schemas
from cloudsim.image.patches import changes_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

DISK_FORMATS = ("ami", "ari", "aki", "vhd", "vmdk", "raw", "qcow2", "vdi", "iso")
CONTAINER_FORMATS = ("ami", "ari", "aki", "bare", "ovf", "ova", "docker")
READ_ONLY = frozenset(
    {"status", "size", "virtual_size", "checksum", "created_at", "updated_at", "direct_url", "file", "schema", "self"}
)
MAX_PAGE, DEFAULT_PAGE = 1000, 25
_UUID = re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def bad(message: str) -> ApiFault:
    return ApiFault(400, "HTTPBadRequest", message)


def images_folder(cloud: Cloud) -> Path | None:
    """Return the folder with the data of images, each under its id; None for a cloud without disk."""
    if cloud.state_dir is None:
        return None
    folder = cloud.state_dir / "images"
    folder.mkdir(exist_ok=True)
    return folder


def data_path(cloud: Cloud, ident: str) -> Path | None:
    """Return the file with an image's data; None for a cloud without disk."""
    folder = images_folder(cloud)
    return folder / ident if folder else None


def new_image(cloud: Cloud, ident: str, owner: str, attributes: Doc) -> Doc:
    stamp = cloud.clock.stamp()
    return {
        "id": ident,
        "name": None,
        "status": "queued",
        "visibility": "private",
        "protected": False,
        "owner": owner,
        "size": None,
        "virtual_size": None,
        "checksum": None,
        "disk_format": None,
        "container_format": None,
        "min_disk": 0,
        "min_ram": 0,
        "tags": [],
        "created_at": stamp,
        "updated_at": stamp,
        **attributes,
    }


_KINDS = {
    "min_disk": (int, "integer"),
    "min_ram": (int, "integer"),
    "protected": (bool, "boolean"),
    "tags": (list, "array"),
}


def checked(attributes: Doc, ctx: RequestContext) -> Doc:
    """Return the checked attributes of a request. Raises ApiFault 400 or 403."""
    for name, value in attributes.items():
        if name in READ_ONLY:
            raise ApiFault(403, "Forbidden", f"Attribute '{name}' is read-only.")
        kind, word = _KINDS.get(name, (str, "string"))
        fits = isinstance(value, kind) or (value is None and kind is str)
        if not fits or (kind is int and value < 0):
            raise bad(f"Provided object does not match schema 'image': {value!r} is not of type '{word}'")
    _check_words(attributes)
    if attributes.get("visibility") == "public" and not ctx.is_admin:
        raise ApiFault(403, "Forbidden", "You are not authorized to complete this action.")
    if attributes.get("owner", ctx.project_id) != ctx.project_id and not ctx.is_admin:
        message = f"You are not permitted to create images owned by '{attributes['owner']}'."
        raise ApiFault(403, "Forbidden", message)
    return attributes


def _check_words(given: Doc) -> None:
    for name, allowed in (
        ("disk_format", DISK_FORMATS),
        ("container_format", CONTAINER_FORMATS),
        ("visibility", ("public", "private")),
    ):
        value = given.get(name)
        if value is not None and value not in allowed:
            raise bad(f"Invalid value '{value}' for attribute '{name}': '{value}' is not one of {[*allowed]}")


class Images:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._store = cloud.store

    def routes(self) -> list[Route]:
        one = "/v2/images/{id}"
        return [
            Route("GET", "/v2/images", self.index),
            Route("POST", "/v2/images", self.create),
            Route("GET", one, self.show),
            Route("PATCH", one, self.update),
            Route("DELETE", one, self.delete),
            Route("PUT", f"{one}/file", self.upload),
            Route("GET", f"{one}/file", self.download),
            Route("PUT", f"{one}/tags/{{tag}}", self.add_tag),
            Route("DELETE", f"{one}/tags/{{tag}}", self.remove_tag),
            Route("GET", f"{one}/members", self.members),
            Route("POST", f"{one}/actions/deactivate", self.deactivate),
            Route("POST", f"{one}/actions/reactivate", self.reactivate),
            *schemas.routes(),
        ]

    def _view(self, doc: Doc) -> Doc:
        path = f"/v2/images/{doc['id']}"
        return {**doc, "self": path, "file": f"{path}/file", "schema": "/v2/schemas/image"}

    def _get(self, ctx: RequestContext, request: Request, *, verb: str = "") -> Doc:
        """Return the image if the caller may see and ``verb`` it. Raises ApiFault 404 or 403."""
        ident = request.params["id"]
        doc = self._store.get("image", ident)
        own = doc is not None and (ctx.is_admin or doc["owner"] == ctx.project_id)
        if doc is None or not (own or doc["visibility"] == "public"):
            raise ApiFault(404, "HTTPNotFound", f"No image found with ID {ident}")
        if verb and not own:
            raise ApiFault(403, "HTTPForbidden", f"You are not permitted to {verb} this image.")
        return doc

    def _save(self, doc: Doc) -> None:
        doc["updated_at"] = self._cloud.clock.stamp()
        self._store.put("image", doc["id"], doc)

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        found = [*self._filtered(ctx, request)]
        found.sort(key=lambda doc: (doc["created_at"], doc["id"]), reverse=True)
        for text in reversed(request.query.getlist("sort_key")):
            found.sort(key=lambda doc: str(doc.get(text) or ""), reverse=request.query.get("sort_dir") != "asc")
        marker, limit = request.query.get("marker"), request.query.get("limit", str(DEFAULT_PAGE))
        if not limit.isdigit():
            raise bad("limit param must be an integer" if limit[:1] != "-" else "limit param must be positive")
        start = 0
        if marker:
            start = next((place + 1 for place, doc in enumerate(found) if doc["id"] == marker), 0)
            if not start:
                raise bad(
                    "Invalid marker format" if not _UUID.fullmatch(marker) else f"No image found with ID {marker}"
                )
        shown = found[start : start + min(int(limit), MAX_PAGE)]
        body: Doc = {"images": [self._view(doc) for doc in shown], "schema": "/v2/schemas/images"}
        rest = [(name, value) for name, value in request.query.multi_items() if name != "marker"]
        body["first"] = "/v2/images" + ("?" + "&".join(f"{name}={value}" for name, value in rest) if rest else "")
        if shown and start + len(shown) < len(found):
            pairs = [*rest, ("marker", shown[-1]["id"])]
            body["next"] = "/v2/images?" + "&".join(f"{name}={value}" for name, value in pairs)
        return Reply(200, body)

    def _filtered(self, ctx: RequestContext, request: Request) -> Iterator[Doc]:
        skip = {"limit", "marker", "sort_key", "sort_dir", "sort", "tag", "size_min", "size_max", "member_status"}
        wanted = [(name, value) for name, value in request.query.items() if name not in skip]
        tags = request.query.getlist("tag")
        low, high = _size(request, "size_min", 0), _size(request, "size_max", 1 << 62)
        for doc in self._store.list("image"):
            if not (ctx.is_admin or doc["owner"] == ctx.project_id or doc["visibility"] == "public"):
                continue
            if not all(_equal(doc.get(name), value) for name, value in wanted) or not set(tags) <= set(doc["tags"]):
                continue
            if low <= (doc["size"] or 0) <= high:
                yield doc

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        if not isinstance(request.json, dict):
            raise bad("Malformed JSON in request body.")
        given = checked(dict(request.json), ctx)
        ident = given.pop("id", None) or str(uuid.uuid4())
        if not _UUID.fullmatch(ident):
            raise bad(f"Invalid image id format: Provided object does not match schema 'image': '{ident}'")
        if self._store.get("image", ident) or self._store.get("gone_image", ident):
            raise ApiFault(409, "HTTPConflict", f"Image ID {ident} already exists!")
        doc = new_image(self._cloud, ident, ctx.project_id, given)
        self._store.put("image", ident, doc)
        view = self._view(doc)
        return Reply(201, view, {"Location": f"{request.base}{view['self']}"})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, self._view(self._get(ctx, request)))

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        kind = request.headers.get("content-type", "")
        if not kind.startswith("application/openstack-images-v2"):
            raise ApiFault(415, "HTTPUnsupportedMediaType", "The media type is not supported for this resource.")
        doc = self._get(ctx, request, verb="modify")
        after = changes_of(doc, request.json, READ_ONLY)
        changed = {name: value for name, value in after.items() if name not in doc or doc[name] != value}
        checked(changed, ctx)
        if doc["status"] != "queued" and {"disk_format", "container_format"} & set(changed):
            name = min({"disk_format", "container_format"} & set(changed))
            raise ApiFault(403, "Forbidden", f"Attribute {name} can be only replaced for a queued image.")
        self._save(after)
        return Reply(200, self._view(after))

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._get(ctx, request, verb="delete")
        if doc["protected"]:
            message = f"Image {doc['id']} is protected and cannot be deleted."
            raise ApiFault(403, "Forbidden", message)
        self._store.delete("image", doc["id"])
        self._store.put("gone_image", doc["id"], {"id": doc["id"]})
        self._forget_data(doc["id"])
        return Reply(204)

    def _forget_data(self, ident: str) -> None:
        path = data_path(self._cloud, ident)
        if path:
            path.unlink(missing_ok=True)

    async def upload(self, ctx: RequestContext, request: Request) -> Reply:
        if not request.headers.get("content-type", "").startswith("application/octet-stream"):
            raise ApiFault(415, "HTTPUnsupportedMediaType", "The media type is not supported for this resource.")
        doc = self._get(ctx, request, verb="modify")
        if doc["status"] != "queued":
            message = f"Image status transition from {doc['status']} to saving is not allowed"
            raise ApiFault(409, "HTTPConflict", message)
        if doc["disk_format"] is None or doc["container_format"] is None:
            missing = "disk_format" if doc["disk_format"] is None else "container_format"
            raise bad(f"Properties {missing} must be set prior to saving data.")
        doc["status"] = "saving"
        self._save(doc)
        try:
            size, checksum, head = await self._receive(doc["id"], request)
        except BaseException:
            if self._store.get("image", doc["id"]) is not None:
                doc["status"] = "queued"
                self._save(doc)
            raise
        if self._store.get("image", doc["id"]) is None:
            self._forget_data(doc["id"])
            raise ApiFault(410, "HTTPGone", f"Image {doc['id']} could not be found after upload.")
        if doc["disk_format"] == "qcow2" and head[:4] not in {b"QFI\xfb", b""}:
            doc["status"] = "queued"
            self._save(doc)
            raise ApiFault(415, "HTTPUnsupportedMediaType", "Image content does not match disk_format qcow2")
        doc.update(status="active", size=size, checksum=checksum)
        self._save(doc)
        return Reply(204)

    async def _receive(self, ident: str, request: Request) -> tuple[int, str, bytes]:
        """Receive the data, and return their size, md5 and first bytes."""
        digest, size, head = hashlib.md5(usedforsecurity=False), 0, b""
        path = data_path(self._cloud, ident)
        part = path.with_suffix(".part") if path else None
        sink = part.open("wb") if part else None
        try:
            if request.stream:
                async for piece in request.stream:
                    head = head or piece[:8]
                    digest.update(piece)
                    size += len(piece)
                    if sink:
                        sink.write(piece)
            if part and path:
                part.replace(path)
        finally:
            if sink and part:
                sink.close()
                part.unlink(missing_ok=True)
        return size, digest.hexdigest(), head

    async def download(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._get(ctx, request)
        path = data_path(self._cloud, doc["id"])
        if doc["status"] == "deactivated" and not ctx.is_admin:
            raise ApiFault(
                403, "HTTPForbidden", "The requested image has been deactivated. Image data download is forbidden."
            )
        if doc["status"] != "active" or path is None or not path.exists():
            return Reply(204)
        headers = {"Content-MD5": doc["checksum"]}
        return Reply(200, None, headers, content_type="application/octet-stream", file=path)

    async def add_tag(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._get(ctx, request, verb="modify")
        if request.params["tag"] not in doc["tags"]:
            doc["tags"].append(request.params["tag"])
            self._save(doc)
        return Reply(204)

    async def remove_tag(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._get(ctx, request, verb="modify")
        if request.params["tag"] not in doc["tags"]:
            raise ApiFault(404, "HTTPNotFound", "The resource could not be found.")
        doc["tags"].remove(request.params["tag"])
        self._save(doc)
        return Reply(204)

    async def members(self, ctx: RequestContext, request: Request) -> Reply:
        self._get(ctx, request)
        return Reply(200, {"members": [], "schema": "/v2/schemas/members"})

    async def deactivate(self, ctx: RequestContext, request: Request) -> Reply:
        return self._turn(ctx, request, "deactivated")

    async def reactivate(self, ctx: RequestContext, request: Request) -> Reply:
        return self._turn(ctx, request, "active")

    def _turn(self, ctx: RequestContext, request: Request, status: str) -> Reply:
        if not ctx.is_admin:
            raise ApiFault(403, "HTTPForbidden", "You are not authorized to complete this action.")
        doc = self._get(ctx, request)
        if doc["status"] not in {"active", "deactivated"}:
            message = f"Image status transition from {doc['status']} to {status} is not allowed"
            raise ApiFault(403, "HTTPForbidden", message)
        doc["status"] = status
        self._save(doc)
        return Reply(204)


def _size(request: Request, name: str, default: int) -> int:
    text = request.query.get(name, str(default))
    if not text.isdigit():
        raise bad(f"Invalid filter value {text}. {name} must be an integer")
    return int(text)


def _equal(held: Any, wanted: str) -> bool:
    if wanted.startswith("in:"):
        return str(held) in wanted[3:].split(",")
    return str(held).lower() == wanted.lower() if isinstance(held, bool) else str(held) == wanted
