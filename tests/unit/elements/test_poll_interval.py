from datetime import timedelta

import pytest

from vnfm.devices.types import Bounds, Community, SnmpTarget
from vnfm.elements.domain.poll_interval import gauge_period, is_lost, next_poll
from vnfm.elements.reconcilers.poller import JITTER
from vnfm.vims.domain.reachability import STALE_AFTER

UNCHANGED = {"period": 3.0, "elements": 10, "failures": 0, "since_change": None, "duration": 0.1}


@pytest.mark.parametrize(
    ("change", "seconds"),
    [
        ({}, 3),
        ({"elements": 1000}, 20),
        ({"elements": 1000, "since_change": 5.0}, 3),
        ({"elements": 1000, "since_change": 500.0}, 20),
        ({"duration": 4.0}, 12),
        ({"duration": 60.0}, 45),
        ({"failures": 1}, 3),
        ({"failures": 2}, 6),
        ({"failures": 4, "elements": 1000}, 24),
        ({"failures": 40}, 60),
        ({"failures": 40, "period": 300.0}, 300),
    ],
)
def test_seconds_until_the_next_poll(change: dict[str, float], seconds: float) -> None:
    assert next_poll(**{**UNCHANGED, **change}) == seconds  # type: ignore[arg-type]


@pytest.mark.parametrize(("failures", "retries", "lost"), [(1, 0, False), (2, 0, True), (1, 1, True), (0, 5, False)])
def test_two_lost_answers_in_a_row_are_an_outage(failures: int, retries: int, lost: bool) -> None:
    assert is_lost(failures=failures, retries=retries) is lost


def test_many_gauges_are_read_again_only_after_a_change() -> None:
    assert [gauge_period(since) for since in (None, 5.0, 500.0)] == [30, 5, 30]
    assert [gauge_period(since, many=True) for since in (None, 5.0, 500.0)] == [600, 30, 600]


@pytest.mark.parametrize("seconds", [0.1, 1.0, 10.0, 20.0, 40.0, Bounds().seconds])
@pytest.mark.parametrize("elements", [10, 2000])
def test_an_element_that_answers_is_not_unknown_between_two_polls(seconds: float, elements: int) -> None:
    """Knowledge is as old as the beginning of the poll that found it, until the next one has ended."""
    poll = seconds + 2 * SnmpTarget("", 161, Community("")).timeout  # the states, after the system group
    pause = next_poll(**{**UNCHANGED, "elements": elements, "duration": poll})  # type: ignore[arg-type]
    assert timedelta(seconds=poll + pause * (1 + JITTER) + poll) <= STALE_AFTER
