"""`/resources` and `/events` of a stack, software configs, signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault, Reply, bad_method
from cloudsim.core.service import Request, Route
from cloudsim.heat.api.bodies import bad_request, number
from cloudsim.heat.api.guard import guarded, on_stack, redirect
from cloudsim.heat.api.views import event_view, resource_detail, resource_summary
from cloudsim.heat.engine.state import CHECK, COMPLETE, DELETE, FAILED
from cloudsim.heat.engine.validation import MAX_DEPTH
from cloudsim.heat.errors import EntityNotFound, ResourceNotAvailable, ResourceNotFound
from cloudsim.heat.plugins import signalling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.engine.state import Doc, Record

_FILTERS = {"type": "resource_type", "status": "resource_status", "name": "resource_name", "id": "physical_resource_id",
            "physical_resource_id": "physical_resource_id"}  # fmt: skip
_NO_MARK = "Missing mandatory (mark_unhealthy) key from mark unhealthy request"
_EVENT_FILTERS = {
    "resource_name": "name",
    "resource_status": "status",
    "resource_action": "action",
    "resource_type": "type",
}


def routes(engine: Engine) -> list[Route]:
    api = _Resources(engine)
    named = "/v1/{project_id}/stacks/{stack_name}"
    stack = named + "/{stack_id}"
    resource = stack + "/resources/{resource_name}"
    return [
        Route("GET", f"{stack}/resources", on_stack(engine, api.index)),
        Route("GET", resource, on_stack(engine, api.show)),
        Route("PATCH", resource, on_stack(engine, api.mark)),
        Route("GET", f"{resource}/metadata", on_stack(engine, api.metadata)),
        Route("POST", f"{resource}/signal", on_stack(engine, api.signal)),
        Route("POST", "/v1/signal/{project}/{stack_name}/{stack_id}/{resource_name}", api.signed_signal, auth=False),
        Route("GET", f"{stack}/events", on_stack(engine, api.events, deleted=True)),
        Route("GET", f"{resource}/events", on_stack(engine, api.resource_events)),
        Route("GET", resource + "/events/{event_id}", on_stack(engine, api.event)),
        *(Route("GET", f"{named}/{part}", redirect(engine, part)) for part in ("resources", "events", "template")),
        Route("POST", f"{named}/actions", redirect(engine, "actions")),
    ]


class _Resources:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def index(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        depth = _depth(request)
        views = [resource_summary(request, owner, record) for owner, record in self._walk(stack, depth)]
        for key, field in _FILTERS.items():
            asked = request.query.getlist(key)
            if asked:
                views = [view for view in views if set(asked) & _values(view, field)]
        return Reply(200, {"resources": views})

    def _walk(self, stack: Stack, depth: int) -> Iterator[tuple[Stack, Record]]:
        for record in stack.records:
            yield stack, record
            nested = self._engine.stacks.get(record.physical or "")
            if depth and nested is not None:
                yield from self._walk(nested, depth - 1)

    async def show(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        record = _record(stack, request)
        with_attr = request.query.getlist("with_attr")
        return Reply(200, {"resource": await resource_detail(request, stack, record, with_attr)})

    async def mark(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        """Mark a resource unhealthy or healthy, as in Mitaka, if the control API has switched it on."""
        if not self._engine.cloud.setting("heat_mark_unhealthy"):
            raise bad_method("GET")
        record, body = _record(stack, request), request.object
        unknown = set(body) - {"mark_unhealthy", "resource_status_reason"}
        if unknown or not isinstance(body.get("mark_unhealthy"), bool):
            message = f"Invalid keys in resource mark unhealthy {unknown}" if unknown else _NO_MARK
            raise bad_request(message)
        reason = body.get("resource_status_reason") or "state changed by resource_mark_unhealthy api"
        if body["mark_unhealthy"] and record.action != DELETE:
            self._engine.set_resource_state(stack, record, CHECK, FAILED, str(reason))
        elif not body["mark_unhealthy"] and (record.action, record.status) == (CHECK, FAILED):
            self._engine.set_resource_state(stack, record, CHECK, COMPLETE, str(reason))
        return Reply(200, None, raw=b"null")

    async def metadata(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        return Reply(200, {"metadata": _record(stack, request).doc["metadata"]})

    async def signal(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        record = _record(stack, request)
        if not record.exists:
            raise ResourceNotAvailable(record.name)
        handle = stack.handle(record)
        reason = await handle.plugin.signal(handle, request.json)
        self._engine.events.signal(stack, record, reason)
        return Reply(200, None, raw=b"null")

    async def signed_signal(self, ctx: RequestContext, request: Request) -> Reply:
        """Signal a resource without a token, as alarms and guests do; the URL's signature authorises it."""
        stack = self._engine.stacks.get(request.params["stack_id"])
        record = stack.record(request.params["resource_name"]) if stack else None
        signature = request.query.get("Signature", "")
        if stack is None or record is None or not signalling.is_signed(record.data, signature):
            raise ApiFault(403, "SignatureDoesNotMatch", "The request signature we calculated does not match")
        return await guarded(lambda caller, asked: self.signal(caller, asked, stack))(ctx, request)

    async def events(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        return self._event_list(request, stack, None)

    async def resource_events(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        return self._event_list(request, stack, _record(stack, request).name)

    def _event_list(self, request: Request, stack: Stack, resource: str | None) -> Reply:
        found = [one for one in self._engine.events.of(stack.id) if resource in (None, one["name"])]
        for key, field in _EVENT_FILTERS.items():
            asked = request.query.getlist(key)
            if asked:
                found = [one for one in found if one[field] in asked]
        page = _event_page(found, request)
        return Reply(200, {"events": [event_view(request, stack, one, summary=True) for one in page]})

    async def event(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        wanted, name = request.params["event_id"], request.params["resource_name"]
        for one in self._engine.events.of(stack.id):
            if one["id"] == wanted and one["name"] == name:
                return Reply(200, {"event": event_view(request, stack, one, summary=False)})
        raise EntityNotFound("Event", wanted)


def _record(stack: Stack, request: Request) -> Record:
    name = request.params["resource_name"]
    record = stack.record(name)
    if record is None:
        raise ResourceNotFound(name, stack.name)
    return record


def _depth(request: Request) -> int:
    asked = request.query.get("nested_depth")
    if asked in (None, ""):
        return 0
    if str(asked).lower() in ("true", "false"):
        return MAX_DEPTH if str(asked).lower() == "true" else 0
    return number(request, "nested_depth") or 0


def _values(view: dict[str, Any], field: str) -> set[str]:
    value = str(view[field])
    return {value, value.partition("_")[2]} if field == "resource_status" else {value}


def _event_page(found: list[Doc], request: Request) -> list[Doc]:
    found = sorted(found, key=lambda one: str(one["time"]), reverse=request.query.get("sort_dir") == "desc")
    marker, limit = request.query.get("marker"), number(request, "limit")
    if marker:
        after = next((index for index, one in enumerate(found) if one["id"] == marker), None)
        if after is None:
            raise EntityNotFound("Event", marker)
        found = found[after + 1 :]
    return found[:limit] if limit else found
