"""Paths of further major versions in our OpenAPI document, made from those of the version that is described.

`/vnfpkgm/v2` has the shapes of v1. `/vnflcm/v1` and `/vnfpm/v1` have those of SOL003 V2.6.1, which ETSI describes: here
stand their paths, methods, roles and status codes, so that a reader finds them and a generated client can call them.
"""

from copy import deepcopy
from dataclasses import dataclass
from http import HTTPMethod
from typing import Any
from uuid import UUID

from django.urls import Resolver404, resolve

_V261 = "In the shapes of ETSI GS NFV-SOL 003 V2.6.1."
_OBJECT = {"type": "object", "additionalProperties": True, "description": _V261}
_SOME_ID = str(UUID(int=0))


@dataclass(frozen=True, slots=True)
class _Copy:
    source: str
    """Path, or its beginning, of what is described."""
    target: str
    suffix: str
    """Of operation ids."""
    shapes: bool
    """Whether the shapes are those of the source."""
    of: str = "alarms"
    """What subscribers are notified of."""


_COPIES = (
    _Copy("/vnfpkgm/v1/", "/vnfpkgm/v2/", "_v2", shapes=True),
    _Copy("/vnflcm/v2/", "/vnflcm/v1/", "_v1", shapes=False),
    _Copy("/vnfpm/v2/", "/vnfpm/v1/", "_v1", shapes=False),
    _Copy(
        "/vnffm/v1/subscriptions",
        "/vnfpm/v1/subscriptions",
        "_of_pm_v1",
        shapes=False,
        of="reports and crossed thresholds",
    ),
)


def add_editions(paths: dict[str, Any]) -> None:
    """In place: what is served, by the routes that there are."""
    for path, methods in list(paths.items()):
        for copy in _COPIES:
            if not path.startswith(copy.source):
                continue
            target = copy.target + path.removeprefix(copy.source)
            served = _served(target)
            if found := {method: _copied(each, copy) for method, each in methods.items() if method in served}:
                paths[target] = found


def _served(path: str) -> set[str]:
    """The methods of the view at this path, in lower case; none where there is no view."""
    parts = [_SOME_ID if part.startswith("{") else part for part in path.split("/")]
    try:
        cls = getattr(resolve("/".join(parts)).func, "cls", None)
    except Resolver404:
        return set()
    return {method.lower() for method in HTTPMethod if hasattr(cls, method.lower())}


def _copied(operation: dict[str, Any], copy: _Copy) -> dict[str, Any]:
    copied = deepcopy(operation)
    copied["operationId"] += copy.suffix
    if copy.shapes:
        return copied
    words = copied.get("description", "").replace("alarms of VNF instances", "alarms").replace("alarms", copy.of)
    copied["description"] = " ".join(filter(None, (words, _V261)))
    for parameter in copied.get("parameters", ()):
        if parameter["name"] == "filter":
            parameter["description"] = "An attribute filter (SOL013 5.2): (op,attribute,value);…"
    for body in (copied.get("requestBody", {}), *copied["responses"].values()):
        for media, content in body.get("content", {}).items():
            if media != "application/problem+json":
                content["schema"] = _plain(content["schema"])
    return copied


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": _OBJECT} if schema.get("type") == "array" else dict(_OBJECT)
