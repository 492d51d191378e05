"""Loads of several elements as one step function."""

from datetime import UTC, datetime, timedelta

import pytest

from vnfm.automation.domain.load import Sample, mean

START = datetime(2016, 2, 9, tzinfo=UTC)


def samples(*values: tuple[int, float | None]) -> tuple[Sample, ...]:
    return tuple(Sample(START + timedelta(seconds=second), value) for second, value in values)


@pytest.mark.parametrize(
    ("loads", "expected"),
    [
        ([], ()),
        ([samples((0, 80.0), (60, 20.0))], samples((0, 80.0), (60, 20.0))),
        ([samples((0, 80.0)), samples((0, 40.0))], samples((0, 60.0))),
        ([samples((0, 80.0)), samples((30, 40.0))], samples((0, None), (30, 60.0))),
        ([samples((0, 80.0)), samples((0, 40.0), (60, None))], samples((0, 60.0), (60, None))),
        ([samples((0, 80.0)), ()], samples((0, None))),
        ([samples((60, 20.0), (0, 80.0)), samples((0, 40.0))], samples((0, 60.0), (60, 30.0))),
        ([samples((0, None), (0, 80.0)), samples((0, 40.0), (0, 20.0))], samples((0, None))),
        ([samples((0, 20.0), (0, 80.0)), samples((0, 40.0))], samples((0, 60.0))),
    ],
)
def test_the_mean_is_unknown_while_one_of_them_is(
    loads: list[tuple[Sample, ...]], expected: tuple[Sample, ...]
) -> None:
    assert mean(loads) == expected


def test_each_sample_is_ordered_once() -> None:
    """A condition may hold for a day: the samples of a minute, of ten elements that are polled one after another."""
    comparisons = 0

    class Moment(datetime):
        def __lt__(self, other: datetime) -> bool:
            nonlocal comparisons
            comparisons += 1
            return super().__lt__(other)

    day = [
        [Sample(Moment.fromtimestamp(60 * minute + element, UTC), float(element)) for minute in range(100)]
        for element in range(10)
    ]
    assert mean(day)[-1].value == 4.5
    assert comparisons < 1000 * 10 * 2, "n log n, for 1000 samples"
