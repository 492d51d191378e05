"""HealVnf (SOL003 5.4.9): as gently as the VNFD allows, and by a new server in the same slot where nothing else helps.

    heal in place → start stopped siblings → delete servers → mark unhealthy → replace → [repair] → record → stop again

All steps after the first are only for targets that did not recover by it. On a cloud whose Heat can mark single
resources (Mitaka and later) stopped siblings need not run.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.errors import NotFound
from vnfm.kit.problem import Problem, ProblemError, conflict
from vnfm.lcm.domain.heal_plan import HealPlan, plan_heal
from vnfm.lcm.domain.healing import HealParameters
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.sagas.planning import Planned, Planning, rejection_error, unchanged_plan
from vnfm.lcm.sagas.repair import repair_steps
from vnfm.lcm.steps.heal_in_place import HealInPlace
from vnfm.lcm.steps.heal_mark_unhealthy import DeleteServers, MarkUnhealthy
from vnfm.lcm.steps.heal_replace import RecordHealed, ReplaceFailed
from vnfm.lcm.steps.heal_sibling_power import StartSiblings, StopAfterHeal
from vnfm.lcm.steps.record import KeepRecord
from vnfm.lcm.steps.servers import HostStates, server_state, servers_by_id

DELETED = "A deleted server cannot be put back."


def plan(planning: Planning) -> Planned:
    parameters, must_check = planning.validated(HealParameters), _must_check(planning)
    heal_plan = _heal_plan(planning, parameters, must_check=must_check)
    if heal_plan.may_replace:
        _require_stack(planning)
        _require_safe_siblings(heal_plan)
    unchanged = unchanged_plan(planning.instance, heal_plan.resources)
    rosters = _rosters_of_stack(unchanged, planning.vnfd)
    return Planned(
        replace(unchanged, rosters=rosters, warnings=heal_plan.warnings),
        _steps(planning, parameters, heal_plan, must_check=must_check),
        left_down=heal_plan.left_down,
    )


def _rosters_of_stack(plan: Plan, vnfd: Vnfd) -> dict[str, Any]:
    """The rosters with all slots in Heat's parameters: this update may create a member that an earlier one missed."""
    rosters = dict(plan.rosters)
    for delta in vnfd.deltas():
        slots = plan.parameters.get(delta.slots_parameter)
        if delta.vdu_id in rosters and isinstance(slots, Mapping):
            roster = rosters[delta.vdu_id]
            rosters[delta.vdu_id] = {**roster, "slots": {**slots, **roster["slots"]}}
    return rosters


def _must_check(planning: Planning) -> bool:
    """True if Heat cannot, or might not be able to, mark a single resource as failed."""
    assert planning.instance.vim is not None, "it is instantiated"
    return planning.instance.vim.capabilities.get("heat_mark_unhealthy") is not True


def _heal_plan(planning: Planning, parameters: HealParameters, *, must_check: bool) -> HealPlan:
    cloud, vnfcs = planning.cloud, planning.vnfcs
    hosts, servers = HostStates(cloud), servers_by_id(cloud, [vnfc.server_id for vnfc in vnfcs])
    states = {vnfc.id: server_state(servers.get(vnfc.server_id), hosts) for vnfc in vnfcs}
    heal_plan = plan_heal(parameters, planning.vnfd, vnfcs, states, must_check=must_check)
    if isinstance(heal_plan, Rejection):
        raise rejection_error(heal_plan)
    return heal_plan


def _require_stack(planning: Planning) -> None:
    """Raise 409 where Heat could not update the stack."""
    name = planning.instance.stack_name
    try:
        stack = planning.cloud.stacks.status(planning.instance.stack_id)
    except NotFound:
        raise conflict("STACK_GONE", f"Heat no longer has the stack {name}.", "Terminate and instantiate it.") from None
    if stack.in_progress:
        detail = f"The stack {name} is {stack.status}, which this VNFM did not start."
        raise conflict("STACK_BUSY", detail, "Wait for its end, then heal.")
    if stack.status.startswith(("DELETE_", "SUSPEND_")):
        raise conflict("STACK_UNFIT", f"The stack {name} is {stack.status}.", "Resume it in Heat, or terminate.")


def _require_safe_siblings(heal_plan: HealPlan) -> None:
    """Raise 409 where Heat's check would have a VNFC replaced that is not to be healed."""
    if not heal_plan.endangered:
        return
    text = f"{'; '.join(heal_plan.endangered)}: Heat would replace it along with what is to be healed."
    next_step = "Heal it as well: name it, too, or name none to heal every unhealthy VNFC."
    raise ProblemError(Problem(409, "SIBLING_AT_RISK", "A sibling is unhealthy, too", text, next_step))


def _steps(planning: Planning, parameters: HealParameters, heal_plan: HealPlan, *, must_check: bool) -> list[StepSpec]:
    healthy = f"All {len(planning.vnfcs)} VNFCs are in their desired state"
    params = {"targets": [target.as_json() for target in heal_plan.targets], "healthy": healthy}
    repairs = repair_steps(planning.instance) if parameters.repair else []
    steps = [
        *([KeepRecord.spec("Save the current state")] if repairs else []),
        HealInPlace.spec("Recover the VNFCs in place", params),
        *(_replacement_steps(must_check=must_check) if heal_plan.may_replace else []),
        *repairs,
    ]
    if heal_plan.targets or repairs:
        steps.append(RecordHealed.spec("Record the VNFCs and verify that the healed ones run"))
    if (heal_plan.may_replace and must_check) or any(target.stop_after for target in heal_plan.targets):
        steps.append(StopAfterHeal.spec("Stop the servers that ran only for the heal", {"target": "STOPPED"}))
    return steps


def _replacement_steps(*, must_check: bool) -> list[StepSpec]:
    return [
        *([StartSiblings.spec("Start stopped siblings, which Heat would replace")] if must_check else []),
        DeleteServers.spec("Delete the servers that could not be recovered", one_way=DELETED),
        MarkUnhealthy.spec("Mark failed VNFCs unhealthy in Heat"),
        ReplaceFailed.spec("Replace them through Heat"),
    ]
