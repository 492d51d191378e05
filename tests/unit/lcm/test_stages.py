"""The stages of a plan rebuild one VNFC after the other, and end at the plan."""

from dataclasses import replace
from itertools import pairwise
from typing import Any
from uuid import UUID

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.unit.lcm.deployments import (
    CHASSIS,
    VNFDS,
    Deployment,
    catalog_vnfds,
    deployments,
    heat_value,
    instantiated,
)
from tests.unit.lcm.examples import vdu, vnfd
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.plan import Plan, Stage
from vnfm.lcm.domain.stages import LEAVE, MOVE, StagedChange, stages, upgrade_order
from vnfm.lcm.domain.states import Operation

SUCCESSOR = UUID("5f0c1c2e-7c1d-4f0a-9a53-000000000099")
MOVING = Stage(MOVE, {"outside_network": "net-1"}, {"X::Outside": "moving.yaml"})


def images_of(vnfd: Vnfd, parameters: Any, slots: dict[str, list[str]]) -> dict[tuple[str, str], Any]:
    """(VDU id, slot) → the image that Heat gives the VNFC."""
    return {
        (one.id, slot): (parameters.get(one.images_parameter) or {}).get(slot, parameters[one.image_parameter])
        for one in vnfd.vdus
        for slot in slots[one.id]
    }


def rebuilds(vnfd: Vnfd, before: Any, plan: Plan, slots: dict[str, list[str]]) -> list[set[tuple[str, str]]]:
    """The VNFCs with another image after each update than before it."""
    given = [{**plan.parameters, **stage.parameters} for stage in plan.stages or (Stage(""),)]
    states = [images_of(vnfd, heat_value(one), slots) for one in (before, *given)]
    return [{key for key in old if old[key] != new[key]} for old, new in pairwise(states)]


def upgraded(vnfd: Vnfd) -> Vnfd:
    """The next version, with other images."""
    images = tuple(replace(image, sha256="f" * 64) for image in vnfd.software_images)
    return replace(vnfd, vnfd_id=SUCCESSOR, software_images=images)


@given(deployments(VNFDS, 1))
def test_an_upgrade_rebuilds_each_vnfc_once_and_one_at_a_time_where_the_package_can(deployment: Deployment) -> None:
    successor = upgraded(deployment.vnfd)
    plan = deployment.planned(Operation.CHANGE_VNFPKG, {"vnfdId": str(SUCCESSOR)}, successor)
    assert isinstance(plan, Plan), plan
    every = {(vdu_id, slot) for vdu_id, slots in deployment.slots.items() for slot in slots}
    assert {(vdu_id, slot) for vdu_id, slots in plan.rebuilt.items() for slot in slots} == every
    assert plan.touched == plan.rebuilt
    together = {key for key in every if not successor.vdu(key[0]).images_parameter}
    done = rebuilds(successor, deployment.current.parameters, plan, deployment.slots)
    one_by_one = done[:-1] if together else done
    assert all(len(changed) == 1 for changed in one_by_one) or not every
    assert not together or done[-1] == together
    order = [key for changed in one_by_one for key in changed]
    assert order == [(one.id, slot) for one, slot in upgrade_order(successor, plan.rebuilt) if one.images_parameter]
    assert len(plan.stages) in (0, len(done))
    assert [{(vdu_id, slot) for vdu_id, own in stage.rebuilt.items() for slot in own} for stage in plan.stages] in (
        [],
        done,
    )
    after = deployment.after(plan, successor)
    assert set(images_of(successor, after.current.parameters, after.slots)) == every
    assert after.planned(Operation.CHANGE_EXT_CONN, {}).stages == ()  # type: ignore[union-attr]  # a plan


@given(deployments(VNFDS, 1), st.data())
def test_an_interrupted_upgrade_rebuilds_only_the_others(deployment: Deployment, data: st.DataObject) -> None:
    """The state is that of an operation that was marked failed half-way: Heat was last given one of its stages."""
    successor = upgraded(deployment.vnfd)
    request = {"vnfdId": str(SUCCESSOR)}
    plan = deployment.planned(Operation.CHANGE_VNFPKG, request, successor)
    assert isinstance(plan, Plan)
    assume(len(plan.stages) > 1)
    stage = data.draw(st.integers(0, len(plan.stages) - 2))
    done = set().union(*rebuilds(successor, deployment.current.parameters, plan, deployment.slots)[: stage + 1])
    given_last = heat_value({**plan.parameters, **plan.stages[stage].parameters})
    halted = deployment.after(plan, successor)
    halted = replace(
        halted,
        current=replace(halted.current, parameters=given_last),
        state=replace(halted.state, upgrading=True),
    )
    again = halted.planned(Operation.CHANGE_VNFPKG, request, successor)
    assert isinstance(again, Plan), again
    left = {(vdu_id, slot) for vdu_id, slots in deployment.slots.items() for slot in slots} - done
    assert {(vdu_id, slot) for vdu_id, slots in again.rebuilt.items() for slot in slots} == left
    assert set().union(*rebuilds(successor, given_last, again, deployment.slots)) == left


@st.composite
def rebuilt_slots(draw: st.DrawFn, vnfd: Vnfd) -> dict[str, list[str]]:
    slots = st.lists(st.sampled_from(CHASSIS[:4]), unique=True)
    return {
        vdu_id: found
        for vdu_id, found in draw(st.fixed_dictionaries({v.id: slots for v in vnfd.vdus})).items()
        if found
    }


