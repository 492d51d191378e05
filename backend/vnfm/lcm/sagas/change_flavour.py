"""ChangeVnfFlavour (SOL003 5.4.7): Heat resizes the VMs, and scales to the levels of the new flavour."""

from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.sagas.planning import Planned, Planning, plan_layout
from vnfm.lcm.sagas.scale import with_removals


def plan(planning: Planning) -> Planned:
    plan = plan_layout(planning, planning.validated(Target), planning.vnfd)
    return with_removals(plan, planning.vnfd, f"Bring the Heat stack to the flavour {plan.flavour_id}")
