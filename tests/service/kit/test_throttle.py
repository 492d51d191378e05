"""Requests within a time are counted for all web processes together; by each alone while Valkey is away."""

from types import SimpleNamespace
from uuid import uuid4

import pytest
import redis
from django.core.cache import cache
from pytest_django import Settings

from vnfm.kit.web.throttle import PREFIX, SharedThrottle


class Three(SharedThrottle):
    rate = "3/min"

    def get_cache_key(self, request, view) -> str | None:
        return view.key


def counted(key: str | None) -> tuple[bool, float]:
    throttle = Three()
    return throttle.allow_request(None, SimpleNamespace(key=key)), throttle.wait()


def test_the_count_is_in_valkey_and_ends_with_its_window(valkey: str) -> None:
    key = str(uuid4())
    for _ in range(2):
        assert counted(key)[0]
    cache.clear()
    client = redis.Redis.from_url(valkey)
    client.incr(f"{PREFIX}{key}")  # as another process does
    allowed, wait = counted(key)
    assert not allowed
    assert 0 < wait <= 60
    assert counted(str(uuid4()))[0], "another key is counted by itself"
    client.delete(f"{PREFIX}{key}")  # as at the window's end
    assert counted(key)[0]


def test_no_key_counts_nothing() -> None:
    assert all(counted(None)[0] for _ in range(10))


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0"])
def test_without_valkey_each_process_counts_by_itself(settings: Settings, url: str) -> None:
    settings.REDIS_URL = url
    key = str(uuid4())
    assert [counted(key)[0] for _ in range(4)] == [True, True, True, False]
    assert 0 < counted(key)[1] <= 60
