"""ScaleVnf and ScaleVnfToLevel (SOL003 5.4.5, 5.4.6): one update of the stack, then the record."""

from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import Target
from vnfm.lcm.sagas.planning import Planned, Planning, layout

REMOVED = "VNFCs that are removed cannot be put back."


def plan(planning: Planning) -> Planned:
    computed = layout(planning, planning.asked(Target), planning.vnfd)
    one_way = REMOVED if computed.removed else ""
    steps = [
        StepSpec("keep_record@1", "Note what stands"),
        StepSpec("update_stack@1", "Update the Heat stack", one_way=one_way),
        StepSpec("record_vnfcs@1", "Record the VNFCs and see them run"),
    ]
    return Planned(computed, steps)
