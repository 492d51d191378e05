"""Heat: stacks by what Liberty's Heat can do, always addressed by name and id so that it never has to redirect us."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import requests
from heatclient.common.http import SessionClient
from heatclient.v1.actions import ActionManager
from heatclient.v1.resource_types import ResourceTypeManager
from heatclient.v1.resources import ResourceManager
from heatclient.v1.stacks import StackManager
from heatclient.v1.template_versions import TemplateVersionManager
from keystoneauth1.adapter import Adapter

from vnfm.clouds.errors import CloudError, Conflict, NotFound
from vnfm.clouds.openstack import stack_tree
from vnfm.clouds.openstack.account import HeatMemory
from vnfm.clouds.openstack.errors import translate_errors
from vnfm.clouds.types import ResourceChange, Stack, StackInput, StackProgress, StackResource

RESOURCE_TYPES_SECONDS = 300.0
"""Heat's list of types is cached for this time: Heat reads Neutron's extensions once per type that needs one."""
_PARALLEL = 4
_DEPTH = 5
"""Levels of nested stacks that are read."""
_REMEMBERED_NAMES = 20_000
_GONE = "DELETE_COMPLETE"
_HOT = "heat_template_version."
_NO_DOCSTRING = "'NoneType' object has no attribute"
"""Liberty's Heat fails with it at a function without a docstring, each time (heat/engine/service.py)."""
_PSEUDO = "OS::"
"""Heat lists its own OS::stack_id and the like among the parameters; they cannot be set."""


class HeatClient(SessionClient):  # type: ignore[misc]  # heatclient has no types
    """heatclient's transport, but an error keeps its response, and with it Heat's own words and the request id."""

    def request(self, url: str, method: str, redirect: bool | None = None, **kwargs: Any) -> requests.Response:
        headers = kwargs.setdefault("headers", {})
        headers.setdefault("Content-Type", "application/json")
        if "data" in kwargs:
            kwargs["data"] = json.dumps(kwargs["data"])
        return Adapter.request(self, url, method, redirect=redirect, **kwargs)


