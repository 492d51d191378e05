"""InstantiateVnf (SOL003 5.4.4): images and flavors → stack → VNFCs recorded and running."""

from collections.abc import Sequence

from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.domain.plan import Artefact
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.sagas import adopt
from vnfm.lcm.sagas.planning import Planned, Planning, plan_layout
from vnfm.lcm.selectors.instances import stack_name
from vnfm.lcm.steps.flavor import CreateFlavor
from vnfm.lcm.steps.image import ProvideImage
from vnfm.lcm.steps.record import RecordVnfcs
from vnfm.lcm.steps.stack import CreateStack


def plan(planning: Planning) -> Planned:
    request = planning.request
    if isinstance(request, InstantiateVnfRequest) and request.additional_params.adopt_stack is not None:
        return adopt.plan(planning)
    plan = plan_layout(planning, planning.validated(Target), planning.vnfd)
    name = stack_name(planning.instance, planning.instance.generation)
    steps = [
        *artefact_steps(plan.artefacts),
        CreateStack.spec("Create the Heat stack", {"name": name}),
        RecordVnfcs.spec("Record the VNFCs and verify that they run", {"first": True}),
    ]
    return Planned(plan, steps)


def artefact_steps(artefacts: Sequence[Artefact]) -> list[StepSpec]:
    """The steps that provide flavors and images before Heat needs them: first what a cloud may refuse, then uploads."""
    return [_artefact_step(artefact) for artefact in sorted(artefacts, key=lambda artefact: artefact.kind)]


def _artefact_step(artefact: Artefact) -> StepSpec:
    params = {"key": artefact.key, "subject": artefact.subject}
    if artefact.kind == "image":
        return ProvideImage.spec(f"Provide image {artefact.key} in Glance", params)
    return CreateFlavor.spec(f"Create Nova flavor {artefact.key}", params)
