"""Runs interdependent work concurrently, each piece once its requirements are done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

ERROR_WAIT = 240.0
"""Seconds for which running siblings may continue after a failure (Heat's `error_wait_time`)."""


class ManyFailed(Exception):
    """All failures of a run that continued after the first."""

    def __init__(self, failures: list[BaseException]) -> None:
        self.failures = failures
        super().__init__(str([str(failure) for failure in failures]))


class Flow(Generic[Key]):
    """Runs `work(x)` for each key once all keys of `requires[x]` are done.

    Normally the first failure prevents new starts, running work may finish within `error_wait` seconds, and that
    failure is raised. With `collect` only dependents of a failure are skipped, and ManyFailed is raised at the end.
    """

    def __init__(
        self,
        requires: Mapping[Key, set[Key]],
        work: Callable[[Key], Awaitable[None]],
        *,
        collect: bool = False,
        error_wait: float = ERROR_WAIT,
    ) -> None:
        self._waiting = {key: {need for need in needs if need in requires} for key, needs in requires.items()}
        self._dependents = _reverse(self._waiting)
        self._work, self._collect, self._error_wait = work, collect, error_wait
        self._running: dict[asyncio.Task[None], Key] = {}
        self._failures: list[BaseException] = []

    async def run(self) -> None:
        """Run all work. Raises the first failure or ManyFailed; a cancellation cancels and awaits running work."""
        try:
            for key in [key for key, needs in self._waiting.items() if not needs]:
                self._start(key)
            while self._running and (self._collect or not self._failures):
                done, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._finished(self._running.pop(task), task.exception())
            if self._failures:
                await self._wind_down(self._error_wait)
                raise ManyFailed(self._failures) if self._collect else self._failures[0]
        except asyncio.CancelledError:
            await self._wind_down(0)
            raise

    def _start(self, key: Key) -> None:
        del self._waiting[key]
        self._running[asyncio.ensure_future(self._do(key))] = key

    async def _do(self, key: Key) -> None:
        await self._work(key)

    def _finished(self, key: Key, failure: BaseException | None) -> None:
        if failure:
            self._failures.append(failure)
            return
        if self._failures and not self._collect:
            return
        for dependent in self._dependents[key]:
            self._waiting[dependent].discard(key)
            if not self._waiting[dependent]:
                self._start(dependent)

    async def _wind_down(self, patience: float) -> None:
        if not self._running:
            return
        late = set(self._running)
        if patience:
            _, late = await asyncio.wait(self._running, timeout=patience)
        for task in late:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


def _reverse(requires: Mapping[Key, set[Key]]) -> dict[Key, set[Key]]:
    turned: dict[Key, set[Key]] = {key: set() for key in requires}
    for key, needs in requires.items():
        for need in needs:
            turned[need].add(key)
    return turned
