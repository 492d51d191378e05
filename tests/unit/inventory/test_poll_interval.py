"""The table of reasons: how long until the next poll."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from vnfm.inventory.domain.poll_interval import (
    ACTIVITY_SECONDS,
    CHEAP_SECONDS,
    DUTY_CYCLE,
    JITTER,
    MIN_SECONDS,
    RATE_LIMITED_MAX_SECONDS,
    REFUSED_MAX_SECONDS,
    REQUEST_DUTY_CYCLE,
    SLOW_MAX_SECONDS,
    PollInterval,
    PollSituation,
    is_due,
    next_poll,
    stale_after,
)
from vnfm.vims.domain.reachability import STALE_AFTER

QUIET = 2.5
NOW = datetime(2016, 2, 9, 12, 0, tzinfo=UTC)


def interval(*, chance: float = 0.0, **values: Any) -> PollInterval:
    return next_poll(PollSituation(**{"duration": 0.05, **values}), quiet_seconds=QUIET, chance=chance)


@pytest.mark.parametrize(
    ("values", "reason", "seconds"),
    [
        ({}, "Quiet", QUIET),
        ({"calm_for": ACTIVITY_SECONDS}, "Quiet", QUIET),
        ({"calm_for": ACTIVITY_SECONDS - 0.1}, "JustChanged", 1.0),
        ({"in_transition": True}, "Moving", 1.0),
        ({"operation": True, "in_transition": True}, "OperationRuns", 1.0),
        ({"failures": 1, "failure": "away", "operation": True}, "FirstFailure", 0.5),
        ({"failures": 2, "failure": "away", "operation": True}, "Away", QUIET),
        ({"failures": 1, "failure": "refused"}, "Refused", QUIET),
        ({"failures": 3, "failure": "refused"}, "Refused", 4 * QUIET),
        ({"failures": 9000, "failure": "refused"}, "Refused", REFUSED_MAX_SECONDS),
        ({"failures": 1, "failure": "rate limited", "retry_after": 12.0}, "AskedToWait", 12.0),
        ({"failures": 1, "failure": "rate limited", "retry_after": 0.0}, "AskedToWait", QUIET),
        ({"failures": 1, "failure": "rate limited", "retry_after": 1e9}, "AskedToWait", RATE_LIMITED_MAX_SECONDS),
        ({"duration": 2.0}, "SlowCloud", 2.0 / DUTY_CYCLE),
        ({"duration": 2.0, "operation": True}, "SlowCloud", 2.0 / DUTY_CYCLE),
        ({"duration": 50.0}, "SlowCloud", 50.0 + SLOW_MAX_SECONDS),
        ({"failures": 9, "failure": "slow", "retry_after": 300.0}, "Slow", SLOW_MAX_SECONDS),
        ({"duration": 5.0, "failures": 3, "failure": "away", "answered": False}, "Away", QUIET),
        ({"duration": 5.0, "failures": 3, "failure": "away"}, "SlowCloud", 5.0 / DUTY_CYCLE),
    ],
)
def test_the_first_reason_that_applies_decides(values: dict[str, Any], reason: str, seconds: float) -> None:
    chosen = interval(**values)
    assert (chosen.reason, chosen.seconds, chosen.max_seconds) == (reason, seconds, seconds)
    assert chosen.message.endswith(".")


def test_fast_is_never_slower_than_quiet() -> None:
    assert next_poll(PollSituation(duration=0.0, operation=True), quiet_seconds=0.3, chance=0.0).seconds == 0.3


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_chance_shortens_and_never_lengthens(chance: float) -> None:
    chosen = interval(chance=chance)
    assert chosen.seconds == pytest.approx(QUIET * (1 - JITTER * chance))
    assert chosen.max_seconds == QUIET


@pytest.mark.parametrize(
    ("values", "min_seconds"),
    [
        ({}, MIN_SECONDS),
        ({"duration": 1.5}, 3.0),
        ({"failures": 4, "failure": "refused"}, 8 * QUIET),
        ({"failures": 1, "failure": "rate limited", "retry_after": 60.0}, 60.0),
        ({"duration": 5.0, "failures": 3, "failure": "away", "answered": False}, MIN_SECONDS),
    ],
)
def test_a_requested_poll_comes_soon_but_never_against_the_cloud(values: dict[str, Any], min_seconds: float) -> None:
    chosen = interval(**values)
    assert chosen.min_seconds == min_seconds
    assert chosen.min_seconds <= chosen.max_seconds


POLL_SECONDS = [0.05, 1.0, 5.0, 15.0, 30.0, 60.0]
"""Polls may take this long: an answer within READ_SECONDS (30 s), several of them, and one of 60 s."""


@pytest.mark.parametrize("seconds", POLL_SECONDS)
@pytest.mark.parametrize("failure", ["", "slow"])
def test_a_cloud_that_answers_is_not_unknown_between_two_polls(seconds: float, failure: str) -> None:
    """The cloud itself is as old as the end of a poll, its servers as the beginning of the poll that listed them.

    Both last until the next poll has ended; one that gets no answer waits 30 s for it.
    """
    situation = {"failures": int(bool(failure)), "failure": failure, "answered": not failure, "retry_after": 300.0}
    chosen = interval(duration=seconds, **situation)
    next_end = timedelta(seconds=max(chosen.max_seconds, seconds) + seconds)
    assert next_end - timedelta(seconds=seconds) <= STALE_AFTER
    assert next_end <= stale_after(quiet_seconds=QUIET, interval_seconds=chosen.max_seconds) <= STALE_AFTER


def test_what_is_not_observed_becomes_unknown() -> None:
    assert stale_after(quiet_seconds=2.0) == timedelta(seconds=60)
    assert stale_after(quiet_seconds=20.0) == timedelta(seconds=120)
    assert stale_after(quiet_seconds=2.0, interval_seconds=RATE_LIMITED_MAX_SECONDS) == STALE_AFTER
    hosts = stale_after(quiet_seconds=2.0, interval_seconds=2.0, request_seconds=10.0)
    assert hosts > timedelta(seconds=10.0 / REQUEST_DUTY_CYCLE + 2.0), "they are listed less often"


def test_a_slow_request_is_sent_less_often() -> None:
    assert is_due(None, 9.9, NOW)
    answered_at = NOW - timedelta(seconds=0.5 / REQUEST_DUTY_CYCLE)
    assert is_due(answered_at, 0.5, NOW)
    assert not is_due(answered_at, 0.6, NOW)
    assert is_due(NOW, CHEAP_SECONDS, NOW), "a cheap request is part of every poll"
