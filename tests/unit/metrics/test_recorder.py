"""A process counts between two flushes."""

from collections.abc import Iterator

import pytest

from vnfm.metrics import recorder
from vnfm.metrics.catalogue import CATALOGUE
from vnfm.metrics.recorder import MAX_SERIES, OTHER, Counter, Histogram

REQUESTS = Counter("test_total", "Requests.", ("route",))
SECONDS = Histogram("test_seconds", "Time.", ("route",), (1.0, 5.0))


@pytest.fixture(autouse=True)
def _nothing_else() -> Iterator[None]:
    recorder.take()
    yield
    recorder.take()


def test_increments_add_up_until_they_are_read() -> None:
    REQUESTS.add("a")
    REQUESTS.add("a", amount=2)
    REQUESTS.add("b")
    counted = recorder.take()
    assert {key[1]: found.value for key, found in counted.items()} == {("a",): 3, ("b",): 1}
    assert recorder.take() == {}


def test_an_observation_is_in_the_first_bucket_whose_bound_is_not_below_it() -> None:
    for value in (0.5, 1.0, 1.1, 6.0):
        SECONDS.observe(value, "a")
    (found,) = recorder.take().values()
    assert found.buckets == [2, 1, 1]
    assert found.value == pytest.approx(8.6)


def test_figures_that_were_not_stored_count_again() -> None:
    SECONDS.observe(0.5, "a")
    counted = recorder.take()
    SECONDS.observe(2.0, "a")
    recorder.give_back(counted)
    (found,) = recorder.take().values()
    assert (found.value, found.buckets) == (2.5, [1, 1, 0])


def test_a_label_that_grows_without_end_becomes_one_series() -> None:
    for number in range(MAX_SERIES + 50):
        REQUESTS.add(f"/{number}")
    counted = recorder.take()
    assert len(counted) == MAX_SERIES + 1
    assert counted["test_total", (OTHER,)].value == 50


def test_a_metric_takes_as_many_values_as_it_has_labels() -> None:
    with pytest.raises(AssertionError, match="test_total has the labels"):
        REQUESTS.add("a", "b")


def test_names_follow_prometheus() -> None:
    names = [metric.name for metric in CATALOGUE]
    assert len(set(names)) == len(names)
    for metric in CATALOGUE:
        assert metric.name.startswith("vnfm_")
        assert metric.name.endswith("_total") == (metric.kind == "counter"), metric.name
        if isinstance(metric, Histogram):
            assert metric.name.endswith("_seconds")
            assert list(metric.bounds) == sorted(set(metric.bounds))
