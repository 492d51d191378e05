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
    ],
)
def test_the_mean_is_unknown_while_one_of_them_is(
    loads: list[tuple[Sample, ...]], expected: tuple[Sample, ...]
) -> None:
    assert mean(loads) == expected
