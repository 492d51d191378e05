"""The steps of an operation that updates the stack: what it needs first, then stage by stage, each looked at."""

from typing import Any

from vnfm.lcm.domain.plan import Plan, Stage
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.sagas.desired import UPDATE_STACK
from vnfm.lcm.sagas.instantiate import provide

LOOK = StepSpec("record_vnfcs@1", "Record the VNFCs and see them run")


def staged(plan: Plan, title: str) -> list[StepSpec]:
    """Undone in reverse; last the record follows what is in the cloud. `title` is for a plan of one update."""
    steps = [StepSpec("keep_record@1", "Note what stands"), *provide(plan.artefacts)]
    back: dict[str, Any] | None = None
    for stage in plan.stages or (Stage(title),):
        given = {"parameters": dict(stage.parameters), "registry": dict(stage.registry)}
        params = given if back is None else {**given, "back": back}
        steps += [StepSpec(UPDATE_STACK, stage.title, params, plan.one_way), LOOK]
        back = given
    return steps
