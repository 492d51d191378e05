import pytest

from vnfm.elements.domain.addresses import addresses_in, range_problem, ranges_problem


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10.20.0.0/16", ""),
        ("127.30.0.0/29", ""),
        ("10.20.0.1/32", "no room for a management subnet"),
        ("10.20.0.0", "no room for a management subnet"),
        ("0.0.0.0/0", "choose a /8 or a smaller one"),
        ("224.1.0.0/16", "addresses that no router can have"),
        ("0.1.0.0/16", "addresses that no router can have"),
        ("10.20.0.1/16", "is not an IPv4 network"),
        ("fd00::/64", "is not an IPv4 network"),
    ],
)
def test_a_range_of_management_subnets_has_room_for_them(text: str, words: str) -> None:
    found = range_problem(text)
    assert words in found
    assert bool(found) == bool(words)
