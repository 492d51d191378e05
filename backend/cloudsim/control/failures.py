"""Injected failures (list, add, clear), and the calls that they hold (list, release, drop)."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.injection import Rule
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

DECISIONS = ("release", "drop")
_NAMES = {field.name for field in fields(Rule)} - {"id"}


class Failures:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/v1/failures", self.index, auth=False),
            Route("POST", "/v1/failures", self.add, auth=False),
            Route("DELETE", "/v1/failures", self.clear, auth=False),
            Route("DELETE", "/v1/failures/{id}", self.clear_one, auth=False),
            Route("GET", "/v1/held", self.blocked_calls, auth=False),
            Route("POST", "/v1/held/{id}/{verdict}", self.decide, auth=False),
        ]

    async def index(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"failures": self._cloud.injector.rules()})

    async def add(self, _ctx: RequestContext, request: Request) -> Reply:
        given = request.object
        unknown = set(given) - _NAMES
        if unknown or not {"service", "effect"} <= set(given):
            reason = f"unknown members {sorted(unknown)}" if unknown else "service and effect are required"
            raise ApiFault(400, "BadRequest", f"Not a failure rule: {reason}.")
        try:
            rule = Rule(**given)
        except (TypeError, ValueError) as error:
            raise ApiFault(400, "BadRequest", f"Not a failure rule: {error}.") from error
        if rule.service not in self._cloud.services and rule.service != "*":
            raise ApiFault(400, "BadRequest", f"The service {rule.service} does not exist.")
        return Reply(201, {"failure": asdict(self._cloud.injector.add(rule))})

    async def clear(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"cleared": self._cloud.injector.clear()})

    async def clear_one(self, _ctx: RequestContext, request: Request) -> Reply:
        if not self._cloud.injector.clear(request.params["id"]):
            raise ApiFault(404, "NotFound", f"The failure {request.params['id']} does not exist.")
        return Reply(204)

    async def blocked_calls(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"held": self._cloud.injector.blocked_calls()})

    async def decide(self, _ctx: RequestContext, request: Request) -> Reply:
        """Continue a held call (``release``), or end it without an answer to its caller (``drop``)."""
        ident, decision = request.params["id"], request.params["verdict"]
        if decision not in DECISIONS or not self._cloud.injector.decide(ident, decision):
            raise ApiFault(404, "NotFound", f"The held call {ident} or the verdict {decision} does not exist.")
        return Reply(204)
