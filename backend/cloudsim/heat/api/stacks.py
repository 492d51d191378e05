"""`/stacks`: list, create, show, update, preview, delete, actions, template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from cloudsim.core.errors import Reply
from cloudsim.core.service import Request, Route
from cloudsim.heat.api.bodies import StackBody, bad_request, flag, number
from cloudsim.heat.api.guard import guarded, on_stack, redirect
from cloudsim.heat.api.views import link, resource_preview, resource_summary, stack_detail, stack_summary
from cloudsim.heat.engine import service
from cloudsim.heat.engine.dependencies import arrange
from cloudsim.heat.engine.state import Record
from cloudsim.heat.engine.validation import known_values, plugin_of
from cloudsim.heat.errors import EntityNotFound, NotSupported
from cloudsim.heat.hot.partial import is_later, resolve_partly
from cloudsim.heat.plugins.nested import planned_child

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.service import Wanted
    from cloudsim.heat.engine.stack import Stack

ACTIONS = ("suspend", "resume", "check", "cancel_update")
_SORT_KEYS = {"stack_name": "name", "stack_status": "status", "creation_time": "created", "updated_time": "updated"}
_TEXT = "text/plain; charset=UTF-8"


def routes(engine: Engine) -> list[Route]:
    api = _Stacks(engine)
    stack = "/v1/{project_id}/stacks/{stack_name}/{stack_id}"
    found = redirect(engine)
    return [
        Route("GET", "/v1/{project_id}/stacks", guarded(api.index)),
        Route("POST", "/v1/{project_id}/stacks", guarded(api.create)),
        Route("GET", "/v1/{project_id}/stacks/detail", guarded(api.detail)),
        Route("POST", "/v1/{project_id}/stacks/preview", guarded(api.preview)),
        Route("POST", "/v1/{project_id}/validate", guarded(api.validate)),
        *(
            Route(method, "/v1/{project_id}/stacks/{stack_name}", found)
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        ),
        Route("GET", stack, on_stack(engine, api.show, deleted=True)),
        Route("PUT", stack, on_stack(engine, api.replace)),
        Route("PATCH", stack, on_stack(engine, api.patch)),
        Route("DELETE", stack, on_stack(engine, api.delete)),
        Route("PUT", f"{stack}/preview", on_stack(engine, api.preview_replace)),
        Route("PATCH", f"{stack}/preview", on_stack(engine, api.preview_patch)),
        Route("GET", f"{stack}/template", on_stack(engine, api.template, deleted=True)),
        Route("POST", f"{stack}/actions", on_stack(engine, api.act)),
        Route("DELETE", f"{stack}/abandon", on_stack(engine, api.abandon)),
    ]


class _Stacks:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        everywhere = flag(request, "global_tenant") and ctx.is_admin
        stacks = self._selected(ctx, request, everywhere=everywhere)
        page = _page(stacks, request)
        body: dict[str, Any] = {"stacks": [stack_summary(request, stack, project=everywhere) for stack in page]}
        limit = number(request, "limit")
        if limit and len(page) == limit:
            query = urlencode({**dict(request.query), "marker": page[-1].id})
            body["links"] = [{"rel": "next", "href": f"{request.base}{request.path}?{query}"}]
        if flag(request, "with_count"):
            body["count"] = len(stacks)
        return Reply(200, body)

    async def detail(self, ctx: RequestContext, request: Request) -> Reply:
        page = _page(self._selected(ctx, request, everywhere=False), request)
        return Reply(200, {"stacks": [await stack_detail(request, stack) for stack in page]})

    def _selected(self, ctx: RequestContext, request: Request, *, everywhere: bool) -> list[Stack]:
        deleted, nested = flag(request, "show_deleted"), flag(request, "show_nested")
        chosen = [
            stack
            for stack in self._engine.stacks.values()
            if (everywhere or stack.project_id == ctx.project_id)
            and (nested or not stack.doc["owner_id"])
            and (deleted or not stack.doc["deleted"])
            and _matches(stack, request)
        ]
        return _sorted(chosen, request)

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        body = StackBody(request)
        stack = await service.create(self._engine, ctx, body.name, body.wanted(body.blueprint()))
        return Reply(201, {"stack": {"id": stack.id, "links": [link(request, stack)]}})

    async def preview(self, ctx: RequestContext, request: Request) -> Reply:
        body = StackBody(request)
        probe = await service.preview(self._engine, ctx, body.name, body.wanted(body.blueprint()))
        view = await stack_detail(request, probe, outputs=False)
        for key in ("stack_status", "stack_status_reason"):
            view.pop(key)
        view["resources"] = [await _previewed(request, probe, name) for name in probe.template.resources]
        return Reply(200, {"stack": view})

    async def validate(self, ctx: RequestContext, request: Request) -> Reply:
        blueprint = StackBody(request).blueprint()
        probe = await service.check_template(self._engine, ctx, blueprint)
        values = probe.parameters
        view: dict[str, Any] = {
            "Description": probe.template.description,
            "Parameters": {
                name: parameter.view(values.given.get(name), default=values.default(name))
                for name, parameter in probe.template.parameters.items()
            },
        }
        if probe.template.raw.get("parameter_groups"):
            view["ParameterGroups"] = probe.template.raw["parameter_groups"]
        return Reply(200, view)

    async def show(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        outputs = flag(request, "resolve_outputs", default=True)
        return Reply(200, {"stack": await stack_detail(request, stack, outputs=outputs)})

    async def replace(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        await service.change(self._engine, stack, _full(request), patch=False)
        return _accepted()

    async def patch(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        await service.change(self._engine, stack, _patched(request, stack), patch=True)
        return _accepted()

    async def preview_replace(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        return self._changes(
            request, stack, await service.preview_change(self._engine, stack, _full(request), patch=False)
        )

    async def preview_patch(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        wanted = _patched(request, stack)
        return self._changes(request, stack, await service.preview_change(self._engine, stack, wanted, patch=True))

    @staticmethod
    def _changes(request: Request, stack: Stack, changes: dict[str, list[Record]]) -> Reply:
        views = {kind: [_identified(request, stack, record) for record in records] for kind, records in changes.items()}
        return Reply(200, {"resource_changes": views})

    async def template(self, _ctx: RequestContext, _request: Request, stack: Stack) -> Reply:
        return Reply(200, stack.template.raw)

    async def delete(self, _ctx: RequestContext, _request: Request, stack: Stack) -> Reply:
        await service.delete(self._engine, stack)
        return Reply(204, None)

    async def abandon(self, _ctx: RequestContext, _request: Request, _stack: Stack) -> Reply:
        raise NotSupported("Stack Abandon")

    async def act(self, _ctx: RequestContext, request: Request, stack: Stack) -> Reply:
        body = request.json or {}
        if not body:
            raise bad_request("No action specified")
        if len(body) > 1:
            raise bad_request("Multiple actions specified")
        (action,) = body
        if action not in ACTIONS:
            raise bad_request(f'Invalid action "{action}" specified')
        await service.act(self._engine, stack, action)
        return Reply(200, None, raw=b"null")


def _full(request: Request) -> Wanted:
    body = StackBody(request)
    return body.wanted(body.blueprint())


def _patched(request: Request, stack: Stack) -> Wanted:
    body = StackBody(request)
    return body.wanted(body.patched(stack.blueprint))


def _accepted() -> Reply:
    text = b"202 Accepted\n\nThe request is accepted for processing.\n\n   "
    return Reply(202, None, raw=text, content_type=_TEXT)


def _identified(request: Request, stack: Stack, record: Record) -> dict[str, Any]:
    identity = {"stack_name": stack.name, "stack_id": stack.id, "tenant": stack.project_id}
    view = resource_summary(request, stack, record)
    view["resource_identity"] = {**identity, "path": f"/resources/{record.name}"}
    view["stack_identity"] = {**identity, "path": ""}
    view |= {"stack_name": stack.name, "resource_action": record.action, "resource_status": record.status}
    return view


async def _previewed(request: Request, probe: Stack, name: str) -> dict[str, Any] | list[Any]:
    """Return the preview of a resource; for a nested stack it is the list of its resources."""
    definition = probe.template.resources[name]
    plugin = plugin_of(probe, definition.type, name)
    if plugin.nested:
        blueprint = plugin.planned(probe, definition, await known_values(probe, definition, plugin))
        if blueprint is not None:
            child = planned_child(probe, name, blueprint)
            await arrange(child)
            return [await _previewed(request, child, inner) for inner in child.template.resources]
    record = Record.new(name, definition.type, probe.doc["created"])
    properties = await resolve_partly(probe, definition.properties, strict=False)
    known = {key: None if is_later(value) else value for key, value in properties.items()}
    view = resource_preview(request, probe, record, known)
    view["required_by"] = [other for other, needs in probe.requires.items() if name in needs]
    return view


def _matches(stack: Stack, request: Request) -> bool:
    doc, query = stack.doc, request.query
    full_status = f"{doc['action']}_{doc['status']}"
    wanted = {
        "id": [stack.id],
        "name": [stack.name],
        "stack_name": [stack.name],
        "status": [doc["status"], full_status],
        "stack_status": [doc["status"], full_status],
        "action": [doc["action"]],
        "stack_action": [doc["action"]],
        "tenant": [stack.project_id],
        "username": [doc["owner"]["user_name"]],
        "owner_id": [doc["owner_id"]],
    }
    for key, values in wanted.items():
        requested = query.getlist(key)
        if requested and not set(requested) & set(values):
            return False
    return _has_tags(set(doc["tags"]), request)


def _has_tags(tags: set[str], request: Request) -> bool:
    def requested(name: str) -> set[str]:
        return {tag for tag in request.query.get(name, "").split(",") if tag}

    every, any_of = requested("tags"), requested("tags_any")
    if not every <= tags or (any_of and not any_of & tags):
        return False
    not_every, not_any = requested("not_tags"), requested("not_tags_any")
    return not (not_every and not_every <= tags) and not not_any & tags


def _sorted(stacks: list[Stack], request: Request) -> list[Stack]:
    """Sort stacks, by default newest first, as in Heat."""
    keys = [key for text in request.query.getlist("sort_keys") for key in text.split(",") if key]
    fields = [_SORT_KEYS.get(key, "created") for key in keys]
    descending = request.query.get("sort_dir", "asc" if keys else "desc") == "desc"
    stacks = list(reversed(stacks)) if descending else list(stacks)
    return sorted(
        stacks, key=lambda stack: [str(stack.doc[field]) for field in fields or ["created"]], reverse=descending
    )


def _page(stacks: Sequence[Stack], request: Request) -> list[Stack]:
    marker, limit = request.query.get("marker"), number(request, "limit")
    if limit is not None and limit < 0:
        raise bad_request("Invalid limit value")
    page: Iterable[Stack] = stacks
    if marker:
        after = next((index for index, stack in enumerate(stacks) if stack.id == marker), None)
        if after is None:
            raise EntityNotFound("Stack", marker)
        page = stacks[after + 1 :]
    return list(page)[:limit] if limit else list(page)
