"""Deployments for tests of plans: VNFDs of the catalog and generated ones, brought forward by plans without a cloud."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any
from uuid import NAMESPACE_DNS, UUID, uuid5

from hypothesis import strategies as st

from tests.factories.packages import shipped_folders, shipped_package
from tests.unit.lcm.examples import vdu, vnfd
from vnfm.catalog.domain.vnfd import (
    AspectDelta,
    Chain,
    ConnectionPoint,
    Flavour,
    InstantiationLevel,
    ScalingAspect,
    SoftwareImage,
    Vdu,
    VirtualLink,
    Vnfd,
)
from vnfm.clouds.types import Flavor, Network
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, Rejection, VnfcState
from vnfm.lcm.domain.plan import ARTEFACT, Plan
from vnfm.lcm.domain.plan_builder import CloudSnapshot, CurrentStack
from vnfm.lcm.domain.request_params import CREATE_FLAVORS
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.sizing import Roster, pairs, rosters_from_json
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.validation import validate

NETWORKS = (Network("net-1", "lan", "ACTIVE", False, False), Network("net-2", "wan", "ACTIVE", True, False))
FLAVORS = (Flavor("small", "m1.small", 2, 4096, 40), Flavor("large", "m1.large", 16, 65536, 80))
CLOUD = CloudSnapshot(FLAVORS, NETWORKS, ())


@dataclass(frozen=True)
class Deployment:
    """An instance as its plans leave it, with what Heat was last given."""

    vnfd: Vnfd
    current: CurrentStack = field(default_factory=CurrentStack)
    state: InstanceState = field(default_factory=InstanceState)
    cloud: CloudSnapshot = CLOUD
    registry: Mapping[str, str] = field(default_factory=dict)

    @property
    def slots(self) -> dict[str, list[str]]:
        """VDU id → slots of its VNFCs."""
        return {vdu_id: list(roster.slots.values()) for vdu_id, roster in self.current.rosters.items()}

    def planned(self, operation: Operation, request: Any, successor: Vnfd | None = None) -> Plan | Rejection:
        target = validate(OperationRequest(parse_request(operation, request), self.vnfd, self.state, successor))
        if isinstance(target, Rejection):
            return target
        return compute_plan(successor or self.vnfd, target, self.current, self.cloud)

    def scaled(self, levels: Mapping[str, int], remove: list[str] | None = None) -> Plan | Rejection:
        info = [{"aspectId": aspect, "scaleLevel": level} for aspect, level in levels.items()]
        params = {} if remove is None else {"additionalParams": {"vnfcToRemove": remove}}
        return self.planned(Operation.SCALE_TO_LEVEL, {"scaleInfo": info, **params})

    def after(self, plan: Plan | Rejection, successor: Vnfd | None = None) -> "Deployment":
        """Return the deployment after the plan's operation has completed."""
        assert isinstance(plan, Plan), plan
        vnfd, rosters = successor or self.vnfd, rosters_from_json(plan.rosters)
        ids = {artefact.key: f"id of {artefact.key}" for artefact in plan.artefacts}
        cloud = replace(self.cloud, artefacts={**self.cloud.artefacts, **ids})
        parameters = heat_value(plan.parameters)
        current = CurrentStack(vnfd, vnfd.flavour(plan.flavour_id), rosters, parameters)
        vnfcs = tuple(
            VnfcState(vnfc_id(one, slot), one, slot, f"vm-{one}-{slot}", f"server-{one}-{slot}", "ACTIVE", "STARTED")
            for one, roster in rosters.items()
            for slot in roster.slots.values()
        )
        state = InstanceState(plan.flavour_id, plan.scale_levels, plan.settings, vnfcs, rosters)
        return Deployment(vnfd, current, state, cloud, plan.registry)


def vnfc_id(vdu_id: str, slot: str) -> UUID:
    return uuid5(NAMESPACE_DNS, f"{vdu_id}/{slot}")


def heat_value(value: Any) -> Any:
    """The value with the ids of artefacts in place of their marks."""
    if not isinstance(value, Mapping):
        return value
    if ARTEFACT in value:
        return f"id of {value[ARTEFACT]}"
    return {key: heat_value(item) for key, item in value.items()}


