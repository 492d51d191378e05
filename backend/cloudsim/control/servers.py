"""Control of servers: has the effects of an operator on the host or of a hypervisor's crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

STATES = {"stop": "stopped", "pause": "paused", "start": "active", "suspend": "suspended"}


class Servers:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/v1/servers/{id}", self.show, auth=False),
            Route("PUT", "/v1/servers/{id}/console", self.put_console, auth=False),
            Route("POST", "/v1/servers/{id}/{action}", self.act, auth=False),
        ]

    def _get(self, request: Request) -> Doc:
        doc = self._cloud.store.get("server", request.params["id"])
        if doc is None:
            raise ApiFault(404, "NotFound", f"The server {request.params['id']} does not exist.")
        return doc

    async def show(self, _ctx: RequestContext, request: Request) -> Reply:
        """Return the server's stored document: host, claim, fault with the scheduler's trace, user data."""
        return Reply(200, {"server": self._get(request)})

    async def put_console(self, _ctx: RequestContext, request: Request) -> Reply:
        """Set the serial console's output of a simulated server: ``{"text": …}``."""
        doc, text = self._get(request), request.object.get("text")
        if not isinstance(text, str):
            raise ApiFault(400, "BadRequest", "text must be a string.")
        doc["console"] = text
        self._cloud.store.put("server", doc["id"], doc)
        return Reply(204)

    async def act(self, _ctx: RequestContext, request: Request) -> Reply:
        """Do ``stop | pause | suspend | start | error | delete`` at once, without a record in the actions."""
        doc, action = self._get(request), request.params["action"]
        lifecycle: Lifecycle = self._cloud.parts["lifecycle"]
        if action == "delete":
            await lifecycle.discard(doc)
        elif action == "error":
            message = str(request.object.get("message", "Unexpected error while running the guest"))
            lifecycle.fail(doc, 500, message, message)
            await lifecycle.guests.kill(doc)
        elif action in STATES:
            lifecycle.force(doc, STATES[action])
        else:
            raise ApiFault(404, "NotFound", f"The action {action} does not exist.")
        return Reply(204)
