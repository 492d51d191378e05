"""The end of a heal: Heat creates new servers for the deleted ones, and each VNFC is recorded with its server."""

from vnfm.clouds.errors import Failed
from vnfm.clouds.types import Stack
from vnfm.inventory.services import RecordedVnfc
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.healing import HealTarget
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.heal_in_place import ReplacementStep, heal_progress, heal_targets, not_recovered
from vnfm.lcm.steps.heal_mark_unhealthy import delete_servers
from vnfm.lcm.steps.record import RecordVnfcs, SlotKey, record_stack
from vnfm.lcm.steps.servers import servers_by_id
from vnfm.lcm.steps.stack import SLOW, UpdateStack
from vnfm.lcm.steps.stack_members import VnfcResources, members, planned_rosters


class ReplaceFailed(ReplacementStep):
    """PUT the same stack again, so that Heat replaces what it has marked as failed: new servers on the same ports.

    On a retry, a new server that Heat could not complete still has those ports, so it is deleted first.
    """

    kind = "replace_failed@1"
    changes_stack = True
    applies_template = True
    _update = UpdateStack()

    def submit(self, ctx: Context) -> Receipt:
        return self._update.submit(ctx)

    def observe_replacement(self, ctx: Context, receipt: Receipt) -> Outcome:
        if "names" in receipt:
            outcome = delete_servers(ctx, receipt, "deleted")
            if isinstance(outcome, Done):
                return Waiting(f"{outcome.message}; Heat was asked again", self._update.submit(ctx))
            return outcome
        outcome = self._update.observe(ctx, receipt)
        if not isinstance(outcome, Done):
            return outcome
        unchanged = [target.label for target, member in _members(ctx) if member.server.physical_id == target.server_id]
        if not unchanged:
            return outcome
        text = f"Heat has finished, and has no new server for {', '.join(unchanged)}"
        if ctx.elapsed - receipt.get("requestedAt", 0.0) < SLOW:
            return Waiting(text)
        return Blocked(Problem(Failed.status, "NOT_REPLACED", "Heat replaced nothing", f"{text}.", "Retry."))

    def retry_replacement(self, ctx: Context, receipt: Receipt) -> Receipt:
        failed = [
            (target, member.server) for target, member in _members(ctx) if member.server.status.endswith("FAILED")
        ]
        servers = servers_by_id(ctx.cloud, [server.physical_id for _, server in failed if server.physical_id])
        names = {server.physical_id: target.label for target, server in failed if server.physical_id in servers}
        return {"names": names} if names else self._update.retry(ctx, {**receipt, "stackId": ctx.instance.stack_id})


def _members(ctx: Context) -> list[tuple[HealTarget, VnfcResources]]:
    """Each target that gets a new server, with the stack's member in its slot."""
    resources = ctx.cloud.stacks.resources(ctx.instance.stack_id)
    found = {(m.vdu.id, m.slot): m for m in members(ctx.vnfd, planned_rosters(ctx), resources)}
    return [(one, found[one.vdu_id, one.slot]) for one in not_recovered(ctx) if (one.vdu_id, one.slot) in found]


class RecordHealed(RecordVnfcs):
    """Record the VNFCs; each healed one must run, whatever its server is now."""

    kind = "record_healed@1"

    def has_updated_stack(self, ctx: Context) -> bool:
        return bool(not_recovered(ctx)) or ctx.op.steps.filter(kind=UpdateStack.kind).exists()

    def record(self, ctx: Context, stack: Stack | None) -> list[RecordedVnfc]:
        """The host of an evacuated server becomes the desired one; what others have changed stays drift."""
        progress = heal_progress(ctx)
        evacuated = [one.server_id for one in heal_targets(ctx) if progress[one.id].action == "evacuate"]
        return record_stack(ctx, settled=evacuated, stack=stack)

    def must_run(self, ctx: Context, vnfc: RecordedVnfc) -> bool:
        return (vnfc.vdu_id, vnfc.slot) in self.wanted(ctx)

    def wanted(self, ctx: Context) -> set[SlotKey]:
        return {(target.vdu_id, target.slot) for target in heal_targets(ctx)}

    def is_complete(self, ctx: Context, found: set[SlotKey]) -> bool:
        """A member that an earlier operation could not create may have come with this update, or not."""
        return self.wanted(ctx) <= found
