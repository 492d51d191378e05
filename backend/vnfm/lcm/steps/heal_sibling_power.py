"""Steps around Heat's check of the stack, which takes stopped siblings for dead: they run during it, and stop again."""

from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.selectors import vnfcs_of
from vnfm.inventory.services import vnfcs_power_record
from vnfm.kit import clock
from vnfm.lcm.domain.healing import SHUTOFF
from vnfm.lcm.domain.steps import Done, Outcome, Receipt
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.heal_in_place import ReplacementStep, heal_targets, not_recovered
from vnfm.lcm.steps.power import ServerNames, SetPower, reach_power, restore_power
from vnfm.lcm.steps.servers import servers_by_id


class StartSiblings(ReplacementStep):
    """Start every VNFC that is not to be replaced; blocks before anything is deleted when one does not start."""

    kind = "start_siblings@1"

    def submit(self, ctx: Context) -> Receipt:
        replaced = {target.id for target in not_recovered(ctx)}
        rows = [row for row in vnfcs_of(instance_id=ctx.instance.id) if str(row.id) not in replaced]
        servers = servers_by_id(ctx.cloud, [row.server_id for row in rows])
        before = {row.server_id: servers[row.server_id].status if row.server_id in servers else MISSING for row in rows}
        return {"names": {row.server_id: label(row) for row in rows}, "before": before}

    def observe_replacement(self, ctx: Context, receipt: Receipt) -> Outcome:
        return reach_power(ctx, receipt, dict.fromkeys(receipt["names"], "STARTED"))

    def retry_replacement(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {**receipt, "asked": {}}

    def undo_replacement(self, ctx: Context, receipt: Receipt) -> Outcome:
        return restore_power(ctx, receipt)


class StopAfterHeal(SetPower):
    """Stop what ran only for the heal: siblings that were stopped before, and targets that are to be STOPPED.

    `RecordHealed` has recorded these as ACTIVE, so their new status is recorded here.
    """

    kind = "stop_after_heal@1"

    def names(self, ctx: Context) -> ServerNames:
        started = ctx.op.steps.filter(kind=StartSiblings.kind).values_list("receipt", flat=True).first() or {}
        stopped_before = {i for i, status in started.get("before", {}).items() if status == SHUTOFF}
        targets = {target.id for target in heal_targets(ctx) if target.stop_after}
        return {
            row.server_id: label(row)
            for row in vnfcs_of(instance_id=ctx.instance.id)
            if row.server_id in stopped_before or str(row.id) in targets
        }

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not receipt["names"]:
            return Done("Nothing was started only for this")
        outcome = super().observe(ctx, receipt)
        if isinstance(outcome, Done):
            rows = vnfcs_of(instance_id=ctx.instance.id)
            ids = [row.id for row in rows if row.server_id in receipt["names"]]
            vnfcs_power_record(instance=ctx.instance, vnfc_ids=ids, status=SHUTOFF, now=clock.now())
        return outcome
