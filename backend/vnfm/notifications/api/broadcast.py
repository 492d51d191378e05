"""One Redis subscription for a whole web process, however many browsers it serves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from vnfm.metrics.catalogue import SSE_STREAMS
from vnfm.notifications.services.sse_publisher import CHANNEL

BACKLOG = 1000
"""Frames that may wait for a slow client before its stream is ended; it reconnects and gets them replayed."""

log = structlog.get_logger(__name__)

Queue = asyncio.Queue[bytes | None]
"""Frames for one client; None ends its stream."""


class Broadcast:
    """Belongs to one event loop; subscribes to Redis for the first client.

    When Redis is lost all streams are ended, as events may have been missed: the clients reconnect with the id of their
    last event, and get the later ones replayed.
    """

    def __init__(self) -> None:
        self._queues: set[Queue] = set()
        self._starting = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Subscribe to Redis, if not done yet. Raises RedisError when Redis does not answer."""
        async with self._starting:
            if self._reader is None or self._reader.done():
                client = Redis.from_url(
                    settings.REDIS_URL, retry=Retry(NoBackoff(), 0), health_check_interval=10, socket_connect_timeout=5
                )
                pubsub = client.pubsub(ignore_subscribe_messages=True)
                await pubsub.subscribe(CHANNEL)
                self._reader = asyncio.create_task(self._read(client, pubsub))

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[Queue]:
        """A queue of all frames from now on; after `start`."""
        queue: Queue = asyncio.Queue(BACKLOG)
        if self._reader is None or self._reader.done():
            queue.put_nowait(None)
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)

    @property
    def streams(self) -> int:
        """The number of clients that listen."""
        return len(self._queues)

    async def _read(self, client: Redis, pubsub: PubSub) -> None:
        try:
            while True:
                message = await pubsub.get_message(timeout=5)
                if message is not None:
                    self._put(message["data"])
        except RedisError as error:
            log.warning("events.redis_lost", error=str(error), streams=len(self._queues))
        finally:
            for queue in self._queues:
                _end(queue)
            with contextlib.suppress(RedisError):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # of redis-py
                await client.aclose()

    def _put(self, frame: bytes) -> None:
        for queue in self._queues:
            try:
                queue.put_nowait(frame)
            except asyncio.QueueFull:
                _end(queue)


def _end(queue: Queue) -> None:
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(None)


SSE_STREAMS.read_by(lambda: sum(each.streams for each in _broadcasts.values()))
_broadcasts: WeakKeyDictionary[asyncio.AbstractEventLoop, Broadcast] = WeakKeyDictionary()


def broadcast() -> Broadcast:
    """The Broadcast of the running event loop."""
    return _broadcasts.setdefault(asyncio.get_running_loop(), Broadcast())
