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
    PollInterval,
    PollSituation,
    is_due,
    next_poll,
)

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


def test_a_slow_request_is_sent_less_often() -> None:
    assert is_due(None, 9.9, NOW)
    answered_at = NOW - timedelta(seconds=0.5 / REQUEST_DUTY_CYCLE)
    assert is_due(answered_at, 0.5, NOW)
    assert not is_due(answered_at, 0.6, NOW)
    assert is_due(NOW, CHEAP_SECONDS, NOW), "a cheap request is part of every poll"
