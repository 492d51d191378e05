"""ScaleVnf and ScaleVnfToLevel (SOL003 5.4.5, 5.4.6): one update of the stack, then the record."""

from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.steps import StepSpec


def steps(plan: Plan, instance: VnfInstance) -> list[StepSpec]:
    return [
        StepSpec("keep_record@1", "Note what stands"),
        StepSpec("update_stack@1", "Update the Heat stack"),
        StepSpec("record_vnfcs@1", "Record the VNFCs and see them run"),
    ]
