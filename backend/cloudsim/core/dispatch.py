"""Calls from one simulated service to another in the process; real services call each other over HTTP."""

from __future__ import annotations

import json as jsonlib
import logging
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.datastructures import QueryParams

from cloudsim.core.context import RequestContext
from cloudsim.core.errors import ApiFault, Reply, unexpected
from cloudsim.core.injection import Call, ConnectionDropped, Injector
from cloudsim.core.service import Request, Service

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger("cloudsim.dispatch")

HEAT_ROLES = frozenset({"member", "heat_stack_owner"})


class Dispatcher:
    """Runs the same handler as HTTP with the same checks and answers, without token look-up and injected latency.

    Failures injected through the control API apply where their rule says ``callers: internal`` or ``any``.
    """

    def __init__(self, services: Mapping[str, Service], base_url: str, injector: Injector) -> None:
        self._services = services
        self._injector = injector
        self.base_url = base_url

    async def call(
        self,
        ctx: RequestContext,
        service: str,
        method: str,
        path: str,
        *,
        json: Any = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Call ``service`` (identity, image, compute, network, volume, …) in the name of ``ctx``.

        ``path`` is relative to the API's root: compute ``/servers/{id}`` (sent to ``/v2.1/{project_id}``), network
        ``/ports``, volume ``/volumes`` (``/v2/{project_id}``), image ``/images``, identity ``/projects``, orchestration
        ``/stacks``, alarming ``/alarms``.
        Never raises ApiFault: an error is a Reply with ``status`` >= 400 and ``fault``. Bodies of request and reply are
        copies.
        """
        target = self._services[service]
        full = root_path(service, ctx.project_id) + path
        base = f"{self.base_url}/{service}"
        try:
            sent = b"" if json is None else jsonlib.dumps(json).encode()
            route, params = target.router.match(method, full)
            found = QueryParams(dict(query or {}))
            request = Request(method, full, base, params, found, dict(headers or {}), _copy(json))
            made = Call(service, method, full, "internal", sent)
            reply = await self._injector.handle_call(made, lambda: route.handler(ctx, request))
        except ConnectionDropped:
            reply = target.render(ApiFault(503, "ServiceUnavailable", "Unable to establish connection"), "")
        except ApiFault as fault:
            reply = target.render(fault, "application/json")
        except Exception as error:
            log.exception("%s %s %s", service, method, full)
            reply = target.render(unexpected(error), "application/json")
        return replace(reply, body=_copy(reply.body))

    def trusted_context(
        self, project_id: str, user_id: str = "heat", roles: frozenset[str] = HEAT_ROLES
    ) -> RequestContext:
        """Return a context for deferred work in a project, as Heat gets by a trust."""
        return RequestContext(
            project_id=project_id,
            user_id=user_id,
            roles=roles,
            is_admin="admin" in roles,
            token_id="",
            request_id=f"req-{uuid.uuid4()}",
        )


def root_path(service: str, project_id: str) -> str:
    """Return the path of a service's endpoint in the catalog, below the service's prefix."""
    return {
        "identity": "/v3",
        "image": "/v2",
        "compute": f"/v2.1/{project_id}",
        "network": "/v2.0",
        "volume": f"/v2/{project_id}",
        "orchestration": f"/v1/{project_id}",
        "alarming": "/v2",
    }[service]


def _copy(body: Any) -> Any:
    return None if body is None else jsonlib.loads(jsonlib.dumps(body))
