"""Waits for the end of all work in the cloud, so that tests need not poll."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.engine import Engine

TICK = 0.004
LONGEST = 60.0


class Settling:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [Route("POST", "/v1/settle", self.settle, auth=False)]

    async def settle(self, _ctx: RequestContext, request: Request) -> Reply:
        """Answer once no stack operation and no server action runs, after `seconds` at the latest.

        `worked` is true if one ran when the request came, `settled` if all have ended.
        """
        seconds = request.object.get("seconds", 1.0)
        if not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST:
            raise ApiFault(400, "BadRequest", f"seconds = {seconds!r}: a number up to {LONGEST:g}.")
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        worked = busy = works(self._cloud, seconds)
        while busy and loop.time() < deadline:
            await asyncio.sleep(TICK)
            busy = works(self._cloud, deadline - loop.time())
        return Reply(200, {"worked": worked, "settled": not busy})


def works(cloud: Cloud, seconds: float) -> bool:
    """Return whether a stack operation runs, or a server action that ends within `seconds`."""
    heat: Engine = cloud.parts["heat"]
    return heat.works or cloud.timers.work_within(seconds)
