"""The table of reasons: how long until the next look."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from vnfm.inventory.domain.pace import (
    ASKED_LONGEST_SECONDS,
    BREATH,
    CHEAP_SECONDS,
    JITTER,
    LIVELY_SECONDS,
    QUESTION_SHARE,
    REFUSED_LONGEST_SECONDS,
    SOONEST_SECONDS,
    Pace,
    Situation,
    due,
    pace,
)

QUIET = 2.5
NOW = datetime(2016, 2, 9, 12, 0, tzinfo=UTC)


def paced(*, chance: float = 0.0, **given: Any) -> Pace:
    return pace(Situation(**{"took": 0.05, **given}), quiet_seconds=QUIET, chance=chance)


@pytest.mark.parametrize(
    ("given", "reason", "seconds"),
    [
        ({}, "Quiet", QUIET),
        ({"calm_for": LIVELY_SECONDS}, "Quiet", QUIET),
        ({"calm_for": LIVELY_SECONDS - 0.1}, "JustChanged", 1.0),
        ({"moving": True}, "Moving", 1.0),
        ({"operation": True, "moving": True}, "OperationRuns", 1.0),
        ({"failures": 1, "failure": "away", "operation": True}, "FirstFailure", 0.5),
        ({"failures": 2, "failure": "away", "operation": True}, "Away", QUIET),
        ({"failures": 1, "failure": "refused"}, "Refused", QUIET),
        ({"failures": 3, "failure": "refused"}, "Refused", 4 * QUIET),
        ({"failures": 9000, "failure": "refused"}, "Refused", REFUSED_LONGEST_SECONDS),
        ({"failures": 1, "failure": "asked to wait", "retry_after": 12.0}, "AskedToWait", 12.0),
        ({"failures": 1, "failure": "asked to wait", "retry_after": 0.0}, "AskedToWait", QUIET),
        ({"failures": 1, "failure": "asked to wait", "retry_after": 1e9}, "AskedToWait", ASKED_LONGEST_SECONDS),
        ({"took": 2.0}, "SlowCloud", 2.0 * BREATH),
        ({"took": 2.0, "operation": True}, "SlowCloud", 2.0 * BREATH),
        ({"took": 5.0, "failures": 3, "failure": "away", "answered": False}, "Away", QUIET),
        ({"took": 5.0, "failures": 3, "failure": "away"}, "SlowCloud", 5.0 * BREATH),
    ],
)
def test_the_first_reason_that_applies_decides(given: dict[str, Any], reason: str, seconds: float) -> None:
    chosen = paced(**given)
    assert (chosen.reason, chosen.seconds, chosen.longest) == (reason, seconds, seconds)
    assert chosen.message.endswith(".")


def test_fast_is_never_slower_than_quiet() -> None:
    assert pace(Situation(took=0.0, operation=True), quiet_seconds=0.3, chance=0.0).seconds == 0.3


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_chance_shortens_and_never_lengthens(chance: float) -> None:
    chosen = paced(chance=chance)
    assert chosen.seconds == pytest.approx(QUIET * (1 - JITTER * chance))
    assert chosen.longest == QUIET


@pytest.mark.parametrize(
    ("given", "soonest"),
    [
        ({}, SOONEST_SECONDS),
        ({"took": 1.5}, 3.0),
        ({"failures": 4, "failure": "refused"}, 8 * QUIET),
        ({"failures": 1, "failure": "asked to wait", "retry_after": 60.0}, 60.0),
        ({"took": 5.0, "failures": 3, "failure": "away", "answered": False}, SOONEST_SECONDS),
    ],
)
def test_a_ring_is_served_soon_but_not_against_the_cloud(given: dict[str, Any], soonest: float) -> None:
    chosen = paced(**given)
    assert chosen.soonest == soonest
    assert chosen.soonest <= chosen.longest


def test_a_dear_question_is_put_less_often() -> None:
    assert due(None, 9.9, NOW)
    asked_at = NOW - timedelta(seconds=0.5 * QUESTION_SHARE)
    assert due(asked_at, 0.5, NOW)
    assert not due(asked_at, 0.6, NOW)
    assert due(NOW, CHEAP_SECONDS, NOW), "what is cheap is asked in every look"
