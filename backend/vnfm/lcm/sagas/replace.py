"""The end of a heal: Heat makes new servers for those that went, and each VNFC is recorded with the one it has now."""

from vnfm.clouds.errors import Failed
from vnfm.inventory.services import RecordedVnfc
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.healing import Patient
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.base import Context, step_kind
from vnfm.lcm.sagas.members import Member, members, planned_rosters
from vnfm.lcm.sagas.resources import Place, RecordVnfcs, write_down
from vnfm.lcm.sagas.revive import OnlyForLeft, climbs_of, left, patients_of
from vnfm.lcm.sagas.servers import servers_seen
from vnfm.lcm.sagas.stack import SLOW, UpdateStack
from vnfm.lcm.sagas.unhealthy import clear


@step_kind
class ReplaceFailed(OnlyForLeft):
    """PUT what Heat holds already, so that it replaces what it knows for failed: new servers on the same ports.

    A new server that Heat gave up holds those ports when the step is retried, so it is deleted first.
    """

    kind = "replace_failed@1"
    _update = UpdateStack()

    def submit(self, ctx: Context) -> Receipt:
        return self._update.submit(ctx)

    def go_on(self, ctx: Context, receipt: Receipt) -> Outcome:
        if "names" in receipt:
            outcome = clear(ctx, receipt, "deleted")
            if isinstance(outcome, Done):
                asked = {**self._update.submit(ctx), "askedAt": ctx.elapsed}
                return Waiting(f"{outcome.message}; Heat was asked again", asked)
            return outcome
        outcome = self._update.observe(ctx, receipt)
        if not isinstance(outcome, Done):
            return outcome
        kept = [patient.label for patient, member in _members(ctx) if member.server.physical_id == patient.server_id]
        if not kept:
            return outcome
        text = f"Heat has finished, and has no new server for {', '.join(kept)}"
        if ctx.elapsed - receipt.get("askedAt", 0.0) < SLOW:
            return Waiting(text)
        return Blocked(Problem(Failed.status, "NOT_REPLACED", "Heat replaced nothing", f"{text}.", "Retry."))

    def anew(self, ctx: Context, receipt: Receipt) -> Receipt:
        failed = [
            (patient, member.server) for patient, member in _members(ctx) if member.server.status.endswith("FAILED")
        ]
        seen = servers_seen(ctx.cloud, [server.physical_id for _, server in failed if server.physical_id])
        names = {server.physical_id: patient.label for patient, server in failed if server.physical_id in seen}
        return {"names": names} if names else self._update.submit(ctx)


def _members(ctx: Context) -> list[tuple[Patient, Member]]:
    """Each patient that gets a new server, with what the stack has in its place."""
    resources = ctx.cloud.stacks.resources(ctx.instance.stack_id)
    found = {(m.vdu.id, m.slot): m for m in members(ctx.vnfd, planned_rosters(ctx), resources)}
    return [(p, found[p.vdu_id, p.slot]) for p in left(ctx) if (p.vdu_id, p.slot) in found]


@step_kind
class RecordHealed(RecordVnfcs):
    """Record the VNFCs; each one that was healed must run, whatever its server is now."""

    kind = "record_healed@1"

    def look(self, ctx: Context) -> list[RecordedVnfc]:
        """An evacuated server is at home where it is now; else what others changed behind our back stays drift."""
        climbs = climbs_of(ctx)
        moved = [p.server_id for p in patients_of(ctx) if climbs[p.id].rung == "evacuate"]
        updated = bool(left(ctx)) or ctx.op.steps.filter(kind=UpdateStack.kind).exists()
        return write_down(ctx, settled=moved, stack_is_ours=updated)

    def is_new(self, ctx: Context, vnfc: RecordedVnfc) -> bool:
        return (vnfc.vdu_id, vnfc.slot) in self.wanted(ctx)

    def wanted(self, ctx: Context) -> set[Place]:
        return {(patient.vdu_id, patient.slot) for patient in patients_of(ctx)}

    def is_complete(self, ctx: Context, found: set[Place]) -> bool:
        """A member that an earlier operation could not make may have come by the way, or not."""
        return self.wanted(ctx) <= found
