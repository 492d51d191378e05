"""The heartbeat of the web process: its event loop turns, and a thread of it takes up work."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


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
    from vnfm.kit import heartbeat  # noqa: PLC0415 - only now are Django's apps loaded

    heartbeat.register("web")
    while True:
        await asyncio.to_thread(heartbeat.beat_and_close)
        await asyncio.sleep(heartbeat.BEAT_SECONDS)
