"""The API of resource types, template versions, functions and build."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import Reply
from cloudsim.core.service import Request, Route
from cloudsim.heat.api.guard import guarded
from cloudsim.heat.engine.policy import may_use
from cloudsim.heat.errors import EntityNotFound, Forbidden, Invalid, NotSupported
from cloudsim.heat.plugins import support
from hot.language import CLOUDFORMATION_FUNCTIONS, FUNCTIONS, LIBERTY_VERSIONS, is_function, is_removed

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.plugin import Plugin
    from cloudsim.heat.hot.properties import Prop

_PARAMETER_TYPES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "map": "json",
                    "list": "comma_delimited_list", "any": "string"}  # fmt: skip
_REVISION = "5.0.0"
_MITAKA = "2016-04-08"


def routes(engine: Engine) -> list[Route]:
    api = _Catalogue(engine)
    root = "/v1/{project_id}"
    return [
        Route("GET", f"{root}/resource_types", guarded(api.types)),
        Route("GET", root + "/resource_types/{type_name}", guarded(api.type_schema)),
        Route("GET", root + "/resource_types/{type_name}/template", guarded(api.type_template)),
        Route("GET", f"{root}/template_versions", guarded(api.versions)),
        Route("GET", root + "/template_versions/{version}/functions", guarded(api.functions)),
        Route("GET", f"{root}/build_info", guarded(api.build)),
        Route("GET", f"{root}/services", guarded(api.services)),
    ]


class _Catalogue:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def types(self, ctx: RequestContext, request: Request) -> Reply:
        """List types by support status and by the beginning of their name; hidden types are not listed."""
        status, pattern = request.query.get("support_status"), request.query.get("name")
        if status and status not in support.STATUSES:
            raise Invalid(f"Invalid support status and should be one of {support.STATUSES}")
        found = []
        for name in sorted(self._engine.types.builtin):
            held = support.status_of(name)["status"]
            allowed = held != "HIDDEN" and may_use(self._engine.cloud, ctx, name)
            if allowed and held == (status or held) and _begins(pattern, name):
                found.append(name)
        return Reply(200, {"resource_types": found})

    def _plugin(self, request: Request) -> Plugin:
        name = request.params["type_name"]
        plugin = self._engine.types.builtin.get(name)
        if plugin is None:
            raise EntityNotFound("Resource Type", name)
        return plugin

    async def type_schema(self, ctx: RequestContext, request: Request) -> Reply:
        plugin = self._plugin(request)
        if not may_use(self._engine.cloud, ctx, plugin.type_name):
            raise Forbidden(plugin.type_name)
        status = support.status_of(plugin.type_name)
        if status["status"] == "HIDDEN":
            raise NotSupported(plugin.type_name)
        attributes = {**plugin.attributes, "show": "Detailed information about resource."}
        return Reply(
            200,
            {
                "resource_type": plugin.type_name,
                "properties": plugin.schema_view(),
                "attributes": {name: {"description": text} for name, text in attributes.items()},
                "support_status": status,
            },
        )

    async def type_template(self, _ctx: RequestContext, request: Request) -> Reply:
        """Return a provider template of the type: its properties are parameters, its attributes outputs."""
        plugin = self._plugin(request)
        resource = plugin.type_name.rpartition("::")[2]
        return Reply(
            200,
            {
                "heat_template_version": "2015-04-30",
                "description": f"Initial template of {resource}",
                "parameters": {name: _parameter(prop) for name, prop in plugin.schema.items()},
                "resources": {
                    resource: {
                        "type": plugin.type_name,
                        "properties": {name: {"get_param": name} for name in plugin.schema},
                    }
                },
                "outputs": {
                    name: {"description": text, "value": {"get_attr": [resource, name]}}
                    for name, text in plugin.attributes.items()
                },
            },
        )

    async def versions(self, _ctx: RequestContext, _request: Request) -> Reply:
        """List template versions; Mitaka's is listed but refused if its mark-unhealthy is switched on."""
        known = [*LIBERTY_VERSIONS, *([_MITAKA] if self._engine.cloud.setting("heat_mark_unhealthy") else [])]
        versions = [{"version": f"heat_template_version.{version}", "type": "hot"} for version in known]
        return Reply(200, {"template_versions": versions})

    async def functions(self, _ctx: RequestContext, request: Request) -> Reply:
        wanted = request.params["version"]
        version = wanted.removeprefix("heat_template_version.")
        if version == wanted or version not in LIBERTY_VERSIONS:
            raise EntityNotFound("Template Version", wanted)
        functions = [
            {"functions": name, "description": ""}
            for name in (*FUNCTIONS, *CLOUDFORMATION_FUNCTIONS)
            if is_function(name, version) and not is_removed(name, version)
        ]
        return Reply(200, {"template_functions": functions})

    async def build(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"api": {"revision": _REVISION}, "engine": {"revision": _REVISION}})

    async def services(self, _ctx: RequestContext, _request: Request) -> Reply:
        service = {
            "hostname": "controller", "host": "controller", "binary": "heat-engine", "topic": "engine",
            "engine_id": "00000000-0000-0000-0000-000000000001", "report_interval": 60, "status": "up",
            "created_at": "2015-10-15T00:00:00.000000", "updated_at": self._engine.cloud.clock.stamp(),
            "deleted_at": None, "id": "1",
        }  # fmt: skip
        return Reply(200, {"services": [service]})


def _begins(pattern: str | None, name: str) -> bool:
    """Return whether a regular expression matches the beginning of a name; an invalid one matches none."""
    try:
        return pattern is None or re.match(pattern, name) is not None
    except re.error:
        return False


def _parameter(prop: Prop) -> dict[str, Any]:
    parameter: dict[str, Any] = {"type": _PARAMETER_TYPES[prop.type]}
    if prop.description:
        parameter["description"] = prop.description
    if prop.default is not None:
        parameter["default"] = prop.default
    elif not prop.required:
        parameter["default"] = ""
    return parameter
