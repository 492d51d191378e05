"""The second half of a heal: servers that no action helped are deleted, and Heat is made to mark them as failed.

Heat allows no other order (measured on Heat of 2025.1, read in Liberty's source). A failed server that still exists
has its ports, and the update fails after minutes. An update alone replaces nothing: Heat must first have marked the
server as failed. And the check by which Liberty's Heat finds out marks everything that is not ACTIVE as failed. So
before the update we verify that Heat would replace the targets, and nothing else.
"""

from vnfm.clouds.errors import Failed, Rejected
from vnfm.clouds.types import Server, Stack
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.heal_in_place import ReplacementStep, not_recovered
from vnfm.lcm.steps.heal_replace_check import ReplaceCheck, check_replacement
from vnfm.lcm.steps.servers import is_busy, servers_by_id
from vnfm.lcm.steps.stack_progress import await_progress

MARK = "heat_mark_unhealthy"
CHECK_BEGINS = 10.0
"""Seconds within which an accepted check shows. A check of a stack in CHECK_FAILED may begin and end between two calls
without a trace; then the resources show its result."""
DELETE_SECONDS = 600.0


class DeleteServers(ReplacementStep):
    """Delete the servers in Nova, which releases their ports, and wait until they are gone.

    Once the receipt has no `untouched` there is no way back; until then a rollback finds everything in place.
    """

    kind = "delete_servers@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"untouched": True, "names": {target.server_id: target.label for target in not_recovered(ctx)}}

    def observe_replacement(self, ctx: Context, receipt: Receipt) -> Outcome:
        if receipt.get("untouched"):
            stack = ctx.cloud.stacks.status(ctx.instance.stack_id)
            if stack.in_progress:
                return await_progress(ctx, receipt, stack, "Nothing is deleted before its end: Heat is still")
            if (
                _capability(ctx, MARK)
                and (check := check_replacement(ctx, group_wide=_replaces_groups(ctx))).endangered
            ):
                return Blocked(_at_risk(check, "Mend Heat's record by a check while all of it is ACTIVE"))
            return Waiting("About to delete the servers", {"names": receipt["names"]})
        return delete_servers(ctx, receipt, "deleted")

    def retry_replacement(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {**receipt, "asked": []}


def delete_servers(ctx: Context, receipt: Receipt, done: str) -> Outcome:
    """Delete the servers in the receipt's `names`; Done when Nova has none of them.

    A server gets another request only while Nova has no task for it: then nothing came of the first.
    """
    names: dict[str, str] = receipt["names"]
    servers = servers_by_id(ctx.cloud, names)
    if not servers:
        return Done(f"{', '.join(names.values())} {done}")
    requested: list[str] = receipt.get("asked", [])
    stuck = [i for i, server in servers.items() if i in requested and _is_stuck(ctx, server)]
    if stuck:
        return Blocked(_not_deleted(stuck, names, servers))
    for server_id, server in servers.items():
        if server_id not in requested or not is_busy(server):
            ctx.cloud.servers.delete(server_id)
    states = ", ".join(f"{names[i]} {server.task_state or server.status}" for i, server in servers.items())
    return Waiting(f"Nova: {states}", {**receipt, "asked": list(names)})


def _is_stuck(ctx: Context, server: Server) -> bool:
    return (server.status == "ERROR" and not server.task_state) or ctx.elapsed > DELETE_SECONDS


def _not_deleted(ids: list[str], names: dict[str, str], servers: dict[str, Server]) -> Problem:
    return Problem(
        Failed.status,
        "NOT_DELETED",
        "Nova does not delete a server",
        f"Nova was asked to delete {', '.join(names[i] for i in ids)}, and still has it.",
        "Have the cloud's operator remove it; then retry.",
        tuple(Cause("nova", f"{names[i]}: {s.fault.message if (s := servers[i]).fault else s.status}") for i in ids),
    )


class MarkUnhealthy(ReplacementStep):
    """Have Heat mark the deleted servers as failed, and verify that it has marked nothing else.

    Since Mitaka each can be marked by itself; Liberty's Heat can only check the whole stack. Heat of Mitaka to Ocata
    would replace a whole group after its check found one member dead, so no check is requested there. Where the
    version of Heat is unknown, marking is tried, and its refusal means Liberty.
    """

    kind = "mark_unhealthy@1"
    changes_stack = True

    def submit(self, ctx: Context) -> Receipt:
        return {"marks": _capability(ctx, MARK) is not False}

    def observe_replacement(self, ctx: Context, receipt: Receipt) -> Outcome:
        stack = ctx.cloud.stacks.status(ctx.instance.stack_id)
        if stack.in_progress:
            return await_progress(ctx, {**receipt, "began": "asked" in receipt}, stack)
        if "asked" in receipt and not _check_began(ctx, receipt, stack):
            return Waiting(f"Heat has accepted the check and not begun it ({stack.status})")
        check = check_replacement(ctx, group_wide=receipt["marks"] and _replaces_groups(ctx))
        if not check.not_failed and not check.endangered:
            return Done("Heat has marked " + ", ".join(target.label for target in not_recovered(ctx)) + " as failed")
        if "asked" in receipt:
            return Blocked(
                _at_risk(check, "Bring it to ACTIVE, so that Heat finds it well")
                if check.endangered
                else _not_noticed(check)
            )
        if receipt["marks"]:
            return self._mark(ctx, receipt, check)
        ctx.cloud.stacks.check(stack.id)
        request = {"asked": ctx.elapsed, "status": stack.status, "updatedAt": stack.updated_at}
        return Waiting("Check requested from Heat", {**receipt, **request})

    @staticmethod
    def _mark(ctx: Context, receipt: Receipt, check: ReplaceCheck) -> Outcome:
        for resource in check.not_failed:
            reason = "Healed: its server was deleted"
            try:
                ctx.cloud.stacks.mark_unhealthy(ctx.instance.stack_id, resource.path, resource.name, reason)
            except Rejected:
                if _capability(ctx, MARK):
                    raise
                return Waiting("Heat cannot mark a resource: it is Liberty's", {**receipt, "marks": False})
        return Waiting("Heat has marked it", {**receipt, "asked": ctx.elapsed, "began": True})

    def retry_replacement(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {"marks": receipt["marks"]}


def _capability(ctx: Context, name: str) -> bool | None:
    assert ctx.instance.vim is not None, "it has a stack"
    known: bool | None = ctx.instance.vim.capabilities.get(name)
    return known


def _replaces_groups(ctx: Context) -> bool:
    """True if Heat may replace a whole group after a check, by any user, found one member dead."""
    return _capability(ctx, "heat_check_spares_siblings") is not True


def _check_began(ctx: Context, receipt: Receipt, stack: Stack) -> bool:
    if receipt.get("began") or (stack.status, stack.updated_at) != (receipt["status"], receipt["updatedAt"]):
        return True
    waited: float = ctx.elapsed - receipt["asked"]
    return waited > CHECK_BEGINS


def _at_risk(check: ReplaceCheck, advice: str) -> Problem:
    return Problem(
        Failed.status,
        "SIBLING_AT_RISK",
        "Heat would replace more than is healed",
        f"Heat marks {', '.join(check.endangered)} as failed, too, and would replace it, which was not requested.",
        f"{advice}, and retry; or end this heal, and heal all of it together.",
    )


def _not_noticed(check: ReplaceCheck) -> Problem:
    names = ", ".join("/".join((*resource.path, resource.name)) for resource in check.not_failed)
    return Problem(
        Failed.status,
        "NOT_SEEN_BY_HEAT",
        "Heat does not see that a server is gone",
        f"Heat has checked the stack, and still holds {names} to be healthy.",
        "Look at the stack in Heat; then retry.",
        tuple(Cause("heat", f"{resource.name}: {resource.status}") for resource in check.not_failed),
    )
