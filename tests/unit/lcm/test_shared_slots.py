"""The VMG's load balancers and mobile gateways in the slots of one chassis, the gateways in pairs (facts 2.3)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lcm.examples import fields, vnfc
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, Rejection, Target
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_builder import CloudSnapshot, CurrentStack
from vnfm.lcm.domain.requests import ScaleVnfRequest, ScaleVnfToLevelRequest
from vnfm.lcm.domain.sizing import NoFreeSlotError, Roster, mates, pairs, resize_all, units
from vnfm.lcm.domain.validation import validate

Rosters = dict[str, Roster]


def changed(vmg: Vnfd, rosters: Rosters, lb: int, mg: int, *gone: str) -> Rosters:
    """Return the slots after a change to `lb` and `mg` VNFCs; `gone` are the slots of MGs that are named for
    removal.
    """
    changes = resize_all(vmg, rosters, {"oam": 2, "lb": lb, "mg": mg}, {"mg": gone})
    return {vdu_id: change.roster for vdu_id, change in changes.items()}


def slots(rosters: Rosters, vdu_id: str) -> list[str]:
    return list(rosters[vdu_id].slots.values())


def numbered(first: int, last: int) -> list[str]:
    return [str(number) for number in range(first, last + 1)]


def test_load_balancers_get_slots_first_and_then_the_pairs(vmg: Vnfd) -> None:
    rosters = changed(vmg, {}, 6, 10)
    assert (slots(rosters, "lb"), slots(rosters, "mg")) == (numbered(1, 6), numbered(7, 16))
    assert slots(rosters, "oam") == ["A", "B"]


def test_growing_takes_the_lowest_slot_that_neither_has(vmg: Vnfd) -> None:
    rosters = changed(vmg, {}, 2, 4)
    rosters = changed(vmg, rosters, 3, 4)
    assert slots(rosters, "lb") == ["1", "2", "7"]
    rosters = changed(vmg, rosters, 3, 2, "3", "4")
    assert slots(rosters, "mg") == ["5", "6"]
    rosters = changed(vmg, rosters, 4, 2)
    assert slots(rosters, "lb") == ["1", "2", "7", "3"]
    rosters = changed(vmg, rosters, 4, 4)
    assert slots(rosters, "mg") == ["5", "6", "4", "8"], "a pair need not be neighbours"


def test_pairs_are_two_in_the_order_of_their_creation(vmg: Vnfd) -> None:
    mg = vmg.vdu("mg")
    made = {4: "5", 5: "6", 7: "4", 8: "8"}
    assert units(mg, Roster(made)) == [(4, 5), (7, 8)]
    assert pairs(mg, made) == {
        "4": {"role": "working", "mate": "6", "pair": "1"},
        "5": {"role": "protect", "mate": "5", "pair": "1"},
        "7": {"role": "working", "mate": "8", "pair": "2"},
        "8": {"role": "protect", "mate": "4", "pair": "2"},
    }
    assert pairs(mg, {0: "3"}) == {"0": {"role": "working", "mate": "", "pair": "1"}}


def numbers(found: dict[str, dict[str, str]]) -> dict[str, str]:
    return {index: one["pair"] for index, one in found.items()}


def test_a_vnfc_keeps_the_number_by_which_it_was_placed(vmg: Vnfd) -> None:
    mg = vmg.vdu("mg")
    three = pairs(mg, {0: "3", 1: "4", 2: "5", 3: "6", 4: "7", 5: "8"})
    assert numbers(three) == {"0": "1", "1": "1", "2": "2", "3": "2", "4": "3", "5": "3"}
    two = pairs(mg, {2: "5", 3: "6", 4: "7", 5: "8"}, three)
    assert numbers(two) == {"2": "2", "3": "2", "4": "3", "5": "3"}
    assert numbers(pairs(mg, {2: "5", 3: "6", 4: "7", 5: "8", 6: "3", 7: "4"}, two))["6"] == "1", "the lowest free one"
    healed = pairs(mg, {2: "5", 4: "7", 5: "8", 6: "6"}, two)
    assert {healed["2"]["pair"], healed["4"]["pair"], healed["5"]["pair"]} == {"2", "3"}, "none is placed again"


def test_each_pair_has_a_server_group_of_its_own_and_no_other(vmg: Vnfd) -> None:
    registry = planned(vmg, {"lb": 0, "mg-groups": 2}, {}).registry
    apart, anywhere = "fragments/placement_anti_affinity.yaml", "fragments/placement_any.yaml"
    found = [registry[f"VMG::MgPlacement{number}"] for number in range(1, 10)]
    assert found == [apart] * 3 + [anywhere] * 6
    together = planned(vmg, {"lb": 0, "mg-groups": 2}, {}, anti_affinity=False).registry
    assert {together[f"VMG::MgPlacement{number}"] for number in range(1, 10)} == {anywhere}


def test_mates_of_shared_slots(vmg: Vnfd) -> None:
    rosters = {"lb": Roster({0: "1", 1: "2"}), "mg": Roster({4: "5", 5: "6", 7: "4"})}
    assert mates(vmg, rosters) == {("mg", "5"): "6", ("mg", "6"): "5"}


def test_shrinking_takes_whole_pairs_from_the_highest_down(vmg: Vnfd) -> None:
    held = {"lb": Roster({0: "1", 1: "2"}, 2), "mg": Roster({4: "5", 5: "6", 7: "4", 8: "8"}, 9)}
    assert slots(changed(vmg, held, 2, 2), "mg") == ["4", "8"]
    lost_mate = {**held, "mg": Roster({4: "5", 5: "6", 7: "4"}, 9)}
    assert slots(changed(vmg, lost_mate, 2, 2), "mg") == ["5", "6"], "half a pair goes first"


def test_a_freed_slot_can_be_used_by_the_next_change_only(vmg: Vnfd) -> None:
    full = changed(vmg, {}, 2, 18)
    with pytest.raises(NoFreeSlotError, match=r"6 more asked for, and no free slots are left\. Slots that a request"):
        changed(vmg, full, 8, 12)
    freed = changed(vmg, full, 2, 12)
    assert slots(changed(vmg, freed, 8, 12), "lb") == ["1", "2", *numbered(15, 20)]


@given(st.lists(st.tuples(st.integers(2, 8), st.integers(1, 9)).filter(lambda n: n[0] + 2 * n[1] <= 20), max_size=20))
def test_after_any_history_no_slot_is_shared_and_mates_stay_mates(vmg: Vnfd, history: list[tuple[int, int]]) -> None:
    rosters: Rosters = {}
    for lb, groups in history:
        before = rosters.get("mg", Roster())
        try:
            rosters = changed(vmg, rosters, lb, 2 * groups)
        except NoFreeSlotError:
            continue
        held = slots(rosters, "lb") + slots(rosters, "mg")
        assert len(held) == len(set(held)) == lb + 2 * groups
        couples, old = units(vmg.vdu("mg"), rosters["mg"]), units(vmg.vdu("mg"), before)
        known = {index for couple in old for index in couple}
        assert all(couple in old for couple in couples if known & set(couple)), "a mate was lost or changed"


LEVELS = {"lb": 0, "mg-groups": 1}
CURRENT = InstanceState(
    flavour_id="default",
    scale_levels=LEVELS,
    vnfcs=tuple(vnfc(slot, "lb") for slot in "12") + tuple(vnfc(slot, "mg") for slot in "3456"),
    rosters={
        "oam": Roster({0: "A", 1: "B"}, 2),
        "lb": Roster({0: "1", 1: "2"}, 2),
        "mg": Roster({0: "3", 1: "4", 2: "5", 3: "6"}, 4),
    },
)


def scale_in(vmg: Vnfd, *names: str, steps: int = 1) -> Any:
    request = {
        "type": "SCALE_IN",
        "aspectId": "mg-groups",
        "numberOfSteps": steps,
        "additionalParams": {"vnfcToRemove": list(names)},
    }
    return validate(OperationRequest(ScaleVnfRequest.of(request), vmg, CURRENT))


def test_removing_one_of_a_pair_removes_both(vmg: Vnfd) -> None:
    assert scale_in(vmg, "mg/3", "mg/4").remove == {"mg": ("3", "4")}
    refused = scale_in(vmg, "mg/4", "mg/5")
    assert fields(refused) == ["/additionalParams/vnfcToRemove"] * 2
    assert [error.message for error in refused.errors] == [
        "mg/4 goes with its mate mg/3: name both.",
        "mg/5 goes with its mate mg/6: name both.",
    ]
    assert "1 VNFCs of mg are named, and the request removes 2." in [e.message for e in scale_in(vmg, "3").errors]


def test_a_request_that_needs_a_slot_twice_is_rejected(vmg: Vnfd) -> None:
    rosters = changed(vmg, {}, 2, 18)
    standing = InstanceState("default", {"lb": 0, "mg-groups": 8}, rosters=rosters)
    levels = [{"aspectId": "lb", "scaleLevel": 6}, {"aspectId": "mg-groups", "scaleLevel": 5}]
    refused = validate(OperationRequest(ScaleVnfToLevelRequest.of({"scaleInfo": levels}), vmg, standing))
    assert isinstance(refused, Rejection)
    assert refused.errors[0].message.startswith("Load balancer VM: 6 more asked for, and no free slots are left.")


PAIRS = {
    "0": {"role": "working", "mate": "4", "pair": "1"}, "1": {"role": "protect", "mate": "3", "pair": "1"},
    "2": {"role": "working", "mate": "6", "pair": "2"}, "3": {"role": "protect", "mate": "5", "pair": "2"},
}  # fmt: skip
"""The names of CURRENT, in the stack."""


def planned(vmg: Vnfd, levels: dict[str, int], remove: dict[str, tuple[str, ...]], **more: object) -> Plan:
    flavour = vmg.flavour("default")
    assert flavour is not None
    chosen = {"image": "i", **{f"{vdu.id}_flavor": "f" for vdu in vmg.vdus}, **more}
    given = {setting.name: setting.default for setting in vmg.settings} | chosen
    before = CurrentStack(vmg, flavour, CURRENT.rosters, {**chosen, "mg_count": 4, "mg_pairs": PAIRS})
    plan = compute_plan(vmg, Target(flavour, "", levels, given, {}, remove=remove), before, CloudSnapshot((), (), ()))
    assert isinstance(plan, Plan), plan
    return plan


def test_a_pair_that_is_removed_comes_back_as_a_pair(vmg: Vnfd) -> None:
    """Whether under the indexes of before or under new ones, Heat alone knows."""
    plan = planned(vmg, {"lb": 0, "mg-groups": 0}, {"mg": ("3", "4")})
    assert plan.parameters["mg_pairs"] == {
        "2": {"role": "working", "mate": "6", "pair": "2"},
        "3": {"role": "protect", "mate": "5", "pair": "2"},
    }
    first = {"0": {"role": "working", "mate": "4", "pair": "1"}, "1": {"role": "protect", "mate": "3", "pair": "1"}}
    recreated = {"4": {"role": "working", "mate": "4", "pair": "1"}, "5": {"role": "protect", "mate": "3", "pair": "1"}}
    assert plan.undo_parameters["mg_pairs"] == {**first, **plan.parameters["mg_pairs"], **recreated}
    assert plan.undo_slots == {"mg": {"4": "3", "5": "4"}}


def test_a_pair_that_came_goes_again(vmg: Vnfd) -> None:
    plan = planned(vmg, {"lb": 1, "mg-groups": 2}, {})
    assert plan.added == {"oam": [], "lb": ["7"], "mg": ["8", "9"]}
    assert plan.undo_parameters["mg_removals"] == ["4", "5"]
    assert plan.undo_parameters["mg_pairs"].keys() == {"0", "1", "2", "3"}
    assert plan.undo_parameters["lb_removals"] == ["2"]
