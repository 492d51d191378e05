"""The JSON of stacks, resources and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cloudsim.heat.errors import HeatError

if TYPE_CHECKING:
    from cloudsim.core.service import Request
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.engine.state import Doc, Record

View = dict[str, Any]
LISTED = (
    "id", "links", "stack_name", "description", "stack_status", "stack_status_reason", "creation_time",
    "deletion_time", "updated_time", "stack_owner", "parent", "stack_user_project_id", "tags",
)  # fmt: skip
EVENT_SUMMARY = (
    "id", "links", "event_time", "logical_resource_id", "resource_name", "resource_status", "resource_status_reason",
    "physical_resource_id",
)  # fmt: skip


def stack_url(request: Request, stack: Stack, *path: str) -> str:
    """Return the canonical URL of a stack or of a path below it."""
    parts = (stack.project_id, "stacks", stack.name, stack.id, *path)
    return f"{request.base}/v1/{'/'.join(quote(part, safe='') for part in parts)}"


def link(request: Request, stack: Stack, *path: str, rel: str = "self") -> dict[str, str]:
    return {"href": stack_url(request, stack, *path), "rel": rel}


def stack_summary(request: Request, stack: Stack, *, project: bool = False) -> View:
    """Return an entry of the stack list."""
    view = {key: value for key, value in _stack(request, stack).items() if key in LISTED}
    view["description"] = stack.template.description if stack.template.raw.get("description") else ""
    if project:
        view["project"] = stack.project_id
    return view


async def stack_detail(request: Request, stack: Stack, *, outputs: bool = True) -> View:
    """Return the whole stack with resolved outputs."""
    view = _stack(request, stack)
    if outputs and not stack.doc["deleted"]:
        view["outputs"] = await stack.outputs()
    return view


def _stack(request: Request, stack: Stack) -> View:
    doc = stack.doc
    return {
        "id": stack.id,
        "links": [link(request, stack)],
        "stack_name": stack.name,
        "description": stack.template.description,
        "template_description": stack.template.description,
        "stack_status": f"{doc['action']}_{doc['status']}",
        "stack_status_reason": doc["reason"],
        "creation_time": doc["created"],
        "updated_time": doc["updated"],
        "deletion_time": doc["deleted"],
        "parameters": _texts(stack),
        "disable_rollback": doc["disable_rollback"],
        "timeout_mins": doc["timeout"],
        "parent": doc["owner_id"],
        "stack_owner": doc["owner"]["user_name"],
        "stack_user_project_id": stack.project_id,
        "tags": doc["tags"] or None,
        "capabilities": [],
        "notification_topics": [],
    }


def _texts(stack: Stack) -> dict[str, str]:
    try:
        return stack.parameters.texts()
    except (HeatError, ValueError, TypeError):
        return dict(stack.parameters.pseudo)


def resource_summary(request: Request, stack: Stack, record: Record) -> View:
    """Return an entry of the resource list."""
    doc = record.doc
    links = [link(request, stack, "resources", record.name), link(request, stack, rel="stack")]
    nested = stack.engine.stacks.get(record.physical or "")
    if nested is not None:
        links.append(link(request, nested, rel="nested"))
    view = {
        "resource_name": record.name,
        "logical_resource_id": record.name,
        "physical_resource_id": record.physical or "",
        "resource_type": record.type,
        "resource_status": f"{record.action}_{record.status}",
        "resource_status_reason": doc["reason"],
        "creation_time": doc["created"],
        "updated_time": doc["updated"] or doc["created"],
        "required_by": stack.required_by(record.name),
        "links": links,
    }
    if stack.doc["parent_resource"]:
        view["parent_resource"] = stack.doc["parent_resource"]
    return view


async def resource_detail(request: Request, stack: Stack, record: Record, with_attr: list[str]) -> View:
    """Return a resource with its attributes."""
    handle = stack.handle(record)
    attributes = await handle.all_attributes() if record.exists else {}
    for name in with_attr:
        try:
            attributes[name] = await handle.plugin.attribute(handle, name)
        except HeatError:
            attributes[name] = None
    return {**resource_summary(request, stack, record), "description": "", "attributes": attributes}


def resource_preview(request: Request, stack: Stack, record: Record, properties: Mapping[str, Any]) -> View:
    """Return the preview of a resource."""
    view = resource_summary(request, stack, record)
    return {**view, "description": "", "attributes": {}, "metadata": {}, "properties": dict(properties),
            "stack_identity": {"stack_name": stack.name, "stack_id": stack.id, "tenant": stack.project_id, "path": ""},
            "stack_name": stack.name, "resource_action": record.action}  # fmt: skip


def event_view(request: Request, stack: Stack, event: Doc, *, summary: bool) -> View:
    """Return an event, or its summary."""
    path = ("resources", event["name"])
    view = {
        "id": event["id"],
        "event_time": event["time"],
        "resource_name": event["name"],
        "logical_resource_id": event["name"],
        "physical_resource_id": event["physical"],
        "resource_status": f"{event['action']}_{event['status']}",
        "resource_status_reason": event["reason"],
        "resource_type": event["type"],
        "resource_properties": event["properties"],
        "links": [
            link(request, stack, *path, "events", event["id"]),
            link(request, stack, *path, rel="resource"),
            link(request, stack, rel="stack"),
        ],
    }
    return {key: value for key, value in view.items() if not summary or key in EVENT_SUMMARY}
