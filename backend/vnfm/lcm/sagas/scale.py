"""ScaleVnf and ScaleVnfToLevel (SOL003 5.4.5, 5.4.6): one update of the stack, then the record."""

from dataclasses import replace

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.target import Target
from vnfm.lcm.sagas.planning import Planned, Planning, layout
from vnfm.lcm.sagas.staged import staged

REMOVED = "VNFCs that are removed cannot be put back."
RECREATED = "A rollback makes removed VNFCs anew: in their slots, as other servers with other UUIDs."


def plan(planning: Planning) -> Planned:
    computed = layout(planning, planning.asked(Target), planning.vnfd)
    return removing(computed, planning.vnfd, "Update the Heat stack")


def removing(computed: Plan, vnfd: Vnfd, title: str) -> Planned:
    """The steps to a plan that may remove VNFCs: whether those can come back is for the VNFD to say."""
    if computed.removed and not vnfd.recreate_on_rollback:
        computed = replace(computed, one_way=f"{REMOVED} {computed.one_way}".strip())
    elif computed.removed:
        computed = replace(computed, warnings=(*computed.warnings, RECREATED))
    return Planned(computed, staged(computed, title))
