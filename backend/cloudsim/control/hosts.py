"""Control of compute hosts: kill, revive, force down and up, disable, enable, add."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.compute.hosts import Fleet
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc


CHANGES: dict[str, Doc] = {
    "kill": {"alive": False},
    "revive": {"alive": True, "forced": False},
    "force_down": {"forced": True},
    "unforce": {"forced": False},
    "disable": {"enabled": False, "reason": "control API"},
    "enable": {"enabled": True, "reason": None},
}
"""The changes of a host by action. Its servers keep the states that Nova last knew, as a dead host reports nothing."""

MOST = 1000
"""The most hosts that one call may add."""


class Hosts:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    @property
    def _fleet(self) -> Fleet:
        fleet: Fleet = self._cloud.parts["fleet"]
        return fleet

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/v1/hosts", self.index, auth=False),
            Route("POST", "/v1/hosts", self.add, auth=False),
            Route("POST", "/v1/hosts/{name}/{action}", self.act, auth=False),
        ]

    async def index(self, _ctx: RequestContext, _request: Request) -> Reply:
        hosts = [
            {**doc, "up": self._fleet.is_up(doc["id"]), "servers": self._cloud.store.count("server", "host", doc["id"])}
            for doc in self._cloud.store.list("host")
        ]
        return Reply(200, {"hosts": hosts})

    async def add(self, _ctx: RequestContext, request: Request) -> Reply:
        """Add ``{"count": n}`` hosts that are empty and up."""
        count = request.object.get("count", 1)
        if not isinstance(count, int) or not 1 <= count <= MOST:
            raise ApiFault(400, "BadRequest", f"count is a number from 1 to {MOST}.")
        return Reply(201, {"hosts": [self._fleet.add() for _ in range(count)]})

    async def act(self, _ctx: RequestContext, request: Request) -> Reply:
        doc = self._cloud.store.get("host", request.params["name"])
        action = request.params["action"]
        if doc is None or action not in CHANGES:
            raise ApiFault(404, "NotFound", f"The host {request.params['name']} or the action {action} does not exist.")
        doc.update(CHANGES[action])
        if action == "disable" and "reason" in request.object:
            doc["reason"] = str(request.object["reason"])
        self._cloud.store.put("host", doc["id"], doc)
        self._fleet.refresh(doc)
        lifecycle: Lifecycle = self._cloud.parts["lifecycle"]
        if action == "kill":
            for server in [*self._cloud.store.find("server", "host", doc["id"])]:
                await lifecycle.guests.kill(server)
        if action == "revive":
            await lifecycle.host_back(doc["id"], keep_guests=bool(request.object.get("keep_guests")))
        return Reply(200, {"host": doc})
