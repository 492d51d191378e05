"""The normal run has some rows of each matrix, and always the same."""

import pytest

from tests.support.matrices import spread


@pytest.mark.parametrize(
    ("rows", "kept", "places"),
    [(10, 1, {0}), (10, 2, {0, 9}), (10, 3, {0, 4, 9}), (2, 1, {0}), (1, 1, {0}), (3, 4, {0, 1, 2})],
)
def test_rows_are_spread(rows: int, kept: int, places: set[int]) -> None:
    assert spread(rows, kept) == places


def test_the_number_of_rows_is_exact() -> None:
    assert {
        (rows, kept) for rows in range(1, 60) for kept in range(1, rows) if len(spread(rows, kept)) != kept
    } == set()


@pytest.mark.matrix(1)
@pytest.mark.parametrize("row", range(3))
def test_the_normal_run_leaves_rows_out(request: pytest.FixtureRequest, row: int) -> None:
    assert (request.node.get_closest_marker("long") is None) == (row == 0)
