"""Volume types, which administrators create and volumes name."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.volume.common import bad, body_of, not_found, require_admin

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

KIND = "volume_type"


class Types:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def find(self, wanted: str) -> Doc:
        """Return the type of that id or name. Raises ApiFault 404."""
        for doc in self._cloud.store.list(KIND):
            if wanted in (doc["id"], doc["name"]):
                return doc
        raise not_found(f"Volume type with name {wanted} could not be found.")

    async def index(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"volume_types": self._cloud.store.list(KIND)})

    async def show(self, _ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"volume_type": self._get(request.params["id"])})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "volume_extension:types_manage")
        given = body_of(request, "volume_type")
        name = str(given.get("name") or "").strip()
        if not name:
            raise bad("Volume type name can not be empty.")
        if any(doc["name"] == name for doc in self._cloud.store.list(KIND)):
            raise ApiFault(409, "HTTPConflict", f"Volume Type {name} already exists.")
        doc = new_type(str(uuid.uuid4()), name, str(given.get("description") or ""))
        doc["extra_specs"] = dict(given.get("extra_specs") or {})
        return Reply(200, {"volume_type": self._cloud.store.put(KIND, doc["id"], doc)})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "volume_extension:types_manage")
        doc = self._get(request.params["id"])
        if any(volume["volume_type"] == doc["name"] for volume in self._cloud.store.list("volume")):
            raise bad(f"Target volume type is still in use: {doc['id']}")
        self._cloud.store.delete(KIND, doc["id"])
        return Reply(202)

    def _get(self, ident: str) -> Doc:
        doc = self._cloud.store.get(KIND, ident)
        if doc is None:
            raise not_found(f"Volume type {ident} could not be found.")
        return doc


def new_type(ident: str, name: str, description: str = "") -> Doc:
    return {"id": ident, "name": name, "description": description, "is_public": True, "extra_specs": {}}
