"""The change bus: waits for the change of a resource, instead of polling."""

from __future__ import annotations

import asyncio
from collections import defaultdict


class ChangeBus:
    """Wakes tasks that wait for (kind, id). Every ``Store.put`` and ``Store.delete`` publishes.

    The pattern below never misses a change: all runs on one event loop, and ``wait`` registers before it first yields
    control, so that nothing can happen between the check and the wait::

        while server_status() == "BUILD":
            await bus.wait("server", server_id, timeout=30.0)

    A wake-up does not say what has changed: read the resource afterwards.
    """

    def __init__(self) -> None:
        self._waiting: defaultdict[tuple[str, str], list[asyncio.Future[bool]]] = defaultdict(list)

    def publish(self, kind: str, id: str) -> None:  # noqa: A002 - the word of the resource documents
        """Wake all tasks that wait for this resource."""
        for future in self._waiting.pop((kind, id), ()):
            if not future.done():
                future.set_result(True)

    async def wait(self, kind: str, id: str, timeout: float) -> bool:  # noqa: A002, ASYNC109
        """Wait until the resource changes; return False if ``timeout`` seconds pass first."""
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
