"""Laws of plans, for the shipped VNFDs and for generated ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.factories.packages import shipped_folders, shipped_package
from tests.support.yaml_text import load_yaml
from tests.unit.lcm.deployments import (
    Deployment,
    catalog_vnfds,
    deployments,
    generated_vnfds,
    heat_value,
    instantiated,
    scale_levels,
    used_slots,
)
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import AspectDelta, Flavour, ScalingAspect, Vnfd
from vnfm.clouds.types import Quota
from vnfm.lcm.domain.operation_request import QUOTA_EXCEEDED, Rejection
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_builder import CloudSnapshot
from vnfm.lcm.domain.scaling import instantiation_level_of
from vnfm.lcm.domain.sizing import mates, pairs, rosters_from_json, units, vnfc_counts
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.planning import rejection_error

FLAVOURS = [
    pytest.param(folder, flavour["id"], id=f"{folder.parent.name}-{flavour['id']}")
    for folder in shipped_folders()
    for flavour in load_yaml((folder / "vnfd.yaml").read_text())["flavours"]
]


def flavour_of(deployment: Deployment) -> Flavour:
    assert deployment.current.flavour is not None
    return deployment.current.flavour


def removals(vnfd: Vnfd) -> set[str]:
    return {delta.removals_parameter for delta in vnfd.deltas()} - {""}


def without(names: set[str], parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if name not in names}


def assert_nothing_changes(deployment: Deployment, plan: Plan | Rejection) -> None:
    assert isinstance(plan, Plan), plan
    vnfd, parameters = deployment.vnfd, heat_value(plan.parameters)
    # Removal parameters name the members that the last update removed; Heat has retired their indexes.
    assert without(removals(vnfd), parameters) == without(removals(vnfd), deployment.current.parameters)
    assert {tuple(parameters[name]) for name in removals(vnfd) & parameters.keys()} <= {()}
    assert plan.registry == deployment.registry
    assert {vdu_id: roster.slots for vdu_id, roster in rosters_from_json(plan.rosters).items()} == {
        vdu_id: roster.slots for vdu_id, roster in deployment.current.rosters.items()
    }
    assert {resource.action for resource in plan.resources} <= {"keep"}
    assert not any(plan.added.values())
    assert {row.needed for row in plan.quota} == {0}
    assert {flavor.source for flavor in plan.flavors} <= {"kept"}
    nothing = (plan.removed, plan.touched, plan.rebuilt, plan.undo_parameters, plan.undo_slots)
    assert nothing == ({},) * len(nothing)
    assert (plan.stages, plan.artefacts, plan.one_way) == ((), (), "")
    assert plan.warnings in ((), flavour_of(deployment).warnings)


def unchanged_requests(deployment: Deployment) -> list[tuple[Operation, dict[str, Any]]]:
    info = [{"aspectId": aspect, "scaleLevel": level} for aspect, level in deployment.state.scale_levels.items()]
    flavour = flavour_of(deployment)
    requests: list[tuple[Operation, dict[str, Any]]] = [
        (Operation.CHANGE_EXT_CONN, {}),
        (Operation.CHANGE_FLAVOUR, {"newFlavourId": flavour.id, "targetScaleLevelInfo": info}),
    ]
    return [*requests, (Operation.SCALE_TO_LEVEL, {"scaleInfo": info})] if info else requests


@given(deployments())
def test_a_plan_of_the_current_state_changes_nothing(deployment: Deployment) -> None:
    for operation, request in unchanged_requests(deployment):
        assert_nothing_changes(deployment, deployment.planned(operation, request))


@pytest.mark.parametrize(("folder", "flavour_id"), FLAVOURS)
def test_each_shipped_level_has_its_number_of_vnfcs_and_resources(folder: Path, flavour_id: str) -> None:
    vnfd = shipped_package(folder).vnfd
    flavour = vnfd.flavour(flavour_id)
    assert flavour is not None
    for level in flavour.levels:
        deployment = instantiated(vnfd, flavour, level.scale_levels)
        counts = vnfc_counts(vnfd, flavour, level.scale_levels)
        assert {vdu_id: len(slots) for vdu_id, slots in deployment.slots.items()} == counts
        assert deployment.state.scale_levels == level.scale_levels
        found = flavour.level(instantiation_level_of(flavour, level.scale_levels))
        assert found is not None
        assert found.scale_levels == level.scale_levels
        for operation, request in unchanged_requests(deployment):
            assert_nothing_changes(deployment, deployment.planned(operation, request))


def assert_rosters_agree(before: Deployment, plan: Plan) -> None:
    """Added, removed and kept VNFCs account for both rosters, and each kept one has its index and slot."""
    after = rosters_from_json(plan.rosters)
    for vdu in before.vnfd.vdus:
        old, new = before.current.rosters[vdu.id].slots, after[vdu.id].slots
        added, removed = plan.added[vdu.id], plan.removed.get(vdu.id, [])
        assert not set(added) & set(old.values()), "a slot in use was given to a new VNFC"
        assert sorted([*old.values(), *added]) == sorted([*new.values(), *removed])
        assert {index: slot for index, slot in old.items() if slot not in removed} == {
            index: slot for index, slot in new.items() if slot not in added
        }


def assert_parameters_agree(vnfd: Vnfd, plan: Plan) -> None:
    """The parameters of each group say what the roster says."""
    for delta in (delta for flavour in vnfd.flavours if flavour.id == plan.flavour_id for delta in flavour.deltas()):
        slots = rosters_from_json(plan.rosters)[delta.vdu_id].slots
        assert plan.parameters[delta.count_parameter] == len(slots)
        if delta.slots_parameter:
            assert plan.parameters[delta.slots_parameter] == {str(index): slot for index, slot in slots.items()}
        if delta.removals_parameter:
            assert len(plan.parameters[delta.removals_parameter]) == len(plan.removed.get(delta.vdu_id, ()))


def actions(plan: Plan) -> Counter[str]:
    return Counter(resource.action for resource in plan.resources if resource.type == "vnfc")


@given(deployments(), st.data())
def test_no_slot_is_used_twice_and_each_vnfc_that_stays_keeps_its_slot(deployment: Deployment, data: st.DataObject):
    levels = data.draw(scale_levels(flavour_of(deployment)))
    plan = deployment.scaled(levels) if levels else deployment
    assume(isinstance(plan, Plan))
    assert isinstance(plan, Plan)
    after = rosters_from_json(plan.rosters)
    used = used_slots(deployment.vnfd, after)
    assert len(used) == len(set(used))
    counts = vnfc_counts(deployment.vnfd, flavour_of(deployment), levels)
    assert {vdu_id: len(roster.slots) for vdu_id, roster in after.items()} == counts
    assert_rosters_agree(deployment, plan)
    assert_parameters_agree(deployment.vnfd, plan)
    changes = actions(plan)
    assert changes["create"] == sum(map(len, plan.added.values()))
    assert changes["delete"] == sum(map(len, plan.removed.values()))
    instances = next(row for row in plan.quota if row.resource == "instances")
    assert (instances.needed, instances.released) == (changes["create"], changes["delete"])
    moved = sum(row.detail.count(" moves ") for row in plan.resources)
    vnfd, settings = deployment.vnfd, effective_settings(deployment.vnfd, plan.settings)
    ports = sum(len(vnfd.points_of(vnfd.vdu(vdu_id), settings)) * len(new) for vdu_id, new in plan.added.items())
    assert next(row.needed for row in plan.quota if row.resource == "ports") == ports + moved


@given(deployments(histories=0), st.data())
def test_scale_out_then_in_returns_the_roster(deployment: Deployment, data: st.DataObject) -> None:
    aspect = drawn_aspect(deployment, data)
    request = {"aspectId": aspect.id, "numberOfSteps": data.draw(st.integers(1, aspect.max_scale_level))}
    out = deployment.planned(Operation.SCALE, {**request, "type": "SCALE_OUT"})
    assume(isinstance(out, Plan))
    wide = deployment.after(out)
    for delta in aspect.deltas:
        assert (
            len(wide.slots[delta.vdu_id]) == len(deployment.slots[delta.vdu_id]) + delta.step * request["numberOfSteps"]
        )
    back = wide.after(wide.planned(Operation.SCALE, {**request, "type": "SCALE_IN"}))
    assert back.slots == deployment.slots
    assert back.state.scale_levels == deployment.state.scale_levels
    assert {v: r.slots for v, r in back.current.rosters.items()} == {
        v: r.slots for v, r in deployment.current.rosters.items()
    }


@given(deployments(), st.data())
def test_the_named_vnfcs_are_those_that_a_scale_in_removes(deployment: Deployment, data: st.DataObject) -> None:
    aspect = drawn_aspect(deployment, data)
    level = deployment.state.scale_levels[aspect.id]
    assume(level > 0 and all(delta.removals_parameter for delta in aspect.deltas))
    named = {delta.vdu_id: drawn_slots(deployment, data, delta) for delta in aspect.deltas}
    lower = {**deployment.state.scale_levels, aspect.id: level - 1}
    plan = deployment.scaled(lower, [f"{vdu_id}/{slot}" for vdu_id, slots in named.items() for slot in slots])
    assert isinstance(plan, Plan), plan
    assert {vdu_id: sorted(slots) for vdu_id, slots in plan.removed.items()} == {
        vdu_id: sorted(slots) for vdu_id, slots in named.items()
    }
    for delta in aspect.deltas:
        slots = deployment.current.rosters[delta.vdu_id].slots
        indexes = sorted(index for index, slot in slots.items() if slot in named[delta.vdu_id])
        assert plan.parameters[delta.removals_parameter] == [str(index) for index in indexes]


def drawn_slots(deployment: Deployment, data: st.DataObject, delta: AspectDelta) -> list[str]:
    """As many slots as a step has, in whole pairs."""
    roster = deployment.current.rosters[delta.vdu_id]
    shuffled = data.draw(st.permutations(units(deployment.vnfd.vdu(delta.vdu_id), roster)))
    return [roster.slots[index] for unit in shuffled for index in unit][: delta.step]


def drawn_aspect(deployment: Deployment, data: st.DataObject) -> ScalingAspect:
    aspects = [aspect for aspect in flavour_of(deployment).aspects if aspect.max_scale_level]
    assume(aspects)
    return data.draw(st.sampled_from(aspects))


# Undo, against Heat's own arithmetic


@dataclass
class ResourceGroup:
    """OS::Heat::ResourceGroup: `count` members at the lowest indexes that no removal policy has retired."""

    members: set[int] = field(default_factory=set)
    retired: set[int] = field(default_factory=set)

    def updated(self, size: int, removed: Sequence[str]) -> "ResourceGroup":
        retired = self.retired | {int(index) for index in removed if int(index) in self.members}
        return ResourceGroup(set(islice((i for i in count() if i not in retired), size)), retired)


def heat_group(deployment: Deployment, delta: AspectDelta) -> ResourceGroup:
    roster = deployment.current.rosters[delta.vdu_id]
    retired = set(range(roster.next_index)) - set(roster.slots) if delta.removals_parameter else set()
    return ResourceGroup(set(roster.slots), retired)


def update(group: ResourceGroup, delta: AspectDelta, parameters: Mapping[str, Any]) -> ResourceGroup:
    return group.updated(parameters[delta.count_parameter], parameters.get(delta.removals_parameter, ()))


@given(deployments(), st.data())
def test_heat_gets_the_roster_and_an_undone_plan_the_slots_of_before(deployment: Deployment, data: st.DataObject):
    """It holds whether Heat had carried out the plan or not."""
    levels = data.draw(scale_levels(flavour_of(deployment)))
    plan = deployment.scaled(levels) if levels else deployment
    assume(isinstance(plan, Plan))
    assert isinstance(plan, Plan)
    back = {**deployment.current.parameters, **plan.undo_parameters}
    for delta in flavour_of(deployment).deltas():
        vdu, before = deployment.vnfd.vdu(delta.vdu_id), deployment.current.rosters[delta.vdu_id]
        started = heat_group(deployment, delta)
        carried_out = update(started, delta, plan.parameters)
        assert carried_out.members == rosters_from_json(plan.rosters)[vdu.id].slots.keys()
        for group in (started, carried_out):
            undone = update(group, delta, back)
            if delta.removals_parameter:
                assert undone.retired >= group.members - before.slots.keys(), "an index would be assigned again"
            slots = {index: back[delta.slots_parameter][str(index)] for index in sorted(undone.members)}
            assert sorted(slots.values()) == sorted(before.slots.values())
            assert {index: slots[index] for index in group.members & undone.members} == {
                index: before.slots[index] for index in group.members & undone.members
            }
            if vdu.pairs_parameter:
                mates_after = {slots[i]: back[vdu.pairs_parameter][str(i)]["mate"] for i in slots}
                assert mates_after == {
                    before.slots[int(i)]: pair["mate"] for i, pair in pairs(vdu, before.slots).items()
                }


@given(deployments(), st.data())
def test_mates_stay_mates(deployment: Deployment, data: st.DataObject) -> None:
    levels = data.draw(scale_levels(flavour_of(deployment)))
    plan = deployment.scaled(levels) if levels else deployment
    assume(isinstance(plan, Plan))
    old, new = (
        mates(deployment.vnfd, deployment.current.rosters),
        mates(deployment.vnfd, deployment.after(plan).current.rosters),
    )
    assert {key: new[key] for key in old.keys() & new.keys()} == {key: old[key] for key in old.keys() & new.keys()}
    assert {(vdu_id, mate) for (vdu_id, _), mate in new.items()} == new.keys()


# Links


@given(deployments())
def test_the_links_of_a_plan_name_existing_connection_points_vnfcs_and_virtual_links(deployment: Deployment) -> None:
    vnfd = deployment.vnfd
    plan = deployment.planned(Operation.CHANGE_EXT_CONN, {})
    assert isinstance(plan, Plan)
    settings = effective_settings(vnfd, deployment.state.settings)
    known = [link.id for link in vnfd.virtual_links if link.is_used(settings)]
    assert [network.vl_id for network in plan.networks] == known
    owners = {cp.id: vdu.id for vdu in vnfd.vdus for cp in vdu.connection_points}
    for chain in vnfd.chains:
        links = plan.parameters[chain.links_parameter]
        assert links.keys() == {chain.head, chain.inward, chain.outward}
        for cp_id, by_slot in links.items():
            assert sorted(by_slot) == sorted(deployment.slots[owners[cp_id]])
            assert set(by_slot.values()) <= set(vnfd.links_of(cp_id)) <= set(known)


@given(deployments(generated_vnfds().filter(lambda vnfd: vnfd.chains)), st.data())
def test_the_ports_that_move_are_those_with_another_link(deployment: Deployment, data: st.DataObject) -> None:
    (chain,) = deployment.vnfd.chains
    plan = deployment.scaled({"row": data.draw(st.integers(0, len(chain.links)))})
    assert isinstance(plan, Plan)
    before, after = deployment.current.parameters[chain.links_parameter], plan.parameters[chain.links_parameter]
    moved = {
        (cp_id, slot): (link, after[cp_id][slot])
        for cp_id, by_slot in before.items()
        for slot, link in by_slot.items()
        if after[cp_id].get(slot, link) != link
    }
    names = {link.id: link.name for link in deployment.vnfd.virtual_links}
    texts = [f"moves from {names[old]} to {names[new]}" for old, new in moved.values()]
    planned = [text for row in plan.resources if row.action == "update" for text in row.detail.split("; ")]
    assert sorted(text.partition(" ")[2] for text in planned) == sorted(texts)
    assert any("another neighbour" in text for text in plan.warnings) == bool(moved)


# The cloud


def test_a_resize_to_smaller_flavors_releases_quota_and_the_way_back_needs_it() -> None:
    vnfd = shipped_package(next(folder for folder in shipped_folders() if folder.parent.name == "vsr-pe")).vnfd
    small, large = (vnfd.flavour(name) for name in ("default", "full-socket"))
    assert small is not None
    assert large is not None
    for before, after, sign in ((large, small, -1), (small, large, 1)):
        change = {"newFlavourId": after.id, "targetScaleLevelInfo": [{"aspectId": "data-path", "scaleLevel": 1}]}
        request = {**change, "additionalParams": {"createFlavors": True}}
        plan = instantiated(vnfd, before, {"data-path": 1}).planned(Operation.CHANGE_FLAVOUR, request)
        assert isinstance(plan, Plan), plan
        net = {row.resource: row.needed - row.released for row in plan.quota}
        assert (net["cores"], net["ram_mib"], net["instances"]) == (sign * 2 * 14, sign * 2 * 8192, 0)


def test_a_quota_that_is_too_small_rejects_the_plan() -> None:
    vnfd = catalog_vnfds()[0]
    small = instantiated(vnfd, vnfd.flavours[0], {})
    request = {"flavourId": vnfd.flavours[0].id, "additionalParams": {"createFlavors": True}}

    def planned(limit: int | None, used: int | None) -> Plan | Rejection:
        quotas = (Quota("instances", limit, used),)
        return replace(Deployment(vnfd), cloud=CloudSnapshot((), (), quotas)).planned(Operation.INSTANTIATE, request)

    new = sum(map(len, small.slots.values()))
    for enough in ((5 + new, 5), (-1, 5), (None, 5), (0, None)):
        assert isinstance(planned(*enough), Plan), enough
    rejected = planned(4 + new, 5)
    assert isinstance(rejected, Rejection)
    assert rejected.code == QUOTA_EXCEEDED
    assert [error.message for error in rejected.errors] == [
        f"Quota instances: {new} more needed, 5 of {4 + new} in use."
    ]


@pytest.mark.parametrize(
    ("agreed", "may", "refused"),
    [
        (None, True, ""),
        (True, True, ""),
        (True, None, ""),
        (None, None, "is not known. Allow the creation"),
        (False, True, 'Allow the creation, "createFlavors": true'),
        (None, False, "may not create flavors (since 2026-11-23T10:00:00+00:00)"),
        (True, False, "may not create flavors"),
    ],
)
def test_a_missing_flavor_is_created_where_that_may_be_and_else_refused_with_its_command(
    agreed: bool | None, may: bool | None, refused: str
) -> None:
    vnfd = catalog_vnfds()[0]
    cloud = CloudSnapshot((), (), (), may_create_flavors=may, may_create_flavors_since="2026-11-23T10:00:00+00:00")
    params = {} if agreed is None else {"createFlavors": agreed}
    request = {"flavourId": "default", "additionalParams": params}
    result = replace(Deployment(vnfd), cloud=cloud).planned(Operation.INSTANTIATE, request)
    flavors = result.missing_flavors if isinstance(result, Rejection) else result.flavors
    assert [(flavor.vdu_id, flavor.source) for flavor in flavors] == [(vdu.id, "to_create") for vdu in vnfd.vdus]
    commands = [flavor.command for flavor in flavors]
    assert all(command.startswith("openstack flavor create --vcpus ") for command in commands)
    if refused:
        assert isinstance(result, Rejection)
        for error, command in zip(result.errors, commands, strict=True):
            assert refused in error.message
            assert error.message.endswith(command)
    else:
        assert isinstance(result, Plan)
        assert {artefact.key for artefact in result.artefacts if artefact.kind == "flavor"} == {
            flavor.flavor_name for flavor in flavors
        }


def test_every_missing_flavor_is_named_with_its_vdu_and_with_who_needs_the_disk() -> None:
    vnfd = next(one for one in catalog_vnfds() if one.product_name == "VSR-PE")
    control, data_path = vnfd.vdus
    images = tuple(replace(one, min_disk_gib=control.needs.disk_gib) for one in vnfd.software_images)
    cloud = CloudSnapshot((), (), (), may_create_flavors=False)
    request = {"flavourId": "default"}
    by_image = replace(Deployment(replace(vnfd, software_images=images)), cloud=cloud)
    for deployment, why in (
        (replace(Deployment(vnfd), cloud=cloud), "is in the VNFD, among the needs of VDU control"),
        (by_image, "of control needs (min_disk)"),
    ):
        refused = deployment.planned(Operation.INSTANTIATE, request)
        assert isinstance(refused, Rejection)
        assert [error.message.partition(":")[0] for error in refused.errors] == [control.name, data_path.name]
        assert why in refused.errors[0].message
        assert why in refused.missing_flavors[0].reason
        detail = rejection_error(refused).problem.detail
        assert detail.startswith(f"(1) {control.name}: None of")
        assert f" (2) {data_path.name}: None of" in detail


def test_the_plan_has_a_flavors_surplus() -> None:
    vnfd = next(one for one in catalog_vnfds() if one.product_name == "VSR-PE")
    cloud = replace(Deployment(vnfd).cloud, may_create_flavors=True)
    plan = replace(Deployment(vnfd), cloud=cloud).planned(Operation.INSTANTIATE, {"flavourId": "default"})
    assert isinstance(plan, Plan)
    control, data_path = plan.flavors
    assert (control.source, control.surplus) == (
        "matched",
        ("12 vCPUs more", "57344 MiB memory more", "70 GiB disk more"),
    )
    assert (data_path.source, data_path.command.split()[-1]) == ("to_create", data_path.flavor_name)


def test_an_own_image_that_the_environment_replaces_is_named() -> None:
    shipped = catalog_vnfds()[0]
    parameter = shipped.vdus[0].image_parameter
    vnfd = replace(
        shipped,
        software_images=tuple(replace(image, placeholder=False) for image in shipped.software_images),
        settings=tuple(replace(one, default="tiny") if one.name == parameter else one for one in shipped.settings),
    )

    def named(**params: str) -> bool:
        request = {"flavourId": vnfd.flavours[0].id, "additionalParams": {"createFlavors": True, **params}}
        plan = Deployment(vnfd).planned(Operation.INSTANTIATE, request)
        assert isinstance(plan, Plan), plan
        return any("names image tiny, so" in text for text in plan.warnings)

    assert named()
    assert not named(**{parameter: "chosen-by-hand"})
