"""The steps of an operation that updates the stack: artefacts first, then stage by stage, each followed by a record."""

from typing import Any

from vnfm.lcm.domain.plan import Plan, Stage
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.sagas.instantiate import artefact_steps
from vnfm.lcm.steps.record import KeepRecord, RecordVnfcs
from vnfm.lcm.steps.stack import UpdateStack


def stack_update_steps(plan: Plan, title: str) -> list[StepSpec]:
    """Undone in reverse, last of all `KeepRecord`. `title` is for a plan of a single update."""
    steps = [KeepRecord.spec("Save the current state"), *artefact_steps(plan.artefacts)]
    back: dict[str, Any] | None = None
    for stage in plan.stages or (Stage(title),):
        values = {"parameters": dict(stage.parameters), "registry": dict(stage.registry)}
        params = values if back is None else {**values, "back": back}
        steps += [
            UpdateStack.spec(stage.title, params, plan.one_way),
            RecordVnfcs.spec("Record the VNFCs and verify that they run"),
        ]
        back = values
    return steps
