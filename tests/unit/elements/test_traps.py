"""What follows from notifications, without a network and without a clock."""

from dataclasses import dataclass

import pytest

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.trap_catalogue import CATALOGUE
from vnfm.elements.domain.traps import (
    MAX_CONSECUTIVE_GAPS,
    MAX_SUBJECT,
    POLL_BURST,
    STORE_BURST,
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
    course = TrapStream(sequence=7)
    assert [course.counted(number, number) for number in (8, 9, 10)] == [False] * 3
    assert course.sequence == 10


def test_a_gap_is_seen_once_and_what_is_late_is_none() -> None:
    course = TrapStream(sequence=7)
    assert [course.counted(number, 10) for number in (9, 10, 8, 10, 11)] == [True, False, False, False, False]
    assert course.sequence == 11


def test_who_starts_again_counts_anew() -> None:
    course = TrapStream(sequence=7)
    assert not course.counted(8, 1000)
    assert not course.counted(3, 5), "its uptime is less: it has restarted"
    assert course.counted(5, 6)
    course.restarted()
    assert not course.counted(1, 7)
    assert course.sequence == 1


def test_numbers_that_are_no_count_are_not_believed_for_ever() -> None:
    course = TrapStream(sequence=0)
    assert sum(course.counted(number, number) for number in range(10, 1000, 10)) == MAX_CONSECUTIVE_GAPS
    assert not course.counted(991, 1000)
    assert course.counted(995, 1001), "believed again"


def test_a_storm_is_sampled_and_ends_when_it_is_calm() -> None:
    course = TrapStream()
    kept = sum(course.kept(second / 1000) for second in range(10_000))
    assert kept == pytest.approx(STORE_BURST + 200, abs=2)
    assert course.storm
    assert not course.calmed(11)
    assert course.calmed(60)
    assert not course.calmed(61), "told once"


def test_a_flock_rings_once_and_a_flood_now_and_then() -> None:
    course, rings = TrapStream(), 0
    for tick in range(6000):
        now = tick / 100
        if course.may_ring(now):
            course.rung(now)
            rings += 1
    assert POLL_BURST < rings <= POLL_BURST + 60 / 4


def test_nothing_comes_too_late_after_a_pause() -> None:
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


def test_one_source_does_not_take_the_room_of_all() -> None:
    share = MemoryQuota(waiting=100, of_one=10)
    assert share.takes(40, 40)
    assert not share.takes(60, 10)
    assert share.takes(60, 9)
    assert not share.takes(100, 0)


def test_a_condition_comes_and_goes_with_its_notifications() -> None:
    raised = fact_change(CATALOGUE[FIB], BOARD, lists_alarms=False)
    assert raised == FactChange("FibOverload", "LPU 1", raised=True)
    assert fact_change(CATALOGUE[FIB_RESUME], BOARD, lists_alarms=False) == FactChange(
        "FibOverload", "LPU 1", raised=False
    )
    assert fact_change(CATALOGUE[FIB], BOARD, lists_alarms=True) is None, "its own list of alarms has it"


@pytest.mark.parametrize(("value", "raised"), [(1, True), (2, False)])
def test_a_notification_that_says_itself_whether_it_is_so(value: int, raised: bool) -> None:
    high = "1.3.6.1.4.1.6527.3.1.2.3.99.1.2.1"
    found = fact_change(CATALOGUE[OCCUPANCY], {high: value}, lists_alarms=True)
    assert found == FactChange("RoutesNearLimit", high, raised)


def test_an_object_may_be_longer_than_a_subject() -> None:
    found = fact_change(CATALOGUE[OCCUPANCY], {"1.3" + ".11" * 100: 1}, lists_alarms=True)
    assert found is not None
    assert len(found.subject) == MAX_SUBJECT


def test_what_is_never_taken_back_is_no_condition() -> None:
    told = [notice.tells for notice in CATALOGUE.values() if notice.tells is not None and not notice.tells.listed]
    assert {tells.fact for tells in told if tells.raised} == {tells.fact for tells in told if not tells.raised}
    assert CATALOGUE["1.3.6.1.4.1.6527.3.1.3.14.0.20"].tells is None


def test_the_catalogue_names_what_there_is() -> None:
    for oid, notice in CATALOGUE.items():
        assert oid == notice.oid
        assert set(notice.parts) <= set(PARTS)
        assert notice.tells is None or notice.tells.fact in DICTIONARY
        assert not (notice.lost or notice.restarted) or set(notice.parts) == set(PARTS)
    names = [notice.name for notice in CATALOGUE.values()]
    assert len(set(names)) == len(names)
    for needed in ("linkDown", "coldStart", "tmnxEqCardRemoved", "hwBoardRemove", "bgpBackwardTransNotification"):
        assert needed in names
