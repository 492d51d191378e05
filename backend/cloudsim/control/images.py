"""Control of images: sets states in which a crashed Glance leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

STATUSES = ("queued", "saving", "killed", "active", "deactivated")


class Images:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [Route("POST", "/v1/images/{id}/{status}", self.put, auth=False)]

    async def put(self, _ctx: RequestContext, request: Request) -> Reply:
        """Set only the status of an image."""
        doc, status = self._cloud.store.get("image", request.params["id"]), request.params["status"]
        if doc is None or status not in STATUSES:
            raise ApiFault(404, "NotFound", f"The image {request.params['id']} or the status {status} does not exist.")
        self._cloud.store.put("image", doc["id"], {**doc, "status": status})
        return Reply(204)
