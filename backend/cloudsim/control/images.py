"""Images, behind everyone's back: as a Glance leaves them that died at its work."""

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
        """Give the image that status, and leave all else of it as it is."""
        doc, status = self._cloud.store.get("image", request.params["id"]), request.params["status"]
        if doc is None or status not in STATUSES:
            raise ApiFault(404, "NotFound", f"There is no image {request.params['id']} or no status {status}.")
        self._cloud.store.put("image", doc["id"], {**doc, "status": status})
        return Reply(204)
