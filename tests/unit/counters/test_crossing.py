"""When a counter is beyond a threshold: crossing, hysteresis, gaps, resets, and values that say nothing more."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.counters.domain.counters import COUNTERS, CounterReading, ElementReading, counter_value, deltas_between
from vnfm.counters.domain.crossing import ThresholdDirection, ThresholdLimits, value_expires

ABOVE = ThresholdLimits(ThresholdDirection.ABOVE, threshold=90, clear=80)
BELOW = ThresholdLimits(ThresholdDirection.BELOW, threshold=10, clear=20)


def course(limits: ThresholdLimits, values: Sequence[float | None]) -> Iterator[bool | None]:
    beyond: bool | None = None
    for value in values:
        beyond = limits.beyond(beyond, value)
        yield beyond


@pytest.mark.parametrize(
    ("limits", "values", "beyond"),
    [
        (ABOVE, [50, 89.9, 90, 85, 80.1, 80, 85, 95], [False, False, True, True, True, False, False, True]),
        (BELOW, [50, 10.1, 10, 15, 19.9, 20, 15, 5], [False, False, True, True, True, False, False, True]),
        (ABOVE, [85], [None]),
        (ABOVE, [95, None, None, 85, None, 79], [True, True, True, True, True, False]),
        (ABOVE, [None, 70, None], [None, False, False]),
        (ThresholdLimits(ThresholdDirection.ABOVE, 90, 90), [90, 89.9, 90], [True, False, True]),
        (ThresholdLimits(ThresholdDirection.BELOW, 0, 0), [0, 0.1, 0], [True, False, True]),
    ],
    ids=["above", "below", "unknown at first", "gaps keep it", "gaps decide nothing", "no hysteresis", "at zero"],
)
def test_a_counter_crosses_with_hysteresis(
    limits: ThresholdLimits, values: list[float | None], beyond: list[bool | None]
) -> None:
    assert list(course(limits, values)) == beyond


@given(st.lists(st.none() | st.floats(-1e12, 1e12)))
def test_below_is_the_mirror_of_above(values: list[float | None]) -> None:
    mirrored = ThresholdLimits(ThresholdDirection.BELOW, -ABOVE.threshold, -ABOVE.clear)
    assert list(course(ABOVE, values)) == list(course(mirrored, [None if v is None else -v for v in values]))


def test_the_clear_value_is_on_the_near_side() -> None:
    assert ABOVE.ordered
    assert BELOW.ordered
    assert not ThresholdLimits(ThresholdDirection.ABOVE, 80, 90).ordered
    assert not ThresholdLimits(ThresholdDirection.BELOW, 20, 10).ordered


def test_a_value_expires_after_two_and_a_half_readings() -> None:
    at = datetime(2026, 11, 28, 13, 14, 25, tzinfo=UTC)
    assert value_expires(at, 60.0) == at + timedelta(seconds=150)


def reading(at: float, uptime: float, octets: int, reset_at: int = 0) -> ElementReading:
    columns = {"octets_in": (CounterReading(octets, 64),)}
    return ElementReading(at, uptime, {"1/1/1": (reset_at, columns)}, speeds={"1/1/1": 8_000})


def utilisation(before: ElementReading, after: ElementReading) -> list[float | None]:
    """Return the utilisation of each row that is stored, and so evaluated."""
    return [
        counter_value(COUNTERS["utilisationIn"], row.values, row.seconds) for row in deltas_between(before, after, 60)
    ]


def test_what_is_no_increase_is_not_evaluated() -> None:
    first = reading(0, 1000, 0)
    assert utilisation(first, reading(60, 1060, 57_000)) == [pytest.approx(95)]
    assert utilisation(first, reading(60, 10, 57_000)) == [], "the element restarted"
    assert utilisation(first, reading(60, 1060, 57_000, reset_at=7)) == [], "the interface's counters were reset"
    assert utilisation(first, reading(600, 1600, 57_000)) == [], "a gap"
    assert utilisation(reading(0, 1000, 60_000), reading(60, 1060, 57_000)) == [None], "it went backwards"
