"""Adds to a plan the coordination by a foreign EM (SOL002 clause 10), before each VNFC that goes, stops or restarts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from django.conf import settings

from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.selectors import vnfcs_of
from vnfm.lcm.domain.plan import Plan, Stage
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.router_steps.coordinate import Coordinate, names_em
from vnfm.lcm.sagas.drain_steps import params_of
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.steps.heal_in_place import HealInPlace
from vnfm.lcm.steps.power import SetPower
from vnfm.lcm.steps.stack import UpdateStack
from vnfm.nfvo.registry import element_manager

OF_STACK = (Operation.SCALE, Operation.SCALE_TO_LEVEL, Operation.CHANGE_FLAVOUR, Operation.CHANGE_VNFPKG)
NO_EM = "The VNF names an element manager for coordination, but VNFM_EM_COORD_URL is not set, so none coordinates."
NOT_COORDINATED = "The element manager is not asked before VNFCs go: the request says so. Their traffic may be lost."

Slots = set[tuple[str, str]]
"""Pairs of VDU id and slot."""


def with_coordination(planning: Planning, planned: Planned) -> Planned:
    """The plan, unchanged where no VNFC that works goes, or the VNF names no EM."""
    if not names_em(planning.instance):
        return planned
    groups = list(_groups(planning, planned))
    if not any(groups):
        return planned
    if element_manager() is None:
        return _warned(planned, NO_EM)
    if not planning.request.drain:
        return _warned(planned, NOT_COORDINATED)
    return replace(planned, steps=_with_steps(planned.steps, groups))


def _groups(planning: Planning, planned: Planned) -> Iterator[list[str]]:
    """Ids of the VNFCs that go at once: one group for each update of the stack, else a single one."""
    operation = planning.request.operation
    if operation == Operation.HEAL:
        targets = params_of(planned, HealInPlace)["targets"]
        yield _ids(planning, {(one["vdu_id"], one["slot"]) for one in targets if one["status_before"] == ACTIVE})
    elif operation == Operation.OPERATE:
        params = params_of(planned, SetPower)
        yield [one["id"] for one in params["vnfcs"]] if params["target"] == "STOPPED" else []
    elif operation in OF_STACK:
        yield from (_ids(planning, slots) for slots in _slots_by_stage(planned.plan))


def _slots_by_stage(plan: Plan) -> list[Slots]:
    """Slots in no stage go with the first."""
    stages = [_pairs(stage.restarted) for stage in plan.stages or (Stage("", rebuilt=plan.rebuilt),)]
    others = (_pairs(plan.removed) | _pairs(plan.touched)) - set(chain.from_iterable(stages))
    return [stages[0] | others, *stages[1:]]


def _pairs(slots: Mapping[str, Sequence[str]]) -> Slots:
    return {(vdu, slot) for vdu, own in slots.items() for slot in own}


def _ids(planning: Planning, slots: Slots) -> list[str]:
    rows = vnfcs_of(instance_id=planning.instance.id)
    return [str(row.id) for row in rows if (row.vdu_id, row.slot) in slots]


def _with_steps(steps: Sequence[StepSpec], groups: Sequence[list[str]]) -> list[StepSpec]:
    """The first group is coordinated before anything else, each other one before its update."""
    result, rest = [_step(groups[0])] if groups[0] else [], list(groups[1:])
    updates = 0
    for step in steps:
        if step.kind == UpdateStack.kind:
            updates += 1
            if updates > 1 and rest and (group := rest.pop(0)):
                result.append(_step(group))
        result.append(step)
    return result


def _step(vnfcs: list[str]) -> StepSpec:
    action = settings.EM_ACTION
    params = {"action": action, "seconds": settings.EM_SECONDS, "vnfcs": vnfcs}
    count = f"{len(vnfcs)} VNFCs" if len(vnfcs) > 1 else "1 VNFC"
    return Coordinate.spec(f"Have the element manager coordinate ({action}) before {count} go", params)


def _warned(planned: Planned, warning: str) -> Planned:
    return replace(planned, plan=replace(planned.plan, warnings=(*planned.plan.warnings, warning)))
