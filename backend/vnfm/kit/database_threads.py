"""Database work of an asyncio process: in threads, which give their connections back at once."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog
from django.db import DatabaseError, connections

T = TypeVar("T")

log = structlog.get_logger(__name__)


class DatabaseThreads:
    """Call it with what is to be done; awaiting the call gives what that returned."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="record")

    async def __call__(self, work: Callable[..., T], *arguments: object, **keywords: object) -> T:
        def done() -> T:
            try:
                return work(*arguments, **keywords)
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(self._pool, done)

    async def survive(self, work: Callable[..., object], *arguments: object) -> None:
        """The same for what is done again anyway: without a database, the next time round."""
        try:
            await self(work, *arguments)
        except DatabaseError as error:
            log.warning("elements.database_unavailable", error=str(error))

    def close(self) -> None:
        """Wait for what is under way."""
        self._pool.shutdown(wait=True)
