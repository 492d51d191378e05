"""From the outbox to everybody who watches: announcements over Redis pub/sub to the web processes."""

from functools import cache

import redis
from django.conf import settings

from vnfm.kit.outbox import Event, Subscriber
from vnfm.notifications.domain.sse import TOPICS, sse_frame

CHANNEL = "vnfm:events"


def event_announce(event: Event) -> None:
    """Hand the event to every web process. An announcement heard twice costs a client nothing."""
    _client(settings.REDIS_URL).publish(CHANNEL, sse_frame(event.id, event.topic, event.aggregate_id, event.version))


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)


SSE_PUBLISHER = Subscriber("sse", frozenset(TOPICS), event_announce)
