"""A lifecycle operation of the demo, from its request to its end."""

from collections.abc import Mapping
from typing import Any

from demo.api import Api, DemoError, explain_problem, unless_away, wait_for
from demo.screen import Screen

NOT_COMPLETED = "NOT_COMPLETED"
"""The code of a DemoError when an operation ends in a state other than COMPLETED."""
FINAL = {"COMPLETED", "FAILED", "FAILED_TEMP", "ROLLED_BACK"}


def run_operation(
    api: Api, screen: Screen, instance_id: str, task: str, request: Mapping[str, Any], *, seconds: float
) -> str:
    """Start a task, follow it to its end, and return the operation's id."""
    op_id = start(api, instance_id, task, request)
    follow(api, screen, op_id, task, seconds=seconds)
    return op_id


def start(api: Api, instance_id: str, task: str, request: Mapping[str, Any]) -> str:
    """Start a task and return the operation's id."""
    location = api.post(f"/vnflcm/v2/vnf_instances/{instance_id}/{task}", request).headers["Location"]
    return location.rsplit("/", 1)[-1]


def follow(api: Api, screen: Screen, op_id: str, task: str, *, seconds: float) -> None:
    """Show the operation's steps for at most `seconds`. Raises DemoError unless it is COMPLETED."""
    screen.freeze()

    def over() -> Mapping[str, Any] | None:
        op: Mapping[str, Any] = api.get(f"/api/v1/vnf_lcm_op_occs/{op_id}")
        screen.steps(op["steps"])
        return op if op["operationState"] in FINAL else None

    op = wait_for(f"{task} ends", unless_away(over), seconds, every=0.3)
    screen.freeze()
    if op["operationState"] != "COMPLETED":
        message = f"{task} ended in {op['operationState']}: " + explain_problem(op.get("error") or {})
        raise DemoError(message, NOT_COMPLETED)
    screen.good(f"{task} COMPLETED")
