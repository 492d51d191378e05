"""Steps around a check of the stack, which would take stopped siblings for dead: they run for it, and stop again."""

from vnfm.inventory.domain.observation import MISSING
from vnfm.lcm.domain.healing import SHUTOFF
from vnfm.lcm.domain.naming import label
from vnfm.lcm.domain.steps import Done, Outcome, Receipt
from vnfm.lcm.sagas.base import Context, step_kind
from vnfm.lcm.sagas.power import Names, SetPower, bring, put_back
from vnfm.lcm.sagas.revive import OnlyForLeft, left, patients_of
from vnfm.lcm.sagas.servers import servers_seen

START = "start_siblings@1"


@step_kind
class StartSiblings(OnlyForLeft):
    """Have every VNFC run that is not to be made anew; stops before anything is deleted when one cannot."""

    kind = START

    def submit(self, ctx: Context) -> Receipt:
        replaced = {patient.id for patient in left(ctx)}
        rows = [row for row in ctx.instance.vnfcs.all() if str(row.id) not in replaced]
        seen = servers_seen(ctx.cloud, [row.server_id for row in rows])
        before = {row.server_id: seen[row.server_id].status if row.server_id in seen else MISSING for row in rows}
        return {"names": {row.server_id: label(row) for row in rows}, "before": before}

    def go_on(self, ctx: Context, receipt: Receipt) -> Outcome:
        return bring(ctx, receipt, dict.fromkeys(receipt["names"], "STARTED"))

    def anew(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {**receipt, "asked": {}}

    def take_back(self, ctx: Context, receipt: Receipt) -> Outcome:
        return put_back(ctx, receipt)


@step_kind
class StopAgain(SetPower):
    """Stop what ran only for the heal: siblings that were stopped before, and patients that are wanted stopped."""

    kind = "stop_again@1"

    def names(self, ctx: Context) -> Names:
        started = ctx.op.steps.filter(kind=START).values_list("receipt", flat=True).first() or {}
        resting = {i for i, status in started.get("before", {}).items() if status == SHUTOFF}
        wanted = {patient.id for patient in patients_of(ctx) if patient.stopped}
        rows = [row for row in ctx.instance.vnfcs.all() if row.server_id in resting or str(row.id) in wanted]
        return {row.server_id: label(row) for row in rows}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not receipt["names"]:
            return Done("Nothing was started only for this")
        return super().observe(ctx, receipt)
