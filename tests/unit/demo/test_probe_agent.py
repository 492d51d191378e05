"""How a traffic probe counts."""

from __future__ import annotations

import pytest

from demo.probe_agent import Counter

RATE = 1000


def counted(counter: Counter, numbers: range, begin: float) -> float:
    """Packets arrive a millisecond apart; when the last has come."""
    now = begin
    for now, number in enumerate(numbers):
        counter.arrived(number, begin + now / RATE)
    return begin + now / RATE


def test_nothing_is_reported_before_the_first_packet() -> None:
    assert Counter(RATE, 0.0).report(1.0) is None


def test_all_packets_arrive() -> None:
    counter = Counter(RATE, 0.0)
    end = counted(counter, range(1, 1001), 0.0)
    report = counter.report(end)
    assert report is not None
    assert (report["sent"], report["lost"]) == (1000, 0)
    assert report["gap"] == pytest.approx(0.001)


def test_a_gap_is_counted_by_the_numbers_and_measured_by_the_clock() -> None:
    counter = Counter(RATE, 0.0)
    end = counted(counter, range(1, 501), 0.0)
    counted(counter, range(542, 1001), end + 0.042)
    report = counter.report(1.0)
    assert report is not None
    assert (report["sent"], report["lost"]) == (1000, 41)
    assert report["gap"] == pytest.approx(0.042)


def test_a_packet_that_was_overtaken_is_not_lost() -> None:
    counter = Counter(RATE, 0.0)
    for number in (1, 3, 2):
        counter.arrived(number, 0.001 * number)
    report = counter.report(1.0)
    assert report is not None
    assert (report["sent"], report["lost"]) == (3, 0)


def test_silence_is_reported_while_it_lasts_and_corrected_after_it() -> None:
    counter = Counter(RATE, 0.0)
    end = counted(counter, range(1, 1001), 0.0)
    assert counter.report(end) is not None
    silent = [counter.report(end + second) for second in (1.0, 2.0)]
    assert [report and report["lost"] for report in silent] == [1000, 1000]
    assert silent[1] is not None
    assert silent[1]["gap"] == pytest.approx(2.0)
    counted(counter, range(3501, 4001), end + 2.5)
    after = counter.report(end + 3.0)
    assert after is not None
    assert after["lost"] == 500
    assert after["gap"] == pytest.approx(2.5, abs=0.01)
