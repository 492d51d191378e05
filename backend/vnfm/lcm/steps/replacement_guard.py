"""Protects running servers that Heat has marked as failed: Liberty's Heat would replace them with its next update.

Heat marks them so after an update that failed at a server, such as a resize for which Nova had no room. A check of the
stack corrects that, since it finds the server ACTIVE; but it marks as failed every server that is not ACTIVE.
"""

from vnfm.clouds.errors import Failed
from vnfm.clouds.types import Stack
from vnfm.inventory.selectors import vnfcs_of
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.steps import Blocked, Outcome, Receipt, Waiting
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.servers import servers_by_id
from vnfm.lcm.steps.stack_members import SERVER

ACTIVE = "ACTIVE"
CHECK_BEGINS = 10.0
"""Seconds within which an accepted check shows."""
CHECK_REQUESTED, STATUS = "checkRequested", "checkedStatus"


def guard_running_servers(ctx: Context, receipt: Receipt, stack: Stack) -> Outcome | None:
    """Have Heat check the stack before an update; None when the update would replace no running VNFC."""
    if not stack.status.endswith("FAILED"):
        return None
    names = {row.server_id: label(row) for row in vnfcs_of(instance_id=ctx.instance.id)}
    ours = [r for r in ctx.cloud.stacks.resources(stack.id) if r.type == SERVER and r.physical_id in names]
    failed = {resource.physical_id for resource in ours if resource.status.endswith("FAILED")}
    servers = servers_by_id(ctx.cloud, [resource.physical_id for resource in ours]) if failed else {}
    running = [names[i] for i, server in servers.items() if i in failed and server.status == ACTIVE]
    if not running:
        return None
    if stack.status == receipt.get(STATUS) and ctx.elapsed - receipt[CHECK_REQUESTED] < CHECK_BEGINS:
        return Waiting(f"Heat has accepted the check and not begun it ({stack.status})", receipt)
    endangered = [names[i] for i, server in servers.items() if i not in failed and server.status != ACTIVE]
    if endangered or CHECK_REQUESTED in receipt:
        return Blocked(_at_risk(running, endangered))
    ctx.cloud.stacks.check(stack.id)
    message = f"Heat marks {', '.join(running)} as failed; check requested again"
    return Waiting(message, {**receipt, CHECK_REQUESTED: ctx.elapsed, STATUS: stack.status})


def _at_risk(running: list[str], endangered: list[str]) -> Problem:
    detail = f"Heat marks {', '.join(running)} as failed although it runs, and would replace it."
    next_step = "Look at the stack in Heat: its check must find the server well. Then try again."
    if endangered:
        detail += f" A check would correct that, but mark {', '.join(endangered)} as failed, which is not running."
        next_step = "Start what does not run in Nova, then try again."
    return Problem(Failed.status, "SIBLING_AT_RISK", "Heat would replace a VM that runs", detail, next_step)
