"""The interface of a simulated service: routes, version documents, fault shape.

A service package (``cloudsim.identity``, ``cloudsim.heat``, …) exposes

- ``def routes(cloud: Cloud) -> list[Route]``  its handlers, bound to the cloud's store, bus, timers and dispatcher;
- ``def versions(base: str) -> Reply``  the answer to ``GET {prefix}/``; ``base`` is ``http://host:port/orchestration``;
- ``async def start(cloud: Cloud) -> None``  optional: seed missing objects, register timers and indexes, resume work
  that a restart interrupted. It runs before the first request, in the order identity, image, network, volume, compute,
  orchestration, alarming. Indexes must be declared in ``routes`` or ``start``, before use.
- ``async def stop(cloud: Cloud) -> None``  optional: cancel the package's own tasks.

``cloudsim.app`` mounts each under its prefix: identity, image, compute, network, volume, orchestration (heat),
alarming (aodh).

**Patterns** are paths below the prefix: ``/v1/{project_id}/stacks/{name}``. ``{x}`` matches one segment, ``{x*}``
the rest. A literal segment wins over a parameter. A trailing slash is ignored. Unknown path: 404; known path, other
method: 405.

**Admission**, in this order, for HTTP: injected latency and failures (control API) → authentication (``X-Auth-Token``,
unless ``Route.auth`` is False) → handler. In-process calls (``Dispatcher``) go straight to the handler.

**Handlers** are ``async def handler(ctx: RequestContext, request: Request) -> Reply``. Between two awaits nothing else
runs, so a handler that does not await is atomic. Errors: raise ``ApiFault``; the service's renderer formats it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.datastructures import QueryParams

from cloudsim.core.context import RequestContext
from cloudsim.core.errors import Renderer, Reply, bad_method, no_route


@dataclass(frozen=True, slots=True)
class Request:
    """A call as passed to a handler.

    ``path`` is below the service's prefix; ``params`` are the pattern's; ``json`` is None where the body is empty or
    not JSON; ``base`` is the service's own URL (``http://host:port/compute``) for links; ``stream`` yields a body that
    is not JSON. Header names are lower case.
    """

    method: str
    path: str
    base: str
    params: Mapping[str, str] = field(default_factory=dict)
    query: QueryParams = field(default_factory=QueryParams)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    stream: AsyncIterator[bytes] | None = None

    @property
    def object(self) -> dict[str, Any]:
        """Return the body if it is a JSON object, else {}."""
        return self.json if isinstance(self.json, dict) else {}


Handler = Callable[[RequestContext, Request], Awaitable[Reply]]
Versions = Callable[[str], Reply]
Hook = Callable[[], Awaitable[None]]
"""A service's start or stop, bound to its cloud."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route; with ``auth=False`` it needs no token, and the context is ANONYMOUS."""

    method: str
    pattern: str
    handler: Handler
    auth: bool = True


@dataclass(slots=True)
class Service:
    """A mounted service, whose name is its URL prefix, such as ``compute``."""

    name: str
    render: Renderer
    versions: Versions
    router: Router
    start: Hook | None = None
    stop: Hook | None = None


class _Node:
    __slots__ = ("literals", "parameter", "rest", "routes")

    def __init__(self) -> None:
        self.literals: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.rest: _Node | None = None
        self.routes: dict[str, tuple[Route, tuple[str, ...]]] = {}


class Router:
    """Finds a route by its path in time proportional to the path's length."""

    def __init__(self, routes: list[Route]) -> None:
        self._root = _Node()
        for route in routes:
            self._add(route)

    def _add(self, route: Route) -> None:
        node, names = self._root, []
        for segment in route.pattern.strip("/").split("/"):
            if segment.endswith("*}"):
                names.append(segment[1:-2])
                node.rest = node.rest or _Node()
                node = node.rest
            elif segment.startswith("{"):
                names.append(segment[1:-1])
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.literals.setdefault(segment, _Node())
        node.routes[route.method] = (route, tuple(names))

    def match(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Return the route and its parameters. Raises ApiFault 404 or 405."""
        segments = path.strip("/").split("/")
        found = self._walk(self._root, segments, 0, ())
        if found is None:
            raise no_route()
        node, values = found
        entry = node.routes.get(method) or (node.routes.get("GET") if method == "HEAD" else None)
        if entry is None:
            raise bad_method(", ".join(node.routes))
        route, names = entry
        return route, dict(zip(names, map(unquote, values), strict=True))

    def _walk(
        self, node: _Node, segments: list[str], depth: int, values: tuple[str, ...]
    ) -> tuple[_Node, tuple[str, ...]] | None:
        if depth == len(segments):
            return (node, values) if node.routes else None
        segment = segments[depth]
        literal = node.literals.get(segment)
        if literal is not None:
            found = self._walk(literal, segments, depth + 1, values)
            if found is not None:
                return found
        if node.parameter is not None and segment:
            found = self._walk(node.parameter, segments, depth + 1, (*values, segment))
            if found is not None:
                return found
        if node.rest is not None:
            return node.rest, (*values, "/".join(segments[depth:]))
        return None
