"""Counters of a threshold rule that have no value of late: pure."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from vnfm.counters.domain.threshold_rules import Spot, UnvaluedCounters, unvalued_counters

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
OLD, OLDER, FRESH = (NOW - timedelta(minutes=minutes) for minutes in (5, 9, 1))
ONE, TWO = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(
    ("valued", "elements", "expected"),
    [
        ({(ONE, "a"): FRESH}, {ONE: OLDER}, UnvaluedCounters()),
        ({(ONE, "a"): FRESH, (ONE, "b"): OLD, (ONE, "c"): OLDER}, {ONE: OLDER}, UnvaluedCounters(2, OLDER)),
        ({(ONE, "a"): FRESH}, {ONE: OLDER, TWO: OLD}, UnvaluedCounters(1, OLD)),
        ({(ONE, "a"): FRESH}, {ONE: OLDER, TWO: FRESH}, None),
        ({(ONE, "a"): FRESH, (TWO, "a"): OLD}, {ONE: OLDER}, UnvaluedCounters()),
    ],
    ids=["all", "some", "an element has none", "not known yet", "of an element that is not read"],
)
def test_counters_without_a_value_of_late(
    valued: dict[Spot, datetime], elements: dict[UUID, datetime], expected: UnvaluedCounters | None
) -> None:
    assert unvalued_counters(valued, elements, 60.0, NOW) == expected
