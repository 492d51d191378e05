"""Steps that start and stop servers, and wait for all of them together."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from vnfm.clouds.errors import Conflict, Failed, NotFound
from vnfm.clouds.types import Server
from vnfm.inventory.domain.observation import MISSING
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.power import SET_POWER, STATUS, Turn, turn
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.domain.target import Power
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.lcm.sagas.servers import is_busy, servers_seen

PATIENCE = 30.0
"""Seconds within which a server that Nova was asked to start or stop must be seen on its way."""

Names = Mapping[str, str]
"""Server id to the name that people know it by."""


@step_kind
class SetPower(Step):
    """Bring servers to the wanted power, those that are not there yet (SOL003 5.4.10).

    Graceful and forceful are the same request to Nova. Liberty's `os-stop` knows no force: Nova asks the guest by ACPI
    to shut down and pulls the plug only when its own `shutdown_timeout` (60 s, or the image's `os_shutdown_timeout`) is
    over. So a forceful stop waits for that, however long it takes, and has a person look at a server that does not
    even begin. A graceful one is patient until the request's timeout, and a forceful one from then on (SOL003
    5.5.2.10): servers that still run and that Nova is at nothing with are asked for again.

    The receipt holds what stood before anything was asked of Nova: that is what an undo puts back.
    """

    kind = SET_POWER

    def names(self, ctx: Context) -> Names:
        return {vnfc["serverId"]: vnfc["label"] for vnfc in ctx.params["vnfcs"]}

    def submit(self, ctx: Context) -> Receipt:
        names = self.names(ctx)
        seen = servers_seen(ctx.cloud, names)
        return {"names": dict(names), "before": {i: seen[i].status if i in seen else MISSING for i in names}}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        wanted: Power = ctx.params["wanted"]
        return bring(ctx, receipt, dict.fromkeys(receipt["names"], wanted), ctx.params.get("timeout"))

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {**receipt, "asked": {}}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return put_back(ctx, receipt)


def put_back(ctx: Context, receipt: Receipt) -> Outcome:
    """Start and stop again what stood otherwise before; what has gone meanwhile, or broken, is left to a heal."""
    powers = {status: power for power, status in STATUS.items()}
    seen = servers_seen(ctx.cloud, receipt["names"])
    before = {i: powers[status] for i, status in receipt["before"].items() if status in powers and i in seen}
    wanted = {i: power for i, power in before.items() if _turn(seen.get(i), power) != "unfit"}
    asked = receipt.get(UNDO, {"asked": {}})
    outcome = bring(ctx, {**receipt, **asked}, wanted)
    if isinstance(outcome, Waiting) and outcome.receipt is not None:
        return Waiting(outcome.message, {**receipt, UNDO: {"asked": outcome.receipt["asked"]}})
    return Done("As before") if isinstance(outcome, Done) else outcome


def bring(ctx: Context, receipt: Receipt, wanted: Mapping[str, Power], timeout: float | None = None) -> Outcome:
    """One look at all servers. Each is asked for once, and none before all were found fit for it.

    Where there is a `timeout`, in seconds, nobody is stuck before, and what was asked for counts as new after it.
    """
    seen, names = servers_seen(ctx.cloud, wanted), receipt["names"]
    turns = {i: _turn(seen.get(i), power) for i, power in wanted.items()}
    if unfit := [i for i in wanted if turns[i] == "unfit"]:
        return Blocked(not_fit(unfit, names, seen))
    pending = [i for i in wanted if turns[i] != "as wanted"]
    if not pending:
        return Done(_summary(receipt, wanted))
    patient = timeout if timeout is not None else 0.0
    late = ctx.elapsed > patient
    asked = {i: at for i, at in receipt.get("asked", {}).items() if not late or at >= patient}
    stuck = [i for i in pending if turns[i] == "to be asked" and ctx.elapsed - asked.get(i, ctx.elapsed) > PATIENCE]
    if stuck and late:
        return Blocked(_overdue(ctx, stuck, names, seen))
    for i in pending:
        if turns[i] == "to be asked" and i not in asked:
            _ask(ctx, i, wanted[i])
            asked[i] = ctx.elapsed
    words = ", ".join(f"{names[i]} {seen[i].task_state or seen[i].status}" for i in pending)
    return Waiting(f"Nova: {words}", {**receipt, "asked": asked})


def _turn(server: Server | None, power: Power) -> Turn:
    return "unfit" if server is None else turn(server.status, power, busy=is_busy(server))


def _ask(ctx: Context, server_id: str, power: Power) -> None:
    with suppress(Conflict, NotFound):  # it is moving already, or gone: the next look tells
        if power == "STARTED":
            ctx.cloud.servers.start(server_id)
        else:
            ctx.cloud.servers.stop(server_id)


def _summary(receipt: Receipt, wanted: Mapping[str, Power]) -> str:
    moved = [receipt["names"][i] for i, power in wanted.items() if receipt["before"][i] != STATUS[power]]
    verb = "stopped" if "STOPPED" in wanted.values() else "started"
    return f"{', '.join(moved)} {verb}" if moved else "All were as wanted already"


def not_fit(ids: Sequence[str], names: Names, seen: Mapping[str, Server]) -> Problem:
    """Servers that neither run nor are shut off: starting and stopping is not what helps them."""
    words = [f"{names[i]} is {seen[i].status if i in seen else MISSING}" for i in ids]
    causes = [Cause("nova", f"{names[i]}: {s.fault.message}") for i in ids if (s := seen.get(i)) and s.fault]
    return Problem(
        409,
        "NEEDS_HEALING",
        "A VNFC has to be healed first",
        f"{', '.join(words)}, and can be neither started nor stopped.",
        "Heal it, then ask again; roll this operation back before, if it has begun.",
        tuple(causes),
    )


def _overdue(ctx: Context, ids: Sequence[str], names: Names, seen: Mapping[str, Server]) -> Problem:
    words = ", ".join(f"{names[i]} is {seen[i].status}" for i in ids)
    return Problem(
        Failed.status,
        "POWER_NOT_REACHED",
        "A VNFC is not as wanted in time",
        f"Nova was asked, and {ctx.elapsed:.0f} s later {words}.",
        "Retry asks and waits again; or roll back.",
        tuple(Cause("nova", f"{names[i]}: {seen[i].task_state or seen[i].status}") for i in ids),
    )
