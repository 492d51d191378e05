"""A cloud's share of a worker: callers beyond the limit get turns, first come, first served."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from uuid import uuid4

import pytest
from pytest_django import Settings

from vnfm.lcm.reconcilers import vim_limiter

CLOUD = uuid4()


@pytest.fixture
def full(settings: Settings) -> Iterator[None]:
    settings.VIM_CONCURRENCY = 2
    with ExitStack() as inside:
        for _ in range(2):
            assert inside.enter_context(vim_limiter.acquire(CLOUD)) == 0.0
        yield
    with vim_limiter.acquire(CLOUD) as wait:
        assert wait == 0.0


def test_a_later_caller_has_a_later_turn(full: None) -> None:
    turns = []
    for _ in range(200):
        with vim_limiter.acquire(CLOUD) as wait:
            turns.append(wait)
    late = [turn for turn in turns if turn > vim_limiter.MIN_DELAY]
    assert len(late) > 100
    assert late == sorted(late)
    assert turns[0] == pytest.approx(vim_limiter.MIN_DELAY)
    assert turns[-1] <= vim_limiter.MAX_DELAY


def test_a_busy_cloud_delays_no_other(full: None) -> None:
    with vim_limiter.acquire(uuid4()) as wait:
        assert wait == 0.0


def test_work_without_a_cloud_never_waits(full: None) -> None:
    with vim_limiter.acquire(None) as wait:
        assert wait == 0.0


def test_one_thread_tries_a_cloud_that_does_not_answer() -> None:
    away = uuid4()
    vim_limiter.record_failure(away, None, away=True)
    with vim_limiter.acquire(away) as first, vim_limiter.acquire(away) as second:
        assert first == 0.0
        assert second >= vim_limiter.AWAY_SECONDS / 2
    vim_limiter.record_success(away)
    with vim_limiter.acquire(away), vim_limiter.acquire(away) as again:
        assert again == 0.0


def test_work_that_began_before_the_outage_is_not_the_try() -> None:
    """Such as an upload that goes on for many minutes."""
    away = uuid4()
    with vim_limiter.acquire(away) as upload:
        vim_limiter.record_failure(away, None, away=True)
        for _ in range(2):
            with vim_limiter.acquire(away) as tried, vim_limiter.acquire(away) as second:
                vim_limiter.record_failure(away, None, away=True)
                assert (upload, tried) == (0.0, 0.0)
                assert second >= vim_limiter.AWAY_SECONDS / 2


def test_a_retry_after_is_honoured() -> None:
    busy = uuid4()
    vim_limiter.record_failure(busy, 7.0, away=False)
    with vim_limiter.acquire(busy) as wait:
        assert 6.0 < wait <= 7.5


def test_one_long_call_hardly_changes_the_average() -> None:
    limiter = vim_limiter._Limiter()
    an_hour_ago = time.monotonic() - 3600.0
    assert limiter.enter(an_hour_ago) == 0.0
    before = limiter.stay
    limiter.leave(an_hour_ago)
    assert limiter.stay - before <= vim_limiter.SMOOTHING * vim_limiter.LONGEST_STAY
