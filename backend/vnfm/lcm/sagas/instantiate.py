"""InstantiateVnf (SOL003 5.4.4): images and flavors → stack → VNFCs on record and running."""

from collections.abc import Sequence

from vnfm.lcm.domain.adoption import asks_adoption
from vnfm.lcm.domain.plan import Artefact
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import Target
from vnfm.lcm.sagas import adopt
from vnfm.lcm.sagas.planning import Planned, Planning, layout
from vnfm.lcm.selectors.instances import stack_name


def plan(planning: Planning) -> Planned:
    if asks_adoption(planning.request):
        return adopt.plan(planning)
    computed = layout(planning, planning.asked(Target), planning.vnfd)
    name = stack_name(planning.instance, planning.instance.generation)
    steps = [
        *provide(computed.artefacts),
        StepSpec("create_stack@1", "Create the Heat stack", {"name": name}),
        StepSpec("record_vnfcs@1", "Record the VNFCs and see them run", {"first": True}),
    ]
    return Planned(computed, steps)


def provide(artefacts: Sequence[Artefact]) -> list[StepSpec]:
    """The steps that have images and flavors in the cloud before Heat is asked for what needs them."""
    return [_artefact(artefact) for artefact in artefacts]


def _artefact(artefact: Artefact) -> StepSpec:
    params = {"key": artefact.key, "subject": artefact.subject}
    if artefact.kind == "image":
        return StepSpec("provide_image@1", f"Have image {artefact.key} in Glance", params)
    return StepSpec("create_flavor@1", f"Create Nova flavor {artefact.key}", params)
