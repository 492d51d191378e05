"""Control of ports: has the effects of a cut cable or a dead network agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

STATES = {"down": "DOWN", "up": "ACTIVE", "error": "ERROR"}


class Ports:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [Route("POST", "/v1/ports/{id}/{action}", self.act, auth=False)]

    async def act(self, _ctx: RequestContext, request: Request) -> Reply:
        """Set the status that the L2 agent reports: ``down | up | error``.

        A guest loses its carrier, and gets it back with ``up``; a simulated server is not affected.
        """
        doc, action = self._cloud.store.get("port", request.params["id"]), request.params["action"]
        if doc is None or action not in STATES:
            raise ApiFault(404, "NotFound", f"The port {request.params['id']} or the action {action} does not exist.")
        doc["status"] = STATES[action]
        self._cloud.store.put("port", doc["id"], doc)
        lifecycle: Lifecycle = self._cloud.parts["lifecycle"]
        await lifecycle.guests.set_link(doc, up=action == "up")
        return Reply(200, {"port": doc})
