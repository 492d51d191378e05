"""From the outbox to the web processes, over Redis pub/sub; these pass it on to browsers as server-sent events."""

from functools import cache

import redis
from django.conf import settings

from vnfm.kit.durable.outbox import Event, Subscriber
from vnfm.notifications.domain.sse import TOPICS, sse_frame

CHANNEL = "vnfm:events"


def event_publish(event: Event) -> None:
    """Publish the event to all web processes. A duplicate does no harm."""
    _client(settings.REDIS_URL).publish(CHANNEL, sse_frame(event.id, event.topic, event.aggregate_id, event.version))


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)


SSE_PUBLISHER = Subscriber("sse", frozenset(TOPICS), event_publish)
