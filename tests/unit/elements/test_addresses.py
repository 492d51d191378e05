import pytest

from vnfm.elements.domain.addresses import addresses_in, ranges_problem


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["192.0.2.0/30"], [], ["192.0.2.1", "192.0.2.2"]),
        (["192.0.2.0/31"], [], ["192.0.2.0", "192.0.2.1"]),
        (["192.0.2.7"], [], ["192.0.2.7"]),
        (["192.0.2.9 - 192.0.2.11"], ["192.0.2.10"], ["192.0.2.9", "192.0.2.11"]),
        (["192.0.2.1-192.0.2.2", "192.0.2.2"], [], ["192.0.2.1", "192.0.2.2"]),
        (["2001:db8::/127"], ["192.0.2.0/24"], ["2001:db8::", "2001:db8::1"]),
        (["192.0.2.0/29"], ["192.0.2.0/29"], []),
    ],
)
def test_every_address_once(include: list[str], exclude: list[str], expected: list[str]) -> None:
    assert list(addresses_in(include, exclude)) == expected


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        (["192.0.2.0/24", "10.0.0.1"], ""),
        (["192.0.2.300"], "192.0.2.300"),
        (["192.0.2.9-192.0.2.1"], "later"),
        (["192.0.2.1-2001:db8::1"], "later"),
        (["10.0.0.0/8"], "16777214"),
        (["2001:db8::/64"], "a rule may have 65536"),
    ],
)
def test_invalid_ranges(ranges: list[str], words: str) -> None:
    found = ranges_problem(ranges)
    assert words in found
    assert bool(found) == bool(words)
