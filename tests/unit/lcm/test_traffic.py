"""A cloud's share of a worker: who comes to a full gate gets a turn, first come, first served."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from uuid import uuid4

import pytest
from pytest_django import Settings

from vnfm.lcm.reconcilers import traffic

CLOUD = uuid4()


@pytest.fixture
def full(settings: Settings) -> Iterator[None]:
    settings.VIM_CONCURRENCY = 2
    with ExitStack() as inside:
        for _ in range(2):
            assert inside.enter_context(traffic.admitted(CLOUD)) == 0.0
        yield
    with traffic.admitted(CLOUD) as wait:
        assert wait == 0.0


def test_who_comes_later_has_a_later_turn(full: None) -> None:
    turns = []
    for _ in range(200):
        with traffic.admitted(CLOUD) as wait:
            turns.append(wait)
    late = [turn for turn in turns if turn > traffic.SHORTEST_TURN]
    assert len(late) > 100
    assert late == sorted(late)
    assert turns[0] == pytest.approx(traffic.SHORTEST_TURN)
    assert turns[-1] <= traffic.LONGEST_TURN


def test_a_full_cloud_holds_up_no_other(full: None) -> None:
    with traffic.admitted(uuid4()) as wait:
        assert wait == 0.0


def test_nobody_waits_for_what_has_no_cloud(full: None) -> None:
    with traffic.admitted(None) as wait:
        assert wait == 0.0


def test_one_asks_a_cloud_that_does_not_answer() -> None:
    away = uuid4()
    traffic.troubled(away, None, away=True)
    with traffic.admitted(away) as first, traffic.admitted(away) as second:
        assert first == 0.0
        assert second >= traffic.AWAY_SECONDS / 2
    traffic.well(away)
    with traffic.admitted(away), traffic.admitted(away) as again:
        assert again == 0.0


def test_who_was_inside_before_does_not_ask_for_the_others() -> None:
    """Such as an upload that goes on for many minutes."""
    away = uuid4()
    with traffic.admitted(away) as upload:
        traffic.troubled(away, None, away=True)
        for _ in range(2):
            with traffic.admitted(away) as asks, traffic.admitted(away) as second:
                traffic.troubled(away, None, away=True)
                assert (upload, asks) == (0.0, 0.0)
                assert second >= traffic.AWAY_SECONDS / 2


def test_a_cloud_that_asks_for_a_pause_gets_it() -> None:
    busy = uuid4()
    traffic.troubled(busy, 7.0, away=False)
    with traffic.admitted(busy) as wait:
        assert 6.0 < wait <= 7.5


def test_one_long_stay_is_not_taken_for_the_pace_of_all() -> None:
    gate = traffic._Gate()
    an_hour_ago = time.monotonic() - 3600.0
    assert gate.enter(an_hour_ago) == 0.0
    before = gate.stay
    gate.leave(an_hour_ago)
    assert gate.stay - before <= traffic.SMOOTHING * traffic.LONGEST_STAY
