"""ChangeExtVnfConnectivity (SOL003 5.4.11): Heat replaces ports and plugs the new ones into the servers that run."""

from vnfm.lcm.domain.target import Target
from vnfm.lcm.sagas.planning import Planned, Planning, layout
from vnfm.lcm.sagas.staged import staged


def plan(planning: Planning) -> Planned:
    computed = layout(planning, planning.asked(Target), planning.vnfd)
    return Planned(computed, staged(computed, "Move the ports to their new networks"))
