"""ScaleVnf and ScaleVnfToLevel (SOL003 5.4.5, 5.4.6), scale out and scale in: one stack update, then the record."""

from dataclasses import replace

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.sagas.planning import Planned, Planning, plan_layout
from vnfm.lcm.sagas.stack_update import stack_update_steps

REMOVED = "VNFCs that are removed cannot be put back."
RECREATED = "A rollback creates removed VNFCs again: in their slots, as other servers with other UUIDs."


def plan(planning: Planning) -> Planned:
    computed = plan_layout(planning, planning.validated(Target), planning.vnfd)
    return with_removals(computed, planning.vnfd, "Update the Heat stack")


def with_removals(plan: Plan, vnfd: Vnfd, title: str) -> Planned:
    """The steps to a plan that may remove VNFCs: the VNFD says whether a rollback can create those again."""
    if plan.removed and not vnfd.recreate_on_rollback:
        plan = replace(plan, one_way=f"{REMOVED} {plan.one_way}".strip())
    elif plan.removed:
        plan = replace(plan, warnings=(*plan.warnings, RECREATED))
    return Planned(plan, stack_update_steps(plan, title))
