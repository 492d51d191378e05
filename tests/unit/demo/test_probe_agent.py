"""A traffic probe counts packets."""

from __future__ import annotations

import json

import pytest

from demo.probe_agent import Counter, report

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


def test_flows_are_reported_together_and_each(capsys: pytest.CaptureFixture[str]) -> None:
    quiet, torn = Counter(RATE, 0.0), Counter(RATE, 0.0)
    end = counted(quiet, range(1, 501), 0.0)
    counted(torn, range(1, 101), 0.0)
    counted(torn, range(151, 501), 0.15)
    report([quiet.report(end), torn.report(end), Counter(RATE, 0.0).report(end)], "here → there")
    line = json.loads(capsys.readouterr().out)
    assert (line["path"], line["sent"], line["lost"]) == ("here → there", 1000, 50)
    assert line["gap"] == pytest.approx(0.051)
    assert [flow and flow["lost"] for flow in line["flows"]] == [0, 50, None]


def test_nothing_is_reported_before_any_flow(capsys: pytest.CaptureFixture[str]) -> None:
    report([None, None], "here → there")
    assert capsys.readouterr().out == ""
