"""Counter increases between readings, and rates of charts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.yaml_text import load_yaml
from vnfm.counters.domain.counters import (
    COLUMNS_32,
    COLUMNS_64,
    COUNTERS,
    FALLBACK_COLUMNS,
    PREFERRED_COLUMNS,
    SYSTEM,
    WRAP,
    CounterReading,
    ElementReading,
    deltas_between,
    interface_counters,
    interface_speeds,
    needs_32_bit_columns,
    share,
)
from vnfm.counters.domain.load import load_source
from vnfm.counters.domain.series import rates_by_step
from vnfm.history.samples import CounterSample

PORT = "1/1/1"
WALKS = Path(__file__).parents[2] / "fixtures" / "walks"


def reading(at: float, octets: int, errors: int = 0, *, uptime: float | None = None, begun: int = 0) -> ElementReading:
    counted = {"octets_in": (CounterReading(octets, 64),), "errors_in": (CounterReading(errors, 32),)}
    return ElementReading(at, at if uptime is None else uptime, {PORT: (begun, counted)}, cpu=50.0)


def test_increases_between_two_readings() -> None:
    port, system = deltas_between(reading(100, 1000, 3), reading(160, 7000, 5), 60)
    assert (port.at, port.seconds, port.name) == (100, 60, PORT)
    assert port.values == {"octets_in": 6000, "errors_in": 2}
    assert (system.name, system.values) == (SYSTEM, {"cpu": 3000, "memory": None})


def test_capacity_follows_from_the_speed() -> None:
    (port, _) = deltas_between(reading(100, 0), replace(reading(160, 6000), speeds={PORT: 8000}), 60)
    assert port.values["capacity"] == 60_000
    assert share(COUNTERS["utilisationIn"], port.values) == 10
    assert share(COUNTERS["utilisationIn"], {"octets_in": 6000, "capacity": None}) is None
    assert share(COUNTERS["octetsIn"], port.values) == 6000


def test_speeds_by_interface_name() -> None:
    table = {COLUMNS_64[0]: {(1,): 5, (2,): 6, (3,): 7}}
    names = {1: PORT, 2: "same", 3: "same"}
    assert interface_speeds(table, names, {1: 10, 3: 30}) == {PORT: 10, "same (3)": 30}
    assert interface_counters(table, names).keys() == {PORT, "same (2)", "same (3)"}


def test_32_bit_counters_wrap_and_64_bit_counters_do_not() -> None:
    (port, _) = deltas_between(reading(100, 5, WRAP - 2), reading(160, 6, 3), 60)
    assert port.values["errors_in"] == 5
    (port, _) = deltas_between(reading(100, 7000), reading(160, 6), 60)
    assert port.values["octets_in"] is None


TEN_GIGABIT = 10_000_000_000


def increases(*readings: tuple[float, int], speed: int = TEN_GIGABIT, bits: int = 64) -> list[float | None]:
    """Return the rates of octets_in, from each reading (seconds, value) to the next."""
    taken = [
        ElementReading(at, at, {PORT: (0, {"octets_in": (CounterReading(value, bits),)})}, speeds={PORT: speed})
        for at, value in readings
    ]
    return [only.values["octets_in"] for before, after in pairwise(taken) for only in deltas_between(before, after, 30)]


def test_a_line_card_that_answers_all_ones_has_a_gap_until_two_good_readings() -> None:
    """tests/fixtures/walks/counters-beyond-line-rate.yaml."""
    case = load_yaml((WALKS / "counters-beyond-line-rate.yaml").read_text())
    assert increases(*(tuple(row) for row in case["readings"][1:])) == [375_000_000, None, None, None, 375_000_000]


@pytest.mark.parametrize(
    ("before", "after", "speed", "expected"),
    [
        (0, 39_300_000_000, TEN_GIGABIT, 39_300_000_000),  # line rate, read 1.4 s late
        (0, 39_400_000_000, TEN_GIGABIT, None),
        (0, 10**15, TEN_GIGABIT, None),  # what was lost at a switchover, at once
        (0, 10**12, 0, 10**12),
        (0, 10**15 + 1, 0, None),
        (2**64 - 2**31, 2**64 - 2**31, 0, None),  # a negative number
        (2**63, 2**63 + 1, TEN_GIGABIT, 1),
        (7000, 6, TEN_GIGABIT, None),
    ],
)
def test_an_increase_beyond_the_speed_is_unknown(before: int, after: int, speed: int, expected: float | None) -> None:
    assert increases((0, before), (30, after), speed=speed) == [expected]


@pytest.mark.parametrize(
    ("speed", "expected"), [(1_000_000_000, 5), (TEN_GIGABIT, None), (0, 5)], ids=["1 Gbit/s", "10 Gbit/s", "unknown"]
)
def test_32_bit_octets_of_a_fast_interface_may_have_wrapped_twice(speed: int, expected: float | None) -> None:
    assert increases((0, WRAP - 2), (30, 3), speed=speed, bits=32) == [expected]


def test_a_reset_of_a_32_bit_error_counter_is_no_wrap() -> None:
    """500 to 3 would be four thousand million errors in 60 s on a port of 1 Gbit/s."""
    before, after = reading(100, 0, 500), replace(reading(160, 0, 3), speeds={PORT: 1_000_000_000})
    assert deltas_between(before, after, 60)[0].values["errors_in"] is None


@pytest.mark.parametrize(
    "after",
    [
        reading(160, 10, uptime=20),
        reading(100 + 60 * 3, 7000),
        reading(100, 7000),
    ],
    ids=["restart", "too far apart", "no time"],
)
def test_gaps_have_no_increase(after: ElementReading) -> None:
    assert deltas_between(reading(100, 1000), after, 60) == []


def test_an_interface_with_reset_counters_is_a_gap() -> None:
    (only,) = deltas_between(reading(100, 1000), reading(160, 2000, begun=7), 60)
    assert only.name == SYSTEM
    none = replace(reading(100, 1000), interfaces={})
    assert [one.name for one in deltas_between(none, reading(160, 2000), 60)] == [SYSTEM]


def test_64_bit_counters_are_preferred() -> None:
    octets, unicast, errors = COLUMNS_64[0], COLUMNS_64[2], COLUMNS_32[6]
    table = {
        octets: {(1,): 9},
        unicast: {(1,): 5},
        COLUMNS_64[3]: {(1,): 2},
        COLUMNS_32[0]: {(1,): 8, (2,): 7},
        errors: {(1,): 1},
    }
    found = interface_counters(table, {1: PORT})
    assert found[PORT][1]["octets_in"] == (CounterReading(9, 64),)
    assert found[PORT][1]["packets_in"] == (CounterReading(5, 64), CounterReading(2, 64))
    assert found["2"][1]["octets_in"] == (CounterReading(7, 32),)
    assert found["2"][1]["octets_out"] == ()


def test_interface_names_are_unique() -> None:
    table = {COLUMNS_64[0]: {(number,): 9 for number in range(1, 6)}}
    found = interface_counters(table, {1: "system", 2: "to-core", 3: "to-core", 4: SYSTEM})
    assert set(found) == {"system", "to-core (2)", "to-core (3)", f"{SYSTEM} (4)", "5"}
    counted = deltas_between(ElementReading(100, 100, found), ElementReading(160, 160, found, cpu=50.0), 60)
    assert len({one.name for one in counted}) == 6


def test_load_by_driver() -> None:
    sgi = "1.3.6.1.4.1.6527.3.1.2.1.1"
    assert load_source("nokia-sros").read({f"{sgi}.1.0": 12, f"{sgi}.9.0": 1, f"{sgi}.10.0": 3}, {}) == (12, 25)
    boards = {"1.3.6.1.4.1.2011.5.25.31.1.1.1.1.5": {(1,): 4, (2,): 9}}
    assert load_source("huawei-vrp").read({}, boards) == (9, None)
    host = {"1.3.6.1.2.1.25.3.3.1.2": {(1,): 10, (2,): 30}}
    memory = {"1.3.6.1.4.1.2021.4.5.0": 1000, "1.3.6.1.4.1.2021.4.6.0": 400, "1.3.6.1.4.1.2021.4.15.0": 100}
    assert load_source("generic").read(memory, host) == (20, 50)
    assert load_source("generic").read({}, {}) == (None, None)


def test_a_load_that_cannot_be_is_unknown() -> None:
    sgi = "1.3.6.1.4.1.6527.3.1.2.1.1"
    assert load_source("nokia-sros").read({f"{sgi}.1.0": 101, f"{sgi}.9.0": -5, f"{sgi}.10.0": 3}, {}) == (None, None)
    boards = {"1.3.6.1.4.1.2011.5.25.31.1.1.1.1.5": {(1,): 255, (2,): 9, (3,): -1}}
    assert load_source("huawei-vrp").read({}, boards) == (9, None)
    host = {"1.3.6.1.2.1.25.3.3.1.2": {(1,): 900, (2,): float("nan")}}
    memory = {"1.3.6.1.4.1.2021.4.5.0": 1000, "1.3.6.1.4.1.2021.4.6.0": 400, "1.3.6.1.4.1.2021.4.15.0": 700}
    assert load_source("generic").read(memory, host) == (None, None)
    assert load_source("generic").read({**memory, "1.3.6.1.4.1.2021.4.6.0": 2000}, {}) == (None, None)


def test_rows_are_distributed_over_steps_without_interpolation() -> None:
    counts = ((0, 60, 600), (60, 60, 1200), (240, 30, None))
    samples = [CounterSample(at, seconds, {"octets_in": octets}) for at, seconds, octets in counts]
    found = rates_by_step(samples, ["octets_in"], begin=30, end=330, step=60)
    assert [one.at for one in found] == [30, 90, 150, 210, 270]
    assert [one.values["octets_in"] for one in found] == [15, 20, None, None, None]
    assert [one.seconds for one in found] == [60, 30, 0, 30, 0]


def test_a_half_covered_quarter_has_the_rate_of_its_covered_half() -> None:
    (step,) = rates_by_step([CounterSample(0, 450, {"octets_in": 900}, 900)], ["octets_in"], begin=0, end=900, step=900)
    assert (step.seconds, step.values["octets_in"]) == (450, 2)


def test_32_bit_columns_are_read_only_where_64_bit_ones_are_missing() -> None:
    errors = COUNTERS["errorsIn"].low[0]
    both = {COLUMNS_64[0]: {(1,): 9, (2,): 9}, errors: {(1,): 0, (2,): 0}}
    assert not needs_32_bit_columns(both)
    assert needs_32_bit_columns({**both, errors: {(1,): 0, (3,): 0}}), "a slow interface"
    assert needs_32_bit_columns({errors: {(1,): 0}}), "no ifXTable"
    assert {*PREFERRED_COLUMNS, *FALLBACK_COLUMNS} == {*COLUMNS_64, *COLUMNS_32}


@pytest.mark.parametrize("microseconds", range(0, 1_000_000, 76_543))
def test_an_hour_has_sixty_steps_wherever_it_begins(microseconds: int) -> None:
    end = datetime(2026, 11, 26, 7, 30, tzinfo=UTC)
    begin = end - timedelta(hours=1, microseconds=microseconds)
    step = (end - begin).total_seconds() / 60
    assert len(rates_by_step([], [], begin=begin.timestamp(), end=end.timestamp(), step=step)) == 60


def test_a_partial_step_counts() -> None:
    assert len(rates_by_step([], [], begin=0, end=61, step=30)) == 3