def instantiated(vnfd: Vnfd, flavour: Flavour, levels: Mapping[str, int]) -> Deployment:
    info = [{"aspectId": aspect, "scaleLevel": level} for aspect, level in levels.items()]
    # A link without a template of its own needs a network that exists.
    networks = {
        vl.network_parameter: "lan" for vl in vnfd.virtual_links if vl.network_parameter and not vl.registry_type
    }
    params = {CREATE_FLAVORS: True, **networks}
    request = {"flavourId": flavour.id, "targetScaleLevelInfo": info, "additionalParams": params}
    empty = Deployment(vnfd)
    return empty.after(empty.planned(Operation.INSTANTIATE, request))


@cache
def catalog_vnfds() -> tuple[Vnfd, ...]:
    return tuple(shipped_package(folder).vnfd for folder in shipped_folders())


# Generated VNFDs

CHASSIS = tuple(str(number) for number in range(1, 25))
ROW = ("r1", "r2", "r3", "r4")
LINKS = (
    VirtualLink("inside", "Inside", "", internal=True, vnic_type="normal"),
    VirtualLink("outside", "Outside", "", False, "normal", "outside_network", "X::Outside", "made.yaml", "given.yaml"),
)


def connection_points(vdu_id: str, *links: str) -> tuple[ConnectionPoint, ...]:
    return tuple(ConnectionPoint(f"{vdu_id}-{link}", link, link, "normal", "port") for link in links)


@st.composite
def groups(draw: st.DrawFn, vdu_id: str, chassis: bool) -> tuple[Vdu, ScalingAspect]:
    """A VDU with its scaling aspect; with `chassis` it shares slots with the others of that kind."""
    paired = draw(st.booleans())
    size = 2 if paired else 1
    minimum, step = size * draw(st.integers(0, 2)), size * draw(st.integers(1, 2))
    levels = draw(st.integers(0, 3))
    group = replace(
        vdu(vdu_id),
        minimum=minimum,
        maximum=minimum + step * levels,
        slots=CHASSIS if chassis else (),
        hot_group=f"{vdu_id}_group",
        flavor_parameter=f"{vdu_id}_flavor",
        image_parameter=f"{vdu_id}_image",
        images_parameter=f"{vdu_id}_images" if draw(st.booleans()) else "",
        flavors_parameter=f"{vdu_id}_flavors" if draw(st.booleans()) else "",
        pairs_parameter=f"{vdu_id}_pairs" if paired else "",
        connection_points=connection_points(vdu_id, *draw(st.sampled_from([("inside",), ("inside", "outside")]))),
    )
    parameters = [f"{vdu_id}_count", f"{vdu_id}_slots", f"{vdu_id}_removals" if draw(st.booleans()) else ""]
    return group, ScalingAspect(vdu_id, vdu_id.upper(), "", levels, (AspectDelta(vdu_id, step, *parameters),))


@st.composite
def chained(draw: st.DrawFn) -> tuple[list[Vdu], ScalingAspect, Chain, tuple[VirtualLink, ...]]:
    """A head and the row behind it."""
    length = draw(st.integers(1, 4))
    names = tuple(f"hop{number}" for number in range(1, length + 1))
    head = replace(
        vdu("head"),
        maximum=1,
        slots=("1",),
        hot_members=("head",),
        connection_points=connection_points("head", "inside"),
    )
    points = (*connection_points("row", names[0]), *connection_points("row", "inside"))
    row = replace(vdu("row"), minimum=0, maximum=length, slots=ROW[:length], hot_group="row", connection_points=points)
    aspect = ScalingAspect("row", "ROW", "", length, (AspectDelta("row", 1, "row_count", "row_slots", "row_removals"),))
    chain = Chain("head-inside", "row", f"row-{names[0]}", "row-inside", names, "row_links")
    return [head, row], aspect, chain, tuple(VirtualLink(name, name, "", True, "normal") for name in names)


