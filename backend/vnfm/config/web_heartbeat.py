"""The heartbeat of the web process: its event loop turns, and a thread of it takes up work."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from vnfm.kit.durable.places import Places

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


_places = Places(
    "web-process", settings.WEB_PROCESSES, Path(settings.HEARTBEAT_DIR) if settings.HEARTBEAT_DIR else None
)
"""One of a container's processes, which uvicorn starts, has the name of the first place that no other has."""


def process_name(number: int) -> str:
    """The name of the web process `number`, from 0."""
    return f"web-{number + 1}" if number else "web"


class WebHeartbeat:
    """ASGI wrapper: beats from the server's startup to its shutdown (ASGI lifespan)."""

    def __init__(self, app: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        await receive()
        beating = asyncio.create_task(_beat())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        beating.cancel()
        await send({"type": "lifespan.shutdown.complete"})


async def _beat() -> None:
    from vnfm.kit.durable import heartbeat  # noqa: PLC0415 - only now are Django's apps loaded

    name = os.environ.get("VNFM_WEB_PROCESS_NAME", "")  # no setting: those are read once for all forks
    place = _places.take() if settings.WEB_PROCESSES > 1 and not name else None
    await asyncio.to_thread(heartbeat.register, name or process_name(place.number if place else 0))
    while True:
        await asyncio.to_thread(heartbeat.beat_and_close)
        await asyncio.sleep(heartbeat.BEAT_SECONDS)
