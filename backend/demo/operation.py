"""A lifecycle operation of the demo, from its request to its end."""

from collections.abc import Mapping
from typing import Any

from demo.api import Api, DemoError, explain_problem, wait_for
from demo.screen import Screen

NOT_COMPLETED = "NOT_COMPLETED"
"""Code of a DemoError when an operation ends otherwise."""
FINAL = {"COMPLETED", "FAILED", "FAILED_TEMP", "ROLLED_BACK"}


def run_operation(
    api: Api, screen: Screen, instance_id: str, task: str, request: Mapping[str, Any], *, seconds: float
) -> str:
    """Start a task and follow its steps for at most `seconds`; its operation's id. DemoError unless COMPLETED."""
    location = api.post(f"/vnflcm/v2/vnf_instances/{instance_id}/{task}", request).headers["Location"]
    op_id = location.rsplit("/", 1)[-1]
    screen.freeze()

    def over() -> Mapping[str, Any] | None:
        op: Mapping[str, Any] = api.get(f"/api/v1/vnf_lcm_op_occs/{op_id}")
        screen.steps(op["steps"])
        return op if op["operationState"] in FINAL else None

    op = wait_for(f"{task} ends", over, seconds, every=0.3)
    screen.freeze()
    if op["operationState"] != "COMPLETED":
        words = f"{task} ended in {op['operationState']}: " + explain_problem(op.get("error") or {})
        raise DemoError(words, NOT_COMPLETED)
    screen.good(f"{task} COMPLETED")
    return op_id
