"""Database work of an asyncio process, in threads that close their connections after each call."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog
from django.db import DatabaseError, connections

T = TypeVar("T")

log = structlog.get_logger(__name__)


class DatabaseThreads:
    """`await threads(work, *arguments)` returns what `work` returns."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="database")

    async def __call__(self, work: Callable[..., T], *arguments: object, **keywords: object) -> T:
        def run() -> T:
            try:
                return work(*arguments, **keywords)
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(self._pool, run)

    async def attempt(self, work: Callable[..., object], *arguments: object) -> None:
        """Do periodic work: a database error is logged, and the next period tries again."""
        try:
            await self(work, *arguments)
        except DatabaseError as error:
            log.warning("database.unavailable", error=str(error))

    def close(self) -> None:
        """Wait for running work."""
        self._pool.shutdown(wait=True)