@st.composite
def generated_vnfds(draw: st.DrawFn) -> Vnfd:
    chassis = draw(st.booleans())
    drawn = [draw(groups(name, chassis)) for name in ("a", "b", "c")[: draw(st.integers(1, 3))]]
    vdus, aspects = [one for one, _ in drawn], [aspect for _, aspect in drawn]
    if draw(st.booleans()):
        aspects = [_together(aspects)]
    chains, links = [], LINKS
    if draw(st.booleans()):
        row, aspect, chain, hops = draw(chained())
        vdus, aspects, chains, links = [*vdus, *row], [*aspects, aspect], [chain], (*links, *hops)
    zero = InstantiationLevel("zero", "", {aspect.id: 0 for aspect in aspects})
    order = draw(st.permutations([f"{one.id}/{slot}" for one in vdus for slot in ("2", "1")] + ["a"]))
    return replace(
        vnfd(*vdus),
        virtual_links=links,
        software_images=(SoftwareImage("vsr", "VSR", "vsr.qcow2", False, "qcow2", "bare", 1, "0" * 64),),
        flavours=(Flavour("default", "", "zero", (zero,), tuple(aspects)),),
        chains=tuple(chains),
        upgrade_order=tuple(name for name in order if name == "a" or not name.startswith("a/")),
    )


def _together(aspects: list[ScalingAspect]) -> ScalingAspect:
    """One aspect that scales the VDUs of all."""
    deltas = tuple(delta for aspect in aspects for delta in aspect.deltas)
    return replace(aspects[0], max_scale_level=min(aspect.max_scale_level for aspect in aspects), deltas=deltas)


VNFDS = st.one_of(st.deferred(lambda: st.sampled_from(catalog_vnfds())), generated_vnfds())


def scale_levels(flavour: Flavour) -> st.SearchStrategy[dict[str, int]]:
    """A level for each of its aspects, together as the VNFD's limits may forbid."""
    return st.fixed_dictionaries({aspect.id: st.integers(0, aspect.max_scale_level) for aspect in flavour.aspects})


@st.composite
def deployments(draw: st.DrawFn, vnfds: st.SearchStrategy[Vnfd] = VNFDS, histories: int = 2) -> Deployment:
    """An instance at its default level that was scaled up to `histories` times; rejected requests are left out.

    Its slots may be in any order of the indexes, as those of an adopted stack.
    """
    vnfd = draw(vnfds)
    flavour = draw(st.sampled_from(vnfd.flavours))
    level = flavour.level(flavour.default_level)
    assert level is not None
    found = instantiated(vnfd, flavour, level.scale_levels)
    for levels in draw(st.lists(scale_levels(flavour), max_size=histories)):
        plan = found.scaled(levels) if levels else found
        found = found.after(plan) if isinstance(plan, Plan) else found
    return with_slots(found, draw(st.randoms(use_true_random=False))) if draw(st.booleans()) else found


def with_slots(deployment: Deployment, random: Random) -> Deployment:
    """The deployment with the slots of its groups shuffled."""
    flavour, rosters = deployment.current.flavour, dict(deployment.current.rosters)
    assert flavour is not None
    parameters = dict(deployment.current.parameters)
    for delta in flavour.deltas():
        roster, one = rosters[delta.vdu_id], deployment.vnfd.vdu(delta.vdu_id)
        slots = dict(zip(roster.slots, random.sample(list(roster.slots.values()), len(roster.slots)), strict=True))
        rosters[one.id] = Roster(slots, roster.next_index)
        parameters[delta.slots_parameter] = {str(index): slot for index, slot in slots.items()}
        parameters |= {one.pairs_parameter: pairs(one, slots)} if one.pairs_parameter else {}
    current = replace(deployment.current, rosters=rosters, parameters=parameters)
    return replace(deployment, current=current, state=replace(deployment.state, rosters=rosters))


def used_slots(vnfd: Vnfd, rosters: Mapping[str, Roster]) -> list[tuple[str, str]]:
    """Every VNFC's chassis and slot: groups with a list of slots share one, every other VDU has its own."""
    chassis = {one.id: "shared" if one.hot_group and one.slots else one.id for one in vnfd.vdus}
    return [(chassis[vdu_id], slot) for vdu_id, roster in rosters.items() for slot in roster.slots.values()]
