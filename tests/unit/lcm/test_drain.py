"""When a router carries nothing any more, and which neighbours would have no path left."""

import pytest

from vnfm.lcm.domain.drain import is_quiet, peers_without_path


@pytest.mark.parametrize(
    ("rate", "first", "quiet"),
    [
        (None, 0.0, False),
        (0.0, 0.0, True),
        (12_000.0, 0.0, True),
        (12_600.0, 12_600.0, False),
        (90_000.0, 10_000_000.0, True),
        (110_000.0, 10_000_000.0, False),
    ],
)
def test_a_router_is_quiet_when_its_protocols_alone_speak(rate: float | None, first: float, quiet: bool) -> None:
    assert is_quiet(rate, first) is quiet


def test_a_neighbour_needs_a_router_that_stays() -> None:
    assert peers_without_path(["a", "b", "a"], ["b"]) == ["a"]
    assert peers_without_path(["a"], ["a", "c"]) == []
    assert peers_without_path([], []) == []
