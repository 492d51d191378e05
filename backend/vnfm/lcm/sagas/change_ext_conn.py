"""ChangeExtVnfConnectivity (SOL003 5.4.11): Heat replaces ports and plugs the new ones into the running servers."""

from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.sagas.planning import Planned, Planning, plan_layout
from vnfm.lcm.sagas.stack_update import stack_update_steps


def plan(planning: Planning) -> Planned:
    plan = plan_layout(planning, planning.validated(Target), planning.vnfd)
    return Planned(plan, stack_update_steps(plan, "Move the ports to their new networks"))