class HeatStacks:
    def __init__(self, heat: HeatClient, memory: HeatMemory) -> None:
        self._stacks = StackManager(heat)
        self._resources = ResourceManager(heat)
        self._actions = ActionManager(heat)
        self._versions = TemplateVersionManager(heat)
        self._types = ResourceTypeManager(heat)
        self._heat = heat
        self._memory = memory
        self._names = memory.stack_names

    @translate_errors("heat")
    def find(self, name: str) -> Stack | None:
        found = [stack for stack in self._listed(filters={"name": name}) if stack.name == name]
        return found[0] if found else None

    @translate_errors("heat")
    def status(self, stack_id: str) -> Stack:
        return self._stack_of(stack_id, resolve_outputs=False)

    @translate_errors("heat")
    def show(self, stack_id: str) -> Stack:
        return self._stack_of(stack_id, resolve_outputs=True)

    @translate_errors("heat")
    def list(self, tag: str = "") -> Sequence[Stack]:
        stacks = self._listed(tags=tag) if tag else self._listed()
        return [stack for stack in stacks if not tag or tag in stack.tags]

    @translate_errors("heat")
    def create(self, name: str, stack: StackInput) -> str:
        made = self._stacks.create(stack_name=name, disable_rollback=True, **_body(stack))
        stack_id = str(made["stack"]["id"])
        self._remember(stack_id, name)
        return stack_id

    @translate_errors("heat")
    def update(self, stack_id: str, stack: StackInput) -> None:
        self._stacks.update(self._identity(stack_id), disable_rollback=True, **_body(stack))

    @translate_errors("heat")
    def delete(self, stack_id: str) -> None:
        try:
            self._ask_deletion(stack_id)
        except NotFound:
            return

    @translate_errors("heat")
    def check(self, stack_id: str) -> None:
        self._actions.check(self._identity(stack_id))

    @translate_errors("heat")
    def mark_unhealthy(self, stack_id: str, path: Sequence[str], name: str, reason: str) -> None:
        holder = self._identity(stack_id)
        if path:
            nested = stack_tree.nested_identity(self._rows(stack_id, len(path)), path, stack_id)
            if nested is None:
                words = f"The stack {stack_id} has no nested stack at {'/'.join(path)}."
                raise NotFound(words, service="heat")
            holder = nested
        self._resources.mark_unhealthy(holder, name, mark_unhealthy=True, resource_status_reason=reason)

    @translate_errors("heat")
    def template(self, stack_id: str) -> Mapping[str, Any]:
        template: Mapping[str, Any] = self._stacks.template(self._identity(stack_id))
        return template

    @translate_errors("heat")
    def resources(self, stack_id: str, depth: int = 5) -> Sequence[StackResource]:
        return stack_tree.resources(self._rows(stack_id, depth), stack_id)

    @translate_errors("heat")
    def progress(self, stack_id: str) -> StackProgress:
        return stack_tree.progress(self._rows(stack_id, depth=_DEPTH))

    @translate_errors("heat")
    def last_event(self, stack_id: str) -> str:
        path = f"/stacks/{self._identity(stack_id)}/events"
        query = {"limit": 1, "sort_dir": "desc", "nested_depth": _DEPTH}
        events = self._heat.get(path, params=query).json()["events"]
        return str(events[0]["id"]) if events else ""

    @translate_errors("heat")
    def validate(self, stack: StackInput) -> None:
        asked = ("template", "environment", "parameters", "files")
        self._stacks.validate(**{name: value for name, value in _body(stack).items() if name in asked})

    @translate_errors("heat")
    def preview_create(self, name: str, stack: StackInput) -> Sequence[ResourceChange]:
        previewed = self._stacks.preview(stack_name=name, disable_rollback=True, **_body(stack))
        return stack_tree.created(previewed.to_dict().get("resources", ()))

    @translate_errors("heat")
    def preview_update(self, stack_id: str, stack: StackInput) -> Sequence[ResourceChange]:
        # Not show_nested: Liberty does not know it, and current Heat answers 400 when a group's count changes.
        previewed = self._stacks.preview_update(self._identity(stack_id), disable_rollback=True, **_body(stack))
        return stack_tree.changed(previewed["resource_changes"])

    @translate_errors("heat")
    def hot_functions(self) -> Mapping[str, Sequence[str]]:
        listed = [row.version for row in self._versions.list()]
        names = sorted(name.removeprefix(_HOT) for name in listed if name.startswith(_HOT))
        if names == sorted(self._memory.hot_functions):
            return self._memory.hot_functions
        with ThreadPoolExecutor(_PARALLEL, thread_name_prefix="functions") as pool:
            answers = dict(zip(names, pool.map(self._functions, names), strict=True))
        functions = {name: answer or () for name, answer in answers.items()}
        if None not in answers.values():
            self._memory.hot_functions = functions
        return functions

    @translate_errors("heat")
    def resource_types(self) -> Sequence[str]:
        asked_at, types = self._memory.resource_types
        if not types or monotonic() - asked_at > RESOURCE_TYPES_SECONDS:
            types = sorted(row.resource_type for row in self._types.list())
            self._memory.resource_types = (monotonic(), types)
        return types

    def _functions(self, version: str) -> Sequence[str] | None:
        """Empty when Heat does not tell them; None when it may tell them later."""
        try:
            return self._list_functions(version)
        except CloudError as error:
            if not error.http_status:
                raise
            return None if error.retryable and _NO_DOCSTRING not in error.message else ()

    @translate_errors("heat")
    def _list_functions(self, version: str) -> Sequence[str]:
        return sorted(row.functions for row in self._versions.get(f"{_HOT}{version}"))

    @translate_errors("heat")
    def _ask_deletion(self, stack_id: str) -> None:
        self._stacks.delete(self._identity(stack_id))

    def _rows(self, stack_id: str, depth: int) -> Sequence[stack_tree.Row]:
        return [row.to_dict() for row in self._resources.list(self._identity(stack_id), nested_depth=depth)]

    def _stack_of(self, stack_id: str, *, resolve_outputs: bool) -> Stack:
        found = self._stacks.get(self._identity(stack_id), resolve_outputs=resolve_outputs)
        stack = _stack(found.to_dict(), whole=resolve_outputs)
        if stack.status == _GONE:
            raise NotFound(f"Heat has deleted the stack {stack.name} ({stack_id}).", service="heat")
        return stack

    def _listed(self, **query: Any) -> Sequence[Stack]:
        stacks = [_stack(row.to_dict()) for row in self._stacks.list(**query)]
        for stack in stacks:
            self._remember(stack.id, stack.name)
        return [stack for stack in stacks if stack.status != _GONE]

    def _remember(self, stack_id: str, name: str) -> None:
        if len(self._names) > _REMEMBERED_NAMES:
            self._names.clear()
        self._names[stack_id] = name

    def _identity(self, stack_id: str) -> str:
        """Return name/id, by one request: its answer is a redirect whose host may be wrong, so only the path counts."""
        if stack_id not in self._names:
            response = self._heat.get(f"/stacks/{stack_id}", redirect=False)
            _, _, identity = response.headers.get("location", "").partition("/stacks/")
            name, _, found_id = identity.partition("?")[0].partition("/")
            if found_id != stack_id:
                raise Conflict(f"Heat finds another stack under {stack_id!r}: {identity!r}.", service="heat")
            self._remember(stack_id, name)
        return f"{self._names[stack_id]}/{stack_id}"


def _body(stack: StackInput) -> dict[str, Any]:
    defaults = stack.environment.get("parameter_defaults") or {}
    below = {name: value for name, value in stack.parameters.items() if name in defaults}
    environment = dict(stack.environment)
    return {
        "template": stack.template,
        "environment": {**environment, "parameter_defaults": {**defaults, **below}} if below else environment,
        "parameters": {name: value for name, value in stack.parameters.items() if name not in below},
        "files": dict(stack.files),
        "tags": ",".join(stack.tags),
        "timeout_mins": stack.timeout_minutes,
    }


def _stack(data: dict[str, Any], *, whole: bool = False) -> Stack:
    outputs = data.get("outputs") or () if whole else ()
    parameters = data.get("parameters") or {} if whole else {}
    return Stack(
        id=data["id"],
        name=data["stack_name"],
        status=data["stack_status"],
        status_reason=data.get("stack_status_reason") or "",
        tags=tuple(data.get("tags") or ()),
        updated_at=data.get("updated_time") or "",
        outputs={output["output_key"]: output.get("output_value") for output in outputs},
        parameters={name: value for name, value in parameters.items() if not name.startswith(_PSEUDO)},
    )
