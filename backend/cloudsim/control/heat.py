"""Stops Heat's engine, resumes it, and does the work of `heat-manage`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.engine import Engine


class Heat:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/v1/heat/die", self.die, auth=False),
            Route("POST", "/v1/heat/resume", self.resume, auth=False),
            Route("POST", "/v1/stacks/{id}/reset_status", self.reset_status, auth=False),
        ]

    @property
    def _engine(self) -> Engine:
        engine: Engine = self._cloud.parts["heat"]
        return engine

    async def die(self, _ctx: RequestContext, _request: Request) -> Reply:
        """Stop all running operations, which stay IN_PROGRESS; new requests are served."""
        return Reply(200, {"stopped": self._engine.die()})

    async def resume(self, _ctx: RequestContext, _request: Request) -> Reply:
        """Continue the stopped operations."""
        self._engine.resume()
        return Reply(204)

    async def reset_status(self, _ctx: RequestContext, request: Request) -> Reply:
        """Do the work of `heat-manage reset_stack_status ID`."""
        stack = self._engine.stacks.get(request.params["id"])
        if stack is None:
            raise ApiFault(404, "NotFound", f"The stack {request.params['id']} does not exist.")
        await self._engine.reset_status(stack)
        return Reply(204)
