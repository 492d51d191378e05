"""Values of collection periods from samples: a period that is not covered by samples has none. Times in seconds."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from vnfm.counters.domain.series import CounterMean
from vnfm.sol003_pm.domain.metrics import Kind

COMPLETE = 0.95
"""Samples must cover as much of a period: two readings are not exactly an interval apart."""


def periods(begin: datetime, end: datetime, length: timedelta) -> Iterator[tuple[datetime, datetime]]:
    """The whole periods from `begin` to `end`."""
    while begin + length <= end:
        yield begin, begin + length
        begin += length


def period_value(kind: Kind, sources: Sequence[Sequence[CounterMean]], begin: datetime, end: datetime) -> float | None:
    """The value of several sources together: means are averaged, peaks compared, totals added up.

    None unless samples of every source cover the period.
    """
    values = [_one_value(kind, samples, begin, end) for samples in sources]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    if kind == Kind.PEAK:
        return max(known)
    return float(round(sum(known))) if kind == Kind.TOTAL else sum(known) / len(known)


def _one_value(kind: Kind, samples: Sequence[CounterMean], begin: datetime, end: datetime) -> float | None:
    length, covered, weighted, peak = (end - begin).total_seconds(), 0.0, 0.0, 0.0
    for sample in samples:
        overlap = (min(sample.end, end) - max(sample.begin, begin)).total_seconds()
        if overlap > 0 and sample.value is not None:
            covered += overlap
            weighted += overlap * sample.value
            peak = max(peak, sample.value)
    if covered < COMPLETE * length:
        return None
    mean = weighted / covered
    return {Kind.MEAN: mean, Kind.PEAK: peak, Kind.TOTAL: mean * length}[kind]
