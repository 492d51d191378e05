"""Limits of requests within a time, counted in Valkey for all web processes together (ADR-0043)."""

import time
from functools import cache

import redis
import structlog
from django.conf import settings
from django.core.cache import cache as own_count
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

PREFIX = "vnfm:throttle:"
BROKER_SECONDS = 0.5

log = structlog.get_logger(__name__)


class SharedThrottle(SimpleRateThrottle):
    """Subclasses have a `rate`, such as "10/min", and `get_cache_key`, by which is counted; None counts nothing.

    A window begins with its first request. While Valkey is away each process counts by itself: the limit is then
    multiplied by the number of web processes, and no caller is refused for our trouble.
    """

    duration: int
    num_requests: int
    _left = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        key = self.get_cache_key(request, view)
        if key is None:
            return True
        count, self._left = _counted(f"{PREFIX}{key}", self.duration)
        return count <= self.num_requests

    def wait(self) -> float:
        """Seconds until the present window ends."""
        return self._left


def _counted(key: str, seconds: int) -> tuple[int, float]:
    """Count a request: how many the window has now, and the seconds until it ends."""
    try:
        with _client(settings.REDIS_URL).pipeline() as commands:
            commands.set(key, 0, ex=seconds, nx=True)
            commands.incr(key)
            commands.pttl(key)
            _, count, left = commands.execute()
    except redis.RedisError as error:
        log.warning("throttle.broker_unavailable", error=str(error))
        return _counted_here(key, seconds)
    return int(count), max(0.0, left / 1000)


def _counted_here(key: str, seconds: int) -> tuple[int, float]:
    now = time.monotonic()
    begun = float(own_count.get_or_set(f"{key}:begun", now, seconds) or now)
    own_count.add(key, 0, seconds)
    try:
        return own_count.incr(key), max(0.0, begun + seconds - now)
    except ValueError:  # the window has just ended
        own_count.set(key, 1, seconds)
        return 1, float(seconds)


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=BROKER_SECONDS, socket_connect_timeout=BROKER_SECONDS)
