"""Values of collection periods, crossings of thresholds, and the metrics that exist."""

from datetime import UTC, datetime, timedelta

import pytest

from vnfm.counters.domain.series import CounterMean
from vnfm.sol003_pm.domain.crossing import Direction, crossed, notified
from vnfm.sol003_pm.domain.metrics import MeasuredType, UnknownMetricError, selected
from vnfm.sol003_pm.domain.schedule import next_report, oldest_collected
from vnfm.sol003_pm.domain.values import Kind, period_value, periods

T0 = datetime(2026, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def samples(*values: float | None, begin: datetime = T0) -> list[CounterMean]:
    """A minute each."""
    return [CounterMean(begin + n * MINUTE, begin + (n + 1) * MINUTE, value) for n, value in enumerate(values)]


@pytest.mark.parametrize(("kind", "value"), [(Kind.MEAN, pytest.approx(20)), (Kind.PEAK, 30), (Kind.TOTAL, 20 * 180)])
def test_a_period_has_a_mean_a_peak_and_a_total(kind: Kind, value: float) -> None:
    assert period_value(kind, [samples(10, 20, 30)], T0, T0 + 3 * MINUTE) == value


def test_samples_count_by_their_overlap() -> None:
    half = T0 + timedelta(seconds=30)
    assert period_value(Kind.MEAN, [samples(10, 20)], half, half + MINUTE) == pytest.approx(15)


@pytest.mark.parametrize("measured", [[], samples(10, None, 30), samples(10, 20)])
def test_a_gap_has_no_value(measured: list[CounterMean]) -> None:
    assert period_value(Kind.MEAN, [measured], T0, T0 + 3 * MINUTE) is None


def test_several_sources_are_one_value_and_a_missing_one_is_a_gap() -> None:
    end = T0 + MINUTE
    two = [samples(10), samples(30)]
    assert period_value(Kind.MEAN, two, T0, end) == 20
    assert period_value(Kind.PEAK, two, T0, end) == 30
    assert period_value(Kind.TOTAL, two, T0, end) == 40 * 60
    assert period_value(Kind.MEAN, [samples(10), []], T0, end) is None


def test_only_whole_periods_are_reported() -> None:
    assert list(periods(T0, T0 + 2.5 * MINUTE, MINUTE)) == [(T0, T0 + MINUTE), (T0 + MINUTE, T0 + 2 * MINUTE)]


def test_the_last_report_is_at_the_boundary() -> None:
    boundary = T0 + 5 * MINUTE
    assert next_report(T0, 3 * MINUTE, boundary) == T0 + 3 * MINUTE
    assert next_report(T0 + 3 * MINUTE, 3 * MINUTE, boundary) == boundary
    assert next_report(boundary, 3 * MINUTE, boundary) is None
    assert next_report(T0, 3 * MINUTE, None) == T0 + 3 * MINUTE


def test_after_a_long_standstill_it_goes_on_where_samples_exist() -> None:
    keep = timedelta(days=2)
    assert oldest_collected(T0, T0 + timedelta(days=1), keep, MINUTE) == T0
    late = oldest_collected(T0, T0 + timedelta(days=5, seconds=90), keep, MINUTE)
    assert late == T0 + timedelta(days=3) + MINUTE


def test_a_crossing_has_hysteresis() -> None:
    side: Direction | None = None
    notices = []
    for value in (75, 84, 85, 80, 76, 85, 75, 80, 75):
        after = crossed(side, value, 80, 5)
        notices.append((value, after) if notified(side, after) else None)
        side = after
    assert [each for each in notices if each] == [(85, "UP"), (75, "DOWN")]


def test_without_hysteresis_a_value_at_the_threshold_is_above_it() -> None:
    assert crossed("UP", 80, 80, 0) == "UP"
    assert crossed("UP", 79.9, 80, 0) == "DOWN"


def test_metrics_by_name_sub_counter_and_group() -> None:
    found = selected(["VCpuUsageMeanVnf.VNF"], ["VirtualisedComputeResource"], MeasuredType.VNF)
    assert list(found) == [MeasuredType.VNF]
    assert set(found[MeasuredType.VNF]) == {
        "VCpuUsageMeanVnf.VNF", "VCpuUsageMeanVnf", "VCpuUsagePeakVnf", "VMemoryUsageMeanVnf", "VMemoryUsagePeakVnf",
    }  # fmt: skip


def test_metrics_of_261_have_types() -> None:
    found = selected(["VCpuUsageMeanVnf", "ByteIncomingVnfExtCp"], ["VnfInternalCp"], "")
    assert {each: len(metrics) for each, metrics in found.items()} == {
        MeasuredType.VNF: 1, MeasuredType.EXT_CP: 1, MeasuredType.INT_CP: 4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "groups", "words"),
    [
        (["VDiskUsageMeanVnf"], [], "not measured here"),
        (["Nonsense"], [], "no metric Nonsense here; there is VCpuUsageMeanVnf"),
        ([], ["VnfExternalCp"], "no group VnfExternalCp here; there is VirtualisedComputeResource"),
    ],
)
def test_an_unmeasured_counter_is_refused(names: list[str], groups: list[str], words: str) -> None:
    with pytest.raises(UnknownMetricError, match=words):
        selected(names, groups, MeasuredType.VNFC)