@given(st.data())
def test_the_upgrade_order_has_each_vnfc_once_in_the_order_of_the_vnfd(data: st.DataObject) -> None:
    vnfd = data.draw(VNFDS)
    rebuilt = data.draw(rebuilt_slots(vnfd))
    found = [(one.id, slot) for one, slot in upgrade_order(vnfd, rebuilt)]
    assert sorted(found) == sorted((vdu_id, slot) for vdu_id, slots in rebuilt.items() for slot in slots)
    last = len(vnfd.upgrade_order)
    places = [
        next((i for i, name in enumerate(vnfd.upgrade_order) if name in (vdu_id, f"{vdu_id}/{slot}")), last)
        for vdu_id, slot in found
    ]
    assert places == sorted(places)


SINGLE = replace(vdu("cpm"), images_parameter="images", flavors_parameter="flavors")
TOGETHER = replace(vdu("iom"), image_parameter="image_iom", flavor_parameter="flavor_iom")
BEFORE = {"image": "old", "images": None, "image_iom": "old", SINGLE.flavor_parameter: "small", "flavors": {}}
AFTER = {"image": "new", "images": {}, "image_iom": "new", SINGLE.flavor_parameter: "large", "flavors": {}}


def staged(
    rebuilt: dict[str, list[str]],
    moving: Stage | None = None,
    resized: dict[str, list[str]] | None = None,
    added: dict[str, list[str]] | None = None,
) -> tuple[Stage, ...]:
    change = StagedChange(rebuilt, resized or {}, added or {}, BEFORE, AFTER, moving)
    return stages(vnfd(SINGLE, TOGETHER), change)


def titles(rebuilt: dict[str, list[str]], moving: Stage | None = None, **others: dict[str, list[str]]) -> list[str]:
    return [stage.title for stage in staged(rebuilt, moving, **others)]


def test_the_titles_of_the_stages() -> None:
    one_by_one = ["Upgrade Slot A (CPM)", "Upgrade Slot B (CPM)"]
    assert titles({}) == []
    assert titles({"iom": ["A", "B"]}) == []
    assert titles({"cpm": ["A", "B"]}) == one_by_one
    assert titles({"cpm": ["A", "B"], "iom": ["A"]}) == [*one_by_one, "Upgrade IOM"]
    assert titles({}, MOVING) == [MOVE, LEAVE]
    assert titles({"iom": ["A"]}, MOVING) == [MOVE, "Upgrade IOM"]
    assert titles({"cpm": ["A", "B"]}, MOVING) == [*one_by_one, LEAVE]
    assert titles({}, resized={"cpm": ["A", "B"]}) == ["Resize Slot A (CPM)", "Resize Slot B (CPM)"]
    assert titles({"cpm": ["A"]}, resized={"cpm": ["A", "B"]}) == ["Upgrade Slot A (CPM)", "Resize Slot B (CPM)"]
    assert titles({}, resized={"iom": ["A", "B"]}) == [], "the package cannot resize them one by one"


def test_vnfcs_are_resized_one_after_the_other_and_new_ones_begin_with_the_new_flavor() -> None:
    first, last = staged({}, resized={"cpm": ["A", "B"]}, added={"cpm": ["C"]})
    flavor = SINGLE.flavor_parameter
    assert (first.parameters[flavor], first.parameters["flavors"]) == ("small", {"C": "large", "A": "large"})
    assert (first.restarted, last.restarted) == ({"cpm": ["A"]}, {"cpm": ["B"]})
    assert last == Stage(last.title, resized={"cpm": ["B"]}), "it is the plan"


def test_vnfcs_that_are_resized_at_once_restart_in_the_first_stage() -> None:
    first, last = staged({}, resized={"cpm": ["A", "B"], "iom": ["A", "B"]})
    assert "flavor_iom" not in first.parameters, "it has the value of the plan"
    assert (first.restarted, last.restarted) == ({"iom": ["A", "B"], "cpm": ["A"]}, {"cpm": ["B"]})
    assert staged({}, MOVING, resized={"iom": ["A"]})[0].restarted == {"iom": ["A"]}


@given(st.data())
def test_no_network_is_left_before_the_last_stage_which_is_the_plan(data: st.DataObject) -> None:
    rebuilt = data.draw(rebuilt_slots(vnfd(SINGLE, TOGETHER)))
    found = staged(rebuilt, MOVING)
    assert len(found) > 1
    for stage in found[:-1]:
        assert stage.registry == MOVING.registry
        assert MOVING.parameters.items() <= stage.parameters.items()
        assert stage.parameters.get("image_iom", "old") == "old" or "iom" not in rebuilt
    assert found[-1] == Stage(found[-1].title, rebuilt=found[-1].rebuilt)


def test_the_shipped_router_upgrades_its_standby_first() -> None:
    vsr = next(one for one in catalog_vnfds() if one.product_name == "VSR-PE")
    deployment = instantiated(vsr, vsr.flavours[0], {"data-path": 1})
    plan = deployment.planned(Operation.CHANGE_VNFPKG, {"vnfdId": str(SUCCESSOR)}, upgraded(vsr))
    assert isinstance(plan, Plan), plan
    done = rebuilds(vsr, deployment.current.parameters, plan, deployment.slots)
    assert done == [{("control", "B")}, {("data-path", "1")}, {("data-path", "2")}, {("control", "A")}]
