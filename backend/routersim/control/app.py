"""Routes of the control API."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from routersim.cli.config import SEPARATOR
from routersim.cli.model import running
from routersim.control.views import detail, notifications, summary
from routersim.faults import InvalidFault, inject
from routersim.fleet import Fleet, UnknownElement
from routersim.model.build import InvalidSpec
from routersim.model.build import fleet as fleet_specs

if TYPE_CHECKING:
    from routersim.cloud_follower import Follower

Handler = Callable[[Request], Awaitable[Response]]


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object of the body, {} without one. Raises InvalidSpec."""
    octets = await request.body()
    try:
        body = json.loads(octets) if octets else {}
    except ValueError as error:
        raise InvalidSpec(f"not JSON: {error}") from error
    if not isinstance(body, dict):
        raise InvalidSpec("the body must be a JSON object")
    return body


def _with_errors(handler: Handler) -> Handler:
    """Map exceptions to HTTP errors."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except UnknownElement as error:
            return JSONResponse({"error": str(error.args[0])}, 404)
        except (InvalidSpec, InvalidFault) as error:
            return JSONResponse({"error": str(error)}, 400)

    return answer


class Control:
    """The handlers of the API for a fleet."""

    def __init__(self, fleet: Fleet, follower: Follower) -> None:
        self._fleet, self._follower = fleet, follower

    def routes(self) -> list[Route]:
        table: tuple[tuple[str, str, Handler], ...] = (
            ("GET", "/healthz", self.health),
            ("GET", "/control/v1/elements", self.list),
            ("POST", "/control/v1/elements", self.add),
            ("POST", "/control/v1/fleets", self.add_fleet),
            ("GET", "/control/v1/elements/{name}", self.show),
            ("DELETE", "/control/v1/elements/{name}", self.remove),
            ("PATCH", "/control/v1/elements/{name}", self.change),
            ("GET", "/control/v1/elements/{name}/notifications", self.notifications),
            ("GET", "/control/v1/elements/{name}/config", self.config),
            ("POST", "/control/v1/elements/{name}/faults/{fault}", self.inject),
            ("GET", "/control/v1/stats", self.stats),
            ("POST", "/control/v1/storms", self.storm),
            ("PUT", "/control/v1/clouds/{name}", self.follow),
            ("DELETE", "/control/v1/clouds/{name}", self.unfollow),
        )
        return [Route(path, _with_errors(handler), methods=[method]) for method, path, handler in table]

    async def health(self, _request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def list(self, _request: Request) -> Response:
        return JSONResponse({"elements": [summary(router) for router in self._fleet.routers.values()]})

    async def add(self, request: Request) -> Response:
        """Add one element with its virtual systems."""
        added = await self._fleet.add([await _body(request)])
        return JSONResponse({"elements": [summary(router) for router in added]}, 201)

    async def add_fleet(self, request: Request) -> Response:
        """Add `count` equal elements on the addresses of `network`."""
        try:
            added = await self._fleet.add(fleet_specs(await _body(request)))
        except ValueError as error:
            raise InvalidSpec(str(error)) from error
        return JSONResponse({"elements": [summary(router) for router in added]}, 201)

    async def show(self, request: Request) -> Response:
        return JSONResponse(detail(self._fleet.router(request.path_params["name"])))

    async def remove(self, request: Request) -> Response:
        await self._fleet.remove(request.path_params["name"])
        return Response(status_code=204)

    async def change(self, request: Request) -> Response:
        """Change `trapTargets` and `informs`: the receivers of notifications, and whether they are informs."""
        router, body = self._fleet.router(request.path_params["name"]), await _body(request)
        if set(body) - {"trapTargets", "informs"}:
            raise InvalidSpec("only trapTargets and informs can be changed")
        router.element.trap_targets = list(body.get("trapTargets", router.element.trap_targets))
        router.element.informs = bool(body.get("informs", router.element.informs))
        router.changed()
        return JSONResponse(detail(router))

    async def notifications(self, request: Request) -> Response:
        return JSONResponse(notifications(self._fleet.router(request.path_params["name"])))

    async def config(self, request: Request) -> Response:
        """Return the running configuration, a line with the whole path per statement."""
        router = self._fleet.router(request.path_params["name"])
        return JSONResponse({"config": [text.replace(SEPARATOR, " ") for text in running(router)]})

    async def inject(self, request: Request) -> Response:
        router = self._fleet.router(request.path_params["name"])
        inject(router, request.path_params["fault"], await _body(request))
        return JSONResponse(detail(router))

    async def stats(self, _request: Request) -> Response:
        routers = self._fleet.routers.values()
        return JSONResponse(
            {
                "elements": len(routers),
                **self._fleet.counters,
                "notificationsSent": sum(router.notifier.sent for router in routers),
                "notificationsLost": sum(router.notifier.lost for router in routers),
            }
        )

    async def storm(self, request: Request) -> Response:
        """Send `rate` notifications a second without a fault: `{"rate": 1000, "seconds": 10, "elements": […]}`."""
        body = await _body(request)
        try:
            rate, seconds = int(body["rate"]), float(body["seconds"])
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidSpec("rate (per second) and seconds must be numbers") from error
        self._fleet.storm(rate, seconds, list(body.get("elements", ())))
        return Response(status_code=202)

    async def follow(self, request: Request) -> Response:
        """Follow VMs: `{"cloudsYaml": path, "cloud": name, "seconds": 0.5, "adopt": false, "factory": false}`."""
        body = await _body(request)
        if not isinstance(body.get("cloudsYaml"), str):
            raise InvalidSpec("cloudsYaml must be the path of a clouds.yaml")
        name = request.path_params["name"]
        cloud, seconds = str(body.get("cloud", name)), float(body.get("seconds", 0.5))
        switches = {switch: body.get(switch) is True for switch in ("adopt", "factory")}
        await self._follower.follow(name, body["cloudsYaml"], cloud, seconds, **switches)
        return Response(status_code=204)

    async def unfollow(self, request: Request) -> Response:
        await self._follower.unfollow(request.path_params["name"])
        return Response(status_code=204)


def build_app(fleet: Fleet, follower: Follower, started: Callable[[], Awaitable[None]]) -> Starlette:
    """Return the application, which opens the elements; `started` is called once all stored elements are open."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await fleet.start()
        await started()
        try:
            yield
        finally:
            await follower.stop()
            await fleet.stop()

    return Starlette(routes=Control(fleet, follower).routes(), lifespan=lifespan)
