"""HealVnf (SOL003 5.4.9): as gently as the VNFD has it, and by a new server in the same slot where nothing else helps.

    revive → start stopped siblings → delete → have Heat know → have Heat replace → [repair] → record → stop again

What comes after the first step is for those alone whom it did not help. On a cloud whose Heat can mark single resources
(Mitaka and later) no sibling has to run for it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.errors import NotFound
from vnfm.kit.problem import Problem, ProblemError, conflict
from vnfm.lcm.domain.healing import Healing
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import Refused
from vnfm.lcm.domain.triage import Triage, triage
from vnfm.lcm.sagas.planning import Planned, Planning, refusal, standing_plan
from vnfm.lcm.sagas.repair import repair_steps
from vnfm.lcm.sagas.replace import RecordHealed, ReplaceFailed
from vnfm.lcm.sagas.revive import ReviveVnfcs
from vnfm.lcm.sagas.servers import Hosts, servers_seen, sight_of
from vnfm.lcm.sagas.siblings import StartSiblings, StopAgain
from vnfm.lcm.sagas.unhealthy import DeleteServers, MarkFailed

DELETED = "A deleted server cannot be put back."


def plan(planning: Planning) -> Planned:
    healing, must_check = planning.asked(Healing), _must_check(planning)
    found = _triage(planning, healing, must_check=must_check)
    if found.may_replace:
        _require_stack(planning)
        _require_safe_siblings(found)
    standing = standing_plan(planning.instance, found.resources)
    rosters = _rosters_told(standing, planning.vnfd)
    return Planned(
        replace(standing, rosters=rosters, warnings=found.warnings),
        _steps(planning, healing, found, must_check=must_check),
    )


def _rosters_told(standing: Plan, vnfd: Vnfd) -> dict[str, Any]:
    """The rosters with all that Heat was told of: a member that it could not make then may come with this update."""
    rosters = dict(standing.rosters)
    for aspect in (aspect for flavour in vnfd.flavours for aspect in flavour.aspects):
        told = standing.parameters.get(aspect.slots_parameter)
        if aspect.vdu_id in rosters and isinstance(told, Mapping):
            roster = rosters[aspect.vdu_id]
            rosters[aspect.vdu_id] = {**roster, "slots": {**told, **roster["slots"]}}
    return rosters


def _must_check(planning: Planning) -> bool:
    """Whether Heat cannot, or might not be able to, mark a single resource as failed."""
    assert planning.instance.vim is not None, "it is instantiated"
    return planning.instance.vim.capabilities.get("heat_mark_unhealthy") is not True


def _triage(planning: Planning, healing: Healing, *, must_check: bool) -> Triage:
    cloud, vnfcs = planning.cloud, planning.vnfcs
    hosts, seen = Hosts(cloud), servers_seen(cloud, [vnfc.server_id for vnfc in vnfcs])
    sights = {vnfc.id: sight_of(seen.get(vnfc.server_id), hosts) for vnfc in vnfcs}
    found = triage(healing, planning.vnfd, vnfcs, sights, must_check=must_check)
    if isinstance(found, Refused):
        raise refusal(found)
    return found


def _require_stack(planning: Planning) -> None:
    """Raise 409 where Heat could not update the stack."""
    name = planning.instance.stack_name
    try:
        stack = planning.cloud.stacks.status(planning.instance.stack_id)
    except NotFound:
        raise conflict("STACK_GONE", f"Heat no longer has the stack {name}.", "Terminate and instantiate it.") from None
    if stack.in_progress:
        detail = f"Heat is at {stack.status} with the stack {name}, which is not our doing."
        raise conflict("STACK_BUSY", detail, "Wait for its end, then heal.")
    if stack.status.startswith(("DELETE_", "SUSPEND_")):
        raise conflict("STACK_UNFIT", f"The stack {name} is {stack.status}.", "Resume it in Heat, or terminate.")


def _require_safe_siblings(found: Triage) -> None:
    """Raise 409 where Heat's check would have a VNFC replaced that nobody wants healed."""
    if not found.endangered:
        return
    text = f"{'; '.join(found.endangered)}: Heat would replace it along with what is to be healed."
    next_step = "Heal it as well: name it, too, or name none and all that is not well is healed."
    raise ProblemError(Problem(409, "SIBLING_AT_RISK", "A sibling is not well either", text, next_step))


def _steps(planning: Planning, healing: Healing, found: Triage, *, must_check: bool) -> list[StepSpec]:
    well = f"All {len(planning.vnfcs)} VNFCs are as they should be"
    params = {"patients": [patient.as_json() for patient in found.patients], "well": well}
    repairs = repair_steps(planning.instance) if healing.repair else []
    steps = [
        *([StepSpec("keep_record@1", "Note what stands")] if repairs else []),
        StepSpec(ReviveVnfcs.kind, "Bring the VNFCs back as gently as possible", params),
        *(_replacement(must_check=must_check) if found.may_replace else []),
        *repairs,
    ]
    if found.patients or repairs:
        steps.append(StepSpec(RecordHealed.kind, "Record the VNFCs and see the healed ones run"))
    if (found.may_replace and must_check) or any(patient.stopped for patient in found.patients):
        steps.append(StepSpec(StopAgain.kind, "Stop again what ran only for the heal", {"wanted": "STOPPED"}))
    return steps


def _replacement(*, must_check: bool) -> list[StepSpec]:
    start = StepSpec(StartSiblings.kind, "Start stopped siblings, which Heat would take for dead")
    return [
        *([start] if must_check else []),
        StepSpec(DeleteServers.kind, "Delete the servers that nothing gentle helped", one_way=DELETED),
        StepSpec(MarkFailed.kind, "Have Heat know that they are gone, and take no other for failed"),
        StepSpec(ReplaceFailed.kind, "Have Heat make new servers in their place"),
    ]
