"""Servers that Heat takes for failed although they run: with its next update Liberty's Heat would make them anew.

So it is after an update that failed at a server, such as a resize for which Nova had no room. A check clears that,
since it finds the server ACTIVE; and it takes for failed whatever is not ACTIVE.
"""

from vnfm.clouds.errors import Failed
from vnfm.clouds.types import Stack
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.naming import label
from vnfm.lcm.domain.steps import Blocked, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.base import Context
from vnfm.lcm.sagas.members import SERVER
from vnfm.lcm.sagas.servers import servers_seen

ACTIVE = "ACTIVE"
CHECK_BEGINS = 10.0
"""Seconds within which an accepted check shows."""
ASKED, STATUS = "checkAsked", "checkedStatus"


def spare(ctx: Context, receipt: Receipt, stack: Stack) -> Outcome | None:
    """Have Heat look again before it is given an update; None when it would make no VNFC anew that runs."""
    if not stack.status.endswith("FAILED"):
        return None
    names = {row.server_id: label(row) for row in ctx.instance.vnfcs.all()}
    held = [r for r in ctx.cloud.stacks.resources(stack.id) if r.type == SERVER and r.physical_id in names]
    failed = {resource.physical_id for resource in held if resource.status.endswith("FAILED")}
    seen = servers_seen(ctx.cloud, [resource.physical_id for resource in held]) if failed else {}
    condemned = [names[i] for i, server in seen.items() if i in failed and server.status == ACTIVE]
    if not condemned:
        return None
    if stack.status == receipt.get(STATUS) and ctx.elapsed - receipt[ASKED] < CHECK_BEGINS:
        return Waiting(f"Heat has accepted the check and not begun it ({stack.status})", receipt)
    endangered = [names[i] for i, server in seen.items() if i not in failed and server.status != ACTIVE]
    if endangered or ASKED in receipt:
        return Blocked(_at_risk(condemned, endangered))
    ctx.cloud.stacks.check(stack.id)
    words = f"Heat takes {', '.join(condemned)} for failed, and was asked to look again"
    return Waiting(words, {**receipt, ASKED: ctx.elapsed, STATUS: stack.status})


def _at_risk(condemned: list[str], endangered: list[str]) -> Problem:
    detail = f"Heat takes {', '.join(condemned)} for failed, although it runs, and would make it anew."
    next_step = "Look at the stack in Heat: its check must find the server well. Then try again."
    if endangered:
        detail += f" A check would mend that, and take {', '.join(endangered)} for failed, which does not run."
        next_step = "Start what does not run in Nova, then try again."
    return Problem(Failed.status, "SIBLING_AT_RISK", "Heat would replace a VM that runs", detail, next_step)
