"""Paths of further major versions in our OpenAPI document, made from those of the version that is described.

`/vnfpkgm/v2` has the shapes of v1. `/vnflcm/v1` has those of SOL003 V2.6.1, made from v2's by what `lcm.wire.editions`
says of the difference.
"""

from copy import deepcopy
from dataclasses import dataclass
from http import HTTPMethod
from typing import Any
from uuid import UUID

from django.urls import Resolver404, resolve

from vnfm.lcm.wire.editions import V1, V2

Json = dict[str, Any]

_V261 = "In the shapes of ETSI GS NFV-SOL 003 V2.6.1."
_SOME_ID = str(UUID(int=0))
_REF = "#/components/schemas/"
_LISTS = {"vimConnectionInfo": "id", "cpConfig": ""}
"""Maps that V2.6.1 has as arrays, and the member that holds the key."""
_RENAMED = {
    "InstantiatedVnfInfo": {V2.networks: V1.networks},
    "AffectedVirtualLink": {V2.link_descriptor: V1.link_descriptor},
}
_SAME = ("CreateVnfSnapshotRequest", "RevertToVnfSnapshotRequest")
"""Bodies of tasks that V2.6.1 does not have."""
_ADDED = {"VnfInstanceOut": {"vnfPkgId": {"type": "string", "format": "uuid", "readOnly": True}}}


@dataclass(frozen=True, slots=True)
class _Copy:
    source: str
    """Path of the described API, or its beginning."""
    target: str
    suffix: str
    """Operation ids end with it."""
    shapes: bool
    """True if the shapes are those of the source."""


_COPIES = (
    _Copy("/vnfpkgm/v1/", "/vnfpkgm/v2/", "_v2", shapes=True),
    _Copy("/vnflcm/v2/vnf_snapshots", "/vnflcm/v1/vnf_snapshots", "_v1", shapes=True),
    _Copy("/vnflcm/v2/", "/vnflcm/v1/", "_v1", shapes=False),
)


def add_editions(result: Json) -> None:
    """Add paths that are served, by the routes that there are, and are not described by themselves."""
    paths, older = result["paths"], _OlderShapes(result["components"]["schemas"])
    for path, methods in list(paths.items()):
        for copy in _COPIES:
            target = copy.target + path.removeprefix(copy.source)
            if not path.startswith(copy.source) or target in paths:
                continue
            served = _served(target)
            if found := {method: _copied(each, copy, older) for method, each in methods.items() if method in served}:
                paths[target] = found


def _served(path: str) -> set[str]:
    """The methods of the view at this path, in lower case; none where there is no view."""
    parts = [_SOME_ID if part.startswith("{") else part for part in path.split("/")]
    try:
        cls = getattr(resolve("/".join(parts)).func, "cls", None)
    except Resolver404:
        return set()
    return {method.lower() for method in HTTPMethod if hasattr(cls, method.lower())}


def _copied(operation: Json, copy: _Copy, older: "_OlderShapes") -> Json:
    copied = deepcopy(operation)
    copied["operationId"] += copy.suffix
    if copy.shapes:
        return copied
    copied["description"] = " ".join(filter(None, (copied.get("description", ""), _V261)))
    for parameter in copied.get("parameters", ()):
        if parameter["name"] == "filter":
            parameter["description"] = "An attribute filter (SOL013 5.2): (op,attribute,value);…"
    for body in (copied.get("requestBody", {}), *copied["responses"].values()):
        for media, content in body.get("content", {}).items():
            if media != "application/problem+json":
                content["schema"] = older.of(content["schema"])
    return copied


class _OlderShapes:
    """Schemas as V2.6.1 has them; a component that differs is added as `<name>V1`."""

    def __init__(self, components: dict[str, Json]) -> None:
        self._components = components
        self._names: dict[str, str] = {}

    def of(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return [self.of(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return {**schema, "$ref": _REF + self._named(schema["$ref"].removeprefix(_REF))}
        if isinstance(schema.get("properties"), dict):
            schema = self._object(schema, {}, {})
        return {key: each if key == "properties" else self.of(each) for key, each in schema.items()}

    def _named(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = name  # of a schema that contains itself
            now = self._components[name]
            kind, changed = name.removesuffix("Request"), now
            if isinstance(now.get("properties"), dict) and kind not in _SAME:
                changed = self._object(now, _RENAMED.get(kind, {}), _ADDED.get(kind, {}))
            older = {key: each if key == "properties" else self.of(each) for key, each in changed.items()}
            if older != now:
                self._names[name] = f"{name}V1"
                self._components[f"{name}V1"] = older
        return self._names[name]

    def _object(self, schema: Json, renamed: dict[str, str], added: Json) -> Json:
        properties = {
            renamed.get(name, name): self._property(name, each)
            for name, each in schema["properties"].items()
            if name not in V1.missing
        }
        older = {**schema, "properties": {**properties, **added}}
        if "required" in schema:
            older["required"] = [renamed.get(name, name) for name in schema["required"] if name not in V1.missing]
        return older

    def _property(self, name: str, schema: Any) -> Any:
        if name not in _LISTS or not isinstance(schema.get("additionalProperties"), dict):
            return self.of(schema)
        entry, key = self.of(schema["additionalProperties"]), _LISTS[name]
        if key:
            entry = deepcopy(self._components[entry["$ref"].removeprefix(_REF)] if "$ref" in entry else entry)
            entry["properties"] = {key: {"type": "string"}, **entry.get("properties", {})}
        kept = {each: value for each, value in schema.items() if each not in ("type", "additionalProperties")}
        return {**kept, "type": "array", "items": entry}
