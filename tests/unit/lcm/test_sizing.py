"""Slots are given out lowest first and come back at once; Heat's group indexes never do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.catalog.domain.vnfd import ResourceNeeds, Vdu
from vnfm.lcm.domain.sizing import NoFreeSlotError, Roster, last_slots, resize, reuse_indexes

MAXIMUM = 8
IOM = Vdu(
    id="iom",
    name="IOM",
    description="",
    needs=ResourceNeeds(vcpus=1, memory_mib=1, disk_gib=1),
    software_image="vsr",
    flavor_parameter="flavor_iom",
    image_parameter="image_iom",
    minimum=1,
    maximum=MAXIMUM,
    slots=tuple(str(number) for number in range(1, MAXIMUM + 1)),
    connection_points=(),
    hot_group="iom_group",
)


def test_the_first_members_take_the_first_slots_and_indexes() -> None:
    change = resize(IOM, Roster(), 2)
    assert change.roster == Roster({0: "1", 1: "2"}, 2)
    assert change.added == {0: "1", 1: "2"}


def test_shrinking_takes_the_highest_slot_and_growing_gives_it_back_under_a_new_index() -> None:
    shrunk = resize(IOM, Roster({0: "1", 1: "2", 2: "3"}, 3), 2)
    assert shrunk.removed == {2: "3"}
    grown = resize(IOM, shrunk.roster, 3)
    assert grown.added == {3: "3"}


def test_without_removal_policies_heat_gives_an_index_again() -> None:
    shrunk = resize(IOM, Roster({0: "1", 1: "2", 2: "3"}, 3), 1)
    assert resize(IOM, reuse_indexes(shrunk.roster), 2).added == {1: "2"}
    assert resize(IOM, reuse_indexes(Roster()), 1).added == {0: "1"}


def test_without_removal_policies_heat_removes_the_highest_indexes() -> None:
    """An adopted stack may have slots in another order than indexes."""
    adopted = Roster({0: "2", 1: "1"}, 2)
    assert last_slots(adopted, 2) == []
    assert last_slots(adopted, 1) == ["1"]
    assert resize(IOM, adopted, 1, last_slots(adopted, 1)).removed == {1: "1"}


def test_the_error_for_too_few_slots() -> None:
    with pytest.raises(NoFreeSlotError, match=r"^IOM: 9 more asked for, and 8 free slots are left\.$"):
        resize(IOM, Roster(), MAXIMUM + 1)


@given(st.lists(st.integers(min_value=0, max_value=MAXIMUM), max_size=30))
def test_after_any_history_no_slot_is_used_twice_and_no_index_returns(history: list[int]) -> None:
    roster, used = Roster(), set()
    for count in history:
        change = resize(IOM, roster, count)
        assert len(change.roster.slots) == count
        assert len(set(change.roster.slots.values())) == count
        assert not set(change.added) & used
        used |= set(change.added)
        kept = roster.slots.keys() & change.roster.slots.keys()
        assert all(roster.slots[index] == change.roster.slots[index] for index in kept), "a sibling changed its slot"
        roster = change.roster
        assert Roster.from_json(roster.as_json()) == roster


@given(st.integers(min_value=0, max_value=MAXIMUM), st.integers(min_value=0, max_value=MAXIMUM))
def test_the_lowest_slots_are_filled(first: int, second: int) -> None:
    roster = resize(IOM, resize(IOM, Roster(), first).roster, second).roster
    assert sorted(roster.slots.values(), key=int) == [str(number) for number in range(1, second + 1)]
