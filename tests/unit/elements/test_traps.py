"""Rules for notifications, without a network and without a clock."""

from dataclasses import dataclass

import pytest

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.trap_catalogue import CATALOGUE, OPPOSITES
from vnfm.elements.domain.traps import (
    MAX_CONSECUTIVE_GAPS,
    MAX_SUBJECT,
    POLL_BURST,
    STORE_BURST,
    SUBJECT_BURST,
    SUBJECT_RATE,
    FactChange,
    MemoryQuota,
    TokenBucket,
    TrapStream,
    fact_change,
    identify_sender,
)
from vnfm.faults.domain.dictionary import DICTIONARY

FIB, FIB_RESUME = "1.3.6.1.4.1.2011.5.25.129.2.9.1", "1.3.6.1.4.1.2011.5.25.129.2.9.2"
OCCUPANCY = "1.3.6.1.4.1.6527.3.1.3.3.0.36"
BOARD = {"1.3.6.1.4.1.2011.5.25.129.1.1.0": 4, "1.3.6.1.2.1.47.1.1.1.1.7.9": "LPU 1"}


@dataclass(frozen=True)
class System:
    sys_name: str
    hosted: bool
    if_indexes: frozenset[int]


CHASSIS = System("ne", False, frozenset({1, 2, 3}))
VS1, VS2 = System("ne-vs1", True, frozenset({4, 5})), System("ne-vs2", True, frozenset({6}))


@pytest.mark.parametrize(
    ("varbinds", "context", "which"),
    [
        ({}, "", None),
        ({}, "ne-vs2", 2),
        ({"1.3.6.1.2.1.1.5.0": "ne-vs1"}, "", 1),
        ({"1.3.6.1.2.1.2.2.1.1.5": 5}, "", 1),
        ({"1.3.6.1.2.1.2.2.1.1.9": 9}, "", None),
    ],
)
def test_which_of_several_at_an_address(varbinds: dict[str, int | str | None], context: str, which: int | None) -> None:
    assert identify_sender((CHASSIS, VS1, VS2), varbinds, context) == which
    assert identify_sender((VS1,), varbinds, context) == 0


def test_numbers_without_a_gap() -> None:
    stream = TrapStream(sequence=7)
    assert [stream.has_gap(number, number) for number in (8, 9, 10)] == [False] * 3
    assert stream.sequence == 10


def test_a_gap_is_reported_once_and_a_late_number_is_no_gap() -> None:
    stream = TrapStream(sequence=7)
    assert [stream.has_gap(number, 10) for number in (9, 10, 8, 10, 11)] == [True, False, False, False, False]
    assert stream.sequence == 11


def test_a_restarted_element_counts_from_the_beginning() -> None:
    stream = TrapStream(sequence=7)
    assert not stream.has_gap(8, 1000)
    assert not stream.has_gap(3, 5), "its uptime is lower: it has restarted"
    assert stream.has_gap(5, 6)
    stream.restart()
    assert not stream.has_gap(1, 7)
    assert stream.sequence == 1


def test_request_ids_that_are_no_count_are_ignored_after_ten_gaps() -> None:
    stream = TrapStream(sequence=0)
    assert sum(stream.has_gap(number, number) for number in range(10, 1000, 10)) == MAX_CONSECUTIVE_GAPS
    assert not stream.has_gap(991, 1000)
    assert stream.has_gap(995, 1001), "counted again"


def test_a_storm_is_sampled_and_ends_after_a_pause() -> None:
    stream = TrapStream()
    stored = sum(stream.admit(second / 1000) for second in range(10_000))
    assert stored == pytest.approx(STORE_BURST + 200, abs=2)
    assert stream.storm
    assert not stream.storm_ended(11)
    assert stream.storm_ended(60)
    assert not stream.storm_ended(61), "reported once"


def test_many_traps_request_few_polls() -> None:
    stream, polls = TrapStream(), 0
    for tick in range(6000):
        now = tick / 100
        if stream.may_poll(now):
            stream.poll_requested(now)
            polls += 1
    assert POLL_BURST < polls <= POLL_BURST + 60 / 4


def test_a_token_bucket_refills_at_its_rate() -> None:
    bucket = TokenBucket(2, 1)
    assert [bucket.take(now) for now in (0, 0, 0, 0.5, 1.1, 9, 9, 9)] == [
        True,
        True,
        False,
        False,
        True,
        True,
        True,
        False,
    ]


def test_one_source_cannot_use_the_memory_of_all() -> None:
    quota = MemoryQuota(total=100, per_source=10)
    assert quota.admits(40, 40)
    assert not quota.admits(60, 10)
    assert quota.admits(60, 9)
    assert not quota.admits(100, 0)


