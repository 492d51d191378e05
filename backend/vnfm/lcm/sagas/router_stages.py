"""Around each stage of a change that rebuilds or resizes a router: drained before; configured where its disk is fresh,
and with its neighbours again, before the next one follows.
"""

from collections.abc import Sequence
from dataclasses import replace

from vnfm.elements.models import NetworkElement
from vnfm.lcm.domain.plan import Plan, Stage
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.router_steps.address import ForgetHostKeys
from vnfm.lcm.router_steps.restore import KeepConfiguration, RestoreConfiguration
from vnfm.lcm.sagas.drain_steps import Slots, drain_around, in_slots
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.steps.record import RecordVnfcs
from vnfm.lcm.steps.stack import UpdateStack


def with_stage_steps(planning: Planning, planned: Planned, elements: Sequence[NetworkElement]) -> Planned:
    """`elements` are the routers that stay. Raises ProblemError where a neighbour would have no path left while one of
    them restarts.
    """
    plan, steps, after, warnings = planned.plan, list[StepSpec](), list[StepSpec](), list[str]()
    stages = iter(plan.stages or (Stage("", rebuilt=plan.rebuilt, resized=_resized_at_once(planning, plan)),))
    for step in planned.steps:
        if step.kind == UpdateStack.kind:
            stage = next(stages)
            around = drain_around(planning, elements, stage.restarted, returns=True)
            own = _configurable(elements, stage.rebuilt)
            steps += [*around.before, *_keep(own)]  # undone: configured before the drain is taken back
            after = [*_restore(own), *around.after]
            warnings += around.warnings
        steps.append(step)
        if step.kind == RecordVnfcs.kind:
            steps += after
            after = []
    return replace(planned, steps=steps, plan=replace(plan, warnings=(*plan.warnings, *warnings)))


def _resized_at_once(planning: Planning, plan: Plan) -> Slots:
    """A change of flavour without stages restarts them at once. A change of package that only resizes drains none."""
    return plan.touched if planning.request.operation == Operation.CHANGE_FLAVOUR else {}


def _configurable(elements: Sequence[NetworkElement], slots: Slots) -> Slots:
    """Return those of the slots whose routers can be logged in at."""
    found = [one for one in in_slots(elements, slots) if one.ssh_policy is not None or one.netconf_policy is not None]
    return {vdu: [one.vnfc.slot for one in found if one.vnfc and one.vnfc.vdu_id == vdu] for vdu in slots if found}


def _keep(slots: Slots) -> list[StepSpec]:
    return [KeepConfiguration.spec("Keep the configuration for a rollback", {"slots": slots})] if slots else []


def _restore(slots: Slots) -> list[StepSpec]:
    if not slots:
        return []
    return [
        ForgetHostKeys.spec("Forget the SSH host keys of rebuilt VMs", {"slots": slots}),
        RestoreConfiguration.spec("Restore the configuration of rebuilt VMs", {"slots": slots}),
    ]
