"""Wrappers of handlers: project check, canonical addresses, errors in Heat's shape."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.heat.api.views import stack_url
from cloudsim.heat.engine import service
from cloudsim.heat.errors import HeatError

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Handler, Request
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.stack import Stack

log = logging.getLogger("cloudsim.heat")
StackHandler = Callable[["RequestContext", "Request", "Stack"], Awaitable[Reply]]


def guarded(handler: Handler) -> Handler:
    """Wrap a handler: check the project in the URL, and convert Heat errors into faults."""

    async def call(ctx: RequestContext, request: Request) -> Reply:
        project = request.params.get("project_id", ctx.project_id)
        if project != ctx.project_id and not ctx.is_admin:
            raise ApiFault(403, "HTTPForbidden", "")
        try:
            return await handler(ctx, request)
        except HeatError as error:
            raise ApiFault(error.status, error.kind, str(error)) from error
        except (ValueError, TypeError, KeyError) as error:
            log.warning("refused: %s", error, exc_info=True)
            raise ApiFault(400, "HTTPBadRequest", str(error)) from error

    return call


def on_stack(engine: Engine, handler: StackHandler, *, deleted: bool = False) -> Handler:
    """Wrap a handler of `/stacks/{stack_name}/{stack_id}/…`; with `deleted` it also gets deleted stacks."""

    async def call(ctx: RequestContext, request: Request) -> Reply:
        name, ident = request.params["stack_name"], request.params["stack_id"]
        return await handler(ctx, request, service.find(engine, ctx, name, ident, deleted=deleted))

    return guarded(call)


def redirect(engine: Engine, *below: str) -> Handler:
    """Return a handler of `/stacks/{name or id}[/below]` that answers 302 with the canonical address."""

    async def call(ctx: RequestContext, request: Request) -> Reply:
        stack = service.look_up(engine, ctx, request.params["stack_name"])
        query = f"?{request.query}" if str(request.query) else ""
        location = stack_url(request, stack, *below) + query
        shown = quote(location, safe=":/?&=")
        text = f"302 Found\n\nThe resource was found at {shown}; you should be redirected automatically.\n"
        return Reply(302, None, {"Location": location}, raw=text.encode(), content_type="text/plain; charset=UTF-8")

    return guarded(call)
