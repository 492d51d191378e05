"""The hard half of a heal: servers that nothing gentle helped go, and Heat is made to see that they are gone.

In this order, because Heat leaves no other (measured on Heat of 2025.1, read in Liberty's source). A bad server that
still exists holds its ports, and the update fails after minutes. An update alone replaces nothing: Heat must know first
that the server is bad. And the check by which Liberty's Heat learns it takes everything that is not ACTIVE for bad. So
before the update it is verified that Heat would replace what is meant, and nothing else.
"""

from vnfm.clouds.errors import Failed, Rejected
from vnfm.clouds.types import Server, Stack
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.base import Context, step_kind
from vnfm.lcm.sagas.revive import OnlyForLeft, left
from vnfm.lcm.sagas.servers import servers_seen
from vnfm.lcm.sagas.verdict import Verdict, verdict

MARK = "heat_mark_unhealthy"
CHECK_BEGINS = 10.0
"""Seconds within which an accepted check shows. A check of a stack in CHECK_FAILED may begin and end between two looks
with no trace; what it found is judged by the resources then."""
DELETE_SECONDS = 600.0

Names = dict[str, str]


@step_kind
class DeleteServers(OnlyForLeft):
    """Delete the servers in Nova, which lets go of their ports, and see them gone.

    From the moment that the receipt says so there is no way back; until then a rollback finds everything in place.
    """

    kind = "delete_servers@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"untouched": True, "names": {patient.server_id: patient.label for patient in left(ctx)}}

    def go_on(self, ctx: Context, receipt: Receipt) -> Outcome:
        if receipt.get("untouched"):
            stack = ctx.cloud.stacks.status(ctx.instance.stack_id)
            if stack.in_progress:
                return Waiting(f"Heat is still at {stack.status}: nothing is deleted before its end")
            if _capability(ctx, MARK) and (seen := verdict(ctx, group_wide=_replaces_groups(ctx))).endangered:
                return Blocked(_at_risk(seen, "Mend Heat's record by a check while all of it is ACTIVE"))
            return Waiting("About to delete the servers", {"names": receipt["names"]})
        return clear(ctx, receipt, "deleted")

    def anew(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {**receipt, "asked": []}


def clear(ctx: Context, receipt: Receipt, done: str) -> Outcome:
    """One look at the servers that must go (`names` of the receipt); each is asked for once."""
    names: Names = receipt["names"]
    seen = servers_seen(ctx.cloud, names)
    if not seen:
        return Done(f"{', '.join(names.values())} {done}")
    asked: list[str] = receipt.get("asked", [])
    stuck = [i for i, server in seen.items() if i in asked and _will_not_go(ctx, server)]
    if stuck:
        return Blocked(_not_deleted(stuck, names, seen))
    for server_id in seen:
        if server_id not in asked:
            ctx.cloud.servers.delete(server_id)
    words = ", ".join(f"{names[i]} {server.task_state or server.status}" for i, server in seen.items())
    return Waiting(f"Nova: {words}", {**receipt, "asked": list(names)})


def _will_not_go(ctx: Context, server: Server) -> bool:
    return (server.status == "ERROR" and not server.task_state) or ctx.elapsed > DELETE_SECONDS


def _not_deleted(ids: list[str], names: Names, seen: dict[str, Server]) -> Problem:
    return Problem(
        Failed.status,
        "NOT_DELETED",
        "Nova does not delete a server",
        f"Nova was asked to delete {', '.join(names[i] for i in ids)}, and still has it.",
        "Have the cloud's operator remove it; then retry.",
        tuple(Cause("nova", f"{names[i]}: {s.fault.message if (s := seen[i]).fault else s.status}") for i in ids),
    )


@step_kind
class MarkFailed(OnlyForLeft):
    """Have Heat take the deleted servers for failed, and make sure that it takes nothing else for failed.

    From Mitaka on each is marked by itself. Liberty's Heat can only check the whole stack. On Heat of Mitaka to Ocata,
    which would replace a whole group of which a check found one member dead, no check is ever asked for. Where nobody
    could tell us which Heat it is, marking is tried, and its refusal means Liberty.
    """

    kind = "mark_failed@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"marks": _capability(ctx, MARK) is not False}

    def go_on(self, ctx: Context, receipt: Receipt) -> Outcome:
        stack = ctx.cloud.stacks.status(ctx.instance.stack_id)
        if stack.in_progress:
            return Waiting(f"Heat {stack.status}", {**receipt, "began": "asked" in receipt})
        if "asked" in receipt and not _began(ctx, receipt, stack):
            return Waiting(f"Heat has accepted the check and not begun it ({stack.status})")
        seen = verdict(ctx, group_wide=receipt["marks"] and _replaces_groups(ctx))
        if not seen.unknown and not seen.endangered:
            return Done("Heat knows " + ", ".join(patient.label for patient in left(ctx)) + " for failed")
        if "asked" in receipt:
            return Blocked(
                _at_risk(seen, "Bring it to ACTIVE, so that Heat finds it well") if seen.endangered else _unseen(seen)
            )
        if receipt["marks"]:
            return self._mark(ctx, receipt, seen)
        ctx.cloud.stacks.check(stack.id)
        asked = {"asked": ctx.elapsed, "status": stack.status, "updatedAt": stack.updated_at}
        return Waiting("Heat was asked to check the stack", {**receipt, **asked})

    @staticmethod
    def _mark(ctx: Context, receipt: Receipt, seen: Verdict) -> Outcome:
        for resource in seen.unknown:
            reason = "Healed: its server was deleted"
            try:
                ctx.cloud.stacks.mark_unhealthy(ctx.instance.stack_id, resource.path, resource.name, reason)
            except Rejected:
                if _capability(ctx, MARK):
                    raise
                return Waiting("Heat cannot mark a resource: it is Liberty's", {**receipt, "marks": False})
        return Waiting("Heat was told", {**receipt, "asked": ctx.elapsed, "began": True})

    def anew(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {"marks": receipt["marks"]}


def _capability(ctx: Context, name: str) -> bool | None:
    assert ctx.instance.vim is not None, "it has a stack"
    known: bool | None = ctx.instance.vim.capabilities.get(name)
    return known


def _replaces_groups(ctx: Context) -> bool:
    """Whether Heat may replace all of a group of which a check, somebody else's, has found a member bad."""
    return _capability(ctx, "heat_check_spares_siblings") is not True


def _began(ctx: Context, receipt: Receipt, stack: Stack) -> bool:
    if receipt.get("began") or (stack.status, stack.updated_at) != (receipt["status"], receipt["updatedAt"]):
        return True
    waited: float = ctx.elapsed - receipt["asked"]
    return waited > CHECK_BEGINS


def _at_risk(seen: Verdict, advice: str) -> Problem:
    return Problem(
        Failed.status,
        "SIBLING_AT_RISK",
        "Heat would replace more than is healed",
        f"Heat takes {', '.join(seen.endangered)} for failed, too, and would replace it, which nobody asked for.",
        f"{advice}, and retry; or end this heal, and heal all of it together.",
    )


def _unseen(seen: Verdict) -> Problem:
    names = ", ".join("/".join((*resource.path, resource.name)) for resource in seen.unknown)
    return Problem(
        Failed.status,
        "NOT_SEEN_BY_HEAT",
        "Heat does not see that a server is gone",
        f"Heat was told to look, and still takes {names} for good.",
        "Look at the stack in Heat; then retry.",
        tuple(Cause("heat", f"{resource.name}: {resource.status}") for resource in seen.unknown),
    )