def test_notifications_raise_and_clear_a_fact() -> None:
    raised = fact_change(CATALOGUE[FIB], BOARD, lists_alarms=False)
    assert raised == FactChange("FibOverload", "LPU 1", raised=True)
    assert fact_change(CATALOGUE[FIB_RESUME], BOARD, lists_alarms=False) == FactChange(
        "FibOverload", "LPU 1", raised=False
    )
    assert fact_change(CATALOGUE[FIB], BOARD, lists_alarms=True) is None, "its alarm list shows it"


@pytest.mark.parametrize(("value", "raised"), [(1, True), (2, False)])
def test_a_truth_value_raises_or_clears_a_fact(value: int, raised: bool) -> None:
    high = "1.3.6.1.4.1.6527.3.1.2.3.99.1.2.1"
    found = fact_change(CATALOGUE[OCCUPANCY], {high: value}, lists_alarms=True)
    assert found == FactChange("RoutesNearLimit", high, raised)


def test_a_long_object_name_is_cut_to_the_subject() -> None:
    found = fact_change(CATALOGUE[OCCUPANCY], {"1.3" + ".11" * 100: 1}, lists_alarms=True)
    assert found is not None
    assert len(found.subject) == MAX_SUBJECT


def test_each_fact_that_a_trap_raises_is_cleared_by_another_trap() -> None:
    facts = [row.fact for row in CATALOGUE.values() if row.fact is not None and not row.fact.in_alarm_list]
    assert {fact.name for fact in facts if fact.raised} == {fact.name for fact in facts if not fact.raised}
    assert CATALOGUE["1.3.6.1.4.1.6527.3.1.3.14.0.20"].fact is None


def test_the_catalogue_is_consistent() -> None:
    for oid, row in CATALOGUE.items():
        assert oid == row.oid
        assert set(row.parts) <= set(PARTS)
        assert row.fact is None or row.fact.name in DICTIONARY
        assert not (row.lost or row.restarted) or set(row.parts) == set(PARTS)
    names = [row.name for row in CATALOGUE.values()]
    assert len(set(names)) == len(names)
    for needed in ("linkDown", "coldStart", "tmnxEqCardRemoved", "hwBoardRemove", "bgpBackwardTransNotification"):
        assert needed in names


def test_a_peer_that_never_comes_up_leaves_polls_for_the_others() -> None:
    """FRR notifies of each attempt; another object, another type, and what has no object are not affected."""
    stream, oid = TrapStream(), "1.3.6.1.2.1.15.0.2"
    dead, lost = ({f"1.3.6.1.2.1.15.3.1.14.192.0.2.{n}": "0x0000"} for n in (13, 11))
    worth = [stream.is_worth_a_poll(oid, dead, now) for now in range(60)]
    assert sum(worth) == SUBJECT_BURST
    assert stream.is_worth_a_poll(oid, lost, 60)
    assert stream.is_worth_a_poll("1.3.6.1.2.1.15.0.1", dead, 60)
    assert all(stream.is_worth_a_poll("1.3.6.1.6.3.1.1.5.1", {}, 60) for _ in range(9))
    assert stream.is_worth_a_poll(oid, dead, 60 + 1 / SUBJECT_RATE)


@pytest.mark.parametrize(
    ("down", "up"), [("1.3.6.1.2.1.15.0.2", "1.3.6.1.2.1.15.0.1"), ("1.3.6.1.6.3.1.1.5.3", "1.3.6.1.6.3.1.1.5.4")]
)
def test_an_object_that_came_up_is_worth_a_poll_when_it_is_lost(down: str, up: str) -> None:
    """Whether its attempts before used up the polls, or it flaps; another object's Up changes nothing."""
    stream = TrapStream()
    peer, other = ({f"1.3.6.1.2.1.15.3.1.14.192.0.2.{n}": "0x0000"} for n in (13, 11))
    for _ in range(SUBJECT_BURST + 1):
        attempt = stream.is_worth_a_poll(down, peer, 0)
    assert not attempt
    assert stream.is_worth_a_poll(up, other, 1)
    assert not stream.is_worth_a_poll(down, peer, 2)
    flaps = [stream.is_worth_a_poll(oid, peer, 3) for _ in range(3 * SUBJECT_BURST) for oid in (up, down)]
    assert all(flaps)


def test_opposite_notifications_poll_the_same() -> None:
    for one, other in OPPOSITES.items():
        assert OPPOSITES[other] == one
        assert CATALOGUE[one].parts == CATALOGUE[other].parts
