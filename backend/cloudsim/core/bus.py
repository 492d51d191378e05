"""Change bus: wait for a resource to change instead of polling it."""

from __future__ import annotations

import asyncio
from collections import defaultdict


class ChangeBus:
    """Wakes those who wait for (kind, id). Every ``Store.put`` and ``Store.delete`` publishes.

    Everything runs on one event loop, so the pattern below never misses a change: nothing can happen between the
    look and the wait, since ``wait`` registers before it first gives up control::

        while server_status() == "BUILD":
            await bus.wait("server", server_id, timeout=30.0)

    A wake-up says "look again", not what changed.
    """

    def __init__(self) -> None:
        self._waiting: defaultdict[tuple[str, str], list[asyncio.Future[bool]]] = defaultdict(list)

    def publish(self, kind: str, id: str) -> None:  # noqa: A002 - the word of the resource documents
        """Wake everyone who waits for this resource."""
        for future in self._waiting.pop((kind, id), ()):
            if not future.done():
                future.set_result(True)

    async def wait(self, kind: str, id: str, timeout: float) -> bool:  # noqa: A002, ASYNC109
        """Wait until the resource changes; False when ``timeout`` seconds pass first."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        key = (kind, id)
        self._waiting[key].append(future)
        try:
            return await asyncio.wait_for(future, timeout)
        except TimeoutError:
            return False
        finally:
            self._forget(key, future)

    def _forget(self, key: tuple[str, str], future: asyncio.Future[bool]) -> None:
        waiting = self._waiting.get(key)
        if waiting is None:
            return
        if future in waiting:
            waiting.remove(future)
        if not waiting:
            del self._waiting[key]
