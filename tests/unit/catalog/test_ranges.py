import pytest

from vnfm.kit.web.ranges import requested_range

TAG = '"abc"'


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("bytes=0-0", range(1)),
        ("bytes=0-99", range(100)),
        ("bytes=10-19", range(10, 20)),
        ("bytes=90-", range(90, 100)),
        ("bytes=90-1000", range(90, 100)),
        ("bytes=-10", range(90, 100)),
        ("bytes=-1000", range(100)),
        ("Bytes = 5-6 ", range(5, 7)),
    ],
)
def test_parts(asked, part):
    assert requested_range({"Range": asked}, 100, TAG) == part


@pytest.mark.parametrize("asked", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_parts_that_are_not_there(asked):
    part = requested_range({"Range": asked}, 100, TAG)
    assert part is not None
    assert not part


@pytest.mark.parametrize(
    "asked", ["", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=1-2-3"]
)
def test_invalid_range_headers_are_ignored(asked):
    assert requested_range({"Range": asked}, 100, TAG) is None


@pytest.mark.parametrize(
    ("condition", "honoured"),
    [(TAG, True), ('"other"', False), (f"W/{TAG}", False), ("Sat, 21 Nov 2026 10:00:00 GMT", False)],
)
def test_only_of_the_same_file(condition, honoured):
    assert (requested_range({"Range": "bytes=0-1", "If-Range": condition}, 100, TAG) is not None) == honoured


def test_an_empty_file_has_no_parts():
    assert requested_range({"Range": "bytes=0-"}, 0, TAG) == range(0)
