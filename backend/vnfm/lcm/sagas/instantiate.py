"""InstantiateVnf (SOL003 5.4.4): images and flavors → stack → VNFCs on record and running."""

from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.plan import Artefact, Plan
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.sagas.stack import stack_name


def steps(plan: Plan, instance: VnfInstance) -> list[StepSpec]:
    name = stack_name(instance, instance.generation)
    return [
        *map(_artefact, plan.artefacts),
        StepSpec("create_stack@1", "Create the Heat stack", {"name": name}),
        StepSpec("record_vnfcs@1", "Record the VNFCs and see them run", {"first": True}),
    ]


def _artefact(artefact: Artefact) -> StepSpec:
    params = {"key": artefact.key, "subject": artefact.subject}
    if artefact.kind == "image":
        return StepSpec("provide_image@1", f"Have image {artefact.key} in Glance", params)
    return StepSpec("create_flavor@1", f"Create Nova flavor {artefact.key}", params)
