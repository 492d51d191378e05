"""Scheduled work that survives a restart: deadlines are stored documents, handlers are registered by name."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloudsim.core.clock import Clock
    from cloudsim.core.store import Store

log = logging.getLogger("cloudsim.timers")

TimerHandler = Callable[..., Awaitable[None]]
"""A function that gets the stored arguments as keywords, and must accept that its subject no longer exists."""


class Timers:
    """``after(5, "compute.booted", server_id=…)`` calls the handler registered under that name in five seconds.

    After a restart, handlers whose deadlines have passed run at once, in order of their deadlines.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._handlers: dict[str, TimerHandler] = {}
        self._handles: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def register(self, name: str, handler: TimerHandler) -> None:
        self._handlers[name] = handler

    def after(self, seconds: float, name: str, /, **arguments: Any) -> str:
        """Schedule a handler and return the timer's id; zero seconds mean a later turn of the event loop."""
        ident = uuid.uuid4().hex
        due = self._clock.time() + seconds
        self._store.put("timer", ident, {"id": ident, "due": due, "name": name, "arguments": arguments})
        self._arm(ident, due)
        return ident

    def cancel(self, ident: str) -> None:
        handle = self._handles.pop(ident, None)
        if handle:
            handle.cancel()
        self._store.delete("timer", ident)

    def start(self) -> None:
        """Start the stored timers; call it once the event loop runs and all handlers are registered."""
        self._loop = asyncio.get_running_loop()
        for timer in sorted(self._store.list("timer"), key=lambda timer: timer["due"]):
            self._arm(timer["id"], timer["due"])

    def stop(self) -> None:
        for handle in self._handles.values():
            handle.cancel()
        self._handles.clear()
        self._loop = None

    async def run_due(self) -> int:
        """Run the due handlers in order, and return their number; for tests with a ManualClock."""
        due = [timer for timer in self._store.list("timer") if timer["due"] <= self._clock.time()]
        for timer in sorted(due, key=lambda timer: timer["due"]):
            await self._run(timer["id"])
        return len(due)

    def work_within(self, seconds: float) -> bool:
        """Return whether a handler runs now, or one is due within `seconds`."""
        latest = self._clock.time() + seconds
        return bool(self._tasks) or any(timer["due"] <= latest for timer in self._store.list("timer"))

    def _arm(self, ident: str, due: float) -> None:
        if self._loop is not None:
            delay = max(0.0, due - self._clock.time())
            self._handles[ident] = self._loop.call_later(delay, self._fire, ident)

    def _fire(self, ident: str) -> None:
        self._handles.pop(ident, None)
        task = asyncio.ensure_future(self._run(ident))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, ident: str) -> None:
        timer = self._store.get("timer", ident)
        if timer is None:
            return
        try:
            await self._handlers[timer["name"]](**timer["arguments"])
        except Exception:
            log.exception("timer %s failed", timer["name"])
        self._store.delete("timer", ident)
        if self._loop is not None:
            self._loop.call_soon(self._store.flush)
