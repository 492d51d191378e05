"""The JSON schemas that clients get from Glance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext

_TYPES = {
    "id": "string",
    "name": "string",
    "status": "string",
    "visibility": "string",
    "protected": "boolean",
    "checksum": "string",
    "owner": "string",
    "size": "integer",
    "virtual_size": "integer",
    "disk_format": "string",
    "container_format": "string",
    "min_disk": "integer",
    "min_ram": "integer",
    "created_at": "string",
    "updated_at": "string",
    "tags": "array",
    "file": "string",
    "self": "string",
    "schema": "string",
}

IMAGE = {
    "name": "image",
    "properties": {name: {"type": kind, "description": name} for name, kind in _TYPES.items()},
    "additionalProperties": {"type": "string"},
    "links": [
        {"href": "{self}", "rel": "self"},
        {"href": "{file}", "rel": "enclosure"},
        {"href": "{schema}", "rel": "describedby"},
    ],
}


async def _image(_ctx: RequestContext, _request: Request) -> Reply:
    return Reply(200, IMAGE)


async def _images(_ctx: RequestContext, _request: Request) -> Reply:
    properties = {"images": {"type": "array", "items": IMAGE}, "first": {"type": "string"}, "next": {"type": "string"}}
    return Reply(200, {"name": "images", "properties": properties, "links": [{"href": "{first}", "rel": "first"}]})


def routes() -> list[Route]:
    return [Route("GET", "/v2/schemas/image", _image), Route("GET", "/v2/schemas/images", _images)]
