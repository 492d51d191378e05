import pytest

from vnfm.elements.domain.poll_interval import gauge_period, is_lost, next_poll

UNCHANGED = {"period": 3.0, "elements": 10, "failures": 0, "since_change": None, "duration": 0.1}


@pytest.mark.parametrize(
    ("change", "seconds"),
    [
        ({}, 3),
        ({"elements": 1000}, 20),
        ({"elements": 1000, "since_change": 5.0}, 3),
        ({"elements": 1000, "since_change": 500.0}, 20),
        ({"duration": 4.0}, 12),
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
