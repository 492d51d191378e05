"""ChangeVnfFlavour (SOL003 5.4.7): Heat resizes the VMs, and scales to the levels of the new flavour."""

from vnfm.lcm.domain.target import Target
from vnfm.lcm.sagas.planning import Planned, Planning, layout
from vnfm.lcm.sagas.scale import removing


def plan(planning: Planning) -> Planned:
    computed = layout(planning, planning.asked(Target), planning.vnfd)
    return removing(computed, planning.vnfd, f"Bring the Heat stack to the flavour {computed.flavour_id}")
