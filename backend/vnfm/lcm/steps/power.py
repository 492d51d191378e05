"""Steps that start and stop servers, and wait for all of them together."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from vnfm.clouds.errors import Conflict, Failed, NotFound
from vnfm.clouds.types import Server
from vnfm.inventory.domain.observation import MISSING
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.power import NOVA_STATUS, PowerAction, power_action
from vnfm.lcm.domain.requests import Power
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.servers import is_busy, servers_by_id

PATIENCE = 30.0
"""Seconds within which Nova must show a server's start or stop as begun."""

ServerNames = Mapping[str, str]
"""Server id → the VNFC's name for people."""


class SetPower(Step):
    """Start or stop the servers that are not in the target power state yet (SOL003 5.4.10).

    Graceful and forceful are the same request to Nova. Liberty's `os-stop` has no force: Nova asks the guest by ACPI
    to shut down and powers off only when its own `shutdown_timeout` (60 s, or the image's `os_shutdown_timeout`) is
    over. So a forceful stop waits for that, however long it takes, and blocks when a server does not begin to stop.
    A graceful stop waits until the request's timeout, and is a forceful one from then on (SOL003 5.5.2.10): servers
    that still run without a task in Nova get another request.

    The receipt has the statuses from before the first request: an undo restores those.
    """

    kind = "set_power@1"

    def names(self, ctx: Context) -> ServerNames:
        return {vnfc["serverId"]: vnfc["label"] for vnfc in ctx.params["vnfcs"]}

    def submit(self, ctx: Context) -> Receipt:
        names = self.names(ctx)
        servers = servers_by_id(ctx.cloud, names)
        return {"names": dict(names), "before": {i: servers[i].status if i in servers else MISSING for i in names}}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        target: Power = ctx.params["target"]
        return reach_power(ctx, receipt, dict.fromkeys(receipt["names"], target), ctx.params.get("timeout"))

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {**receipt, "asked": {}}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return restore_power(ctx, receipt)


def restore_power(ctx: Context, receipt: Receipt) -> Outcome:
    """Start or stop servers that were in another power state before; a missing or failed one is left to a heal."""
    powers = {status: power for power, status in NOVA_STATUS.items()}
    servers = servers_by_id(ctx.cloud, receipt["names"])
    before = {i: powers[status] for i, status in receipt["before"].items() if status in powers and i in servers}
    targets = {i: power for i, power in before.items() if _action(servers.get(i), power) != "impossible"}
    requested = receipt.get(UNDO, {"asked": {}})
    outcome = reach_power(ctx, {**receipt, **requested}, targets)
    if isinstance(outcome, Waiting) and outcome.receipt is not None:
        return Waiting(outcome.message, {**receipt, UNDO: {"asked": outcome.receipt["asked"]}})
    return Done("As before") if isinstance(outcome, Done) else outcome


def reach_power(ctx: Context, receipt: Receipt, targets: Mapping[str, Power], timeout: float | None = None) -> Outcome:
    """One query of all servers. Each gets one request, and none before all were found able to change.

    With a `timeout`, in seconds, no server counts as stuck before it, and a request is repeated after it.
    """
    servers, names = servers_by_id(ctx.cloud, targets), receipt["names"]
    actions = {i: _action(servers.get(i), power) for i, power in targets.items()}
    if impossible := [i for i in targets if actions[i] == "impossible"]:
        return Blocked(needs_healing(impossible, names, servers))
    pending = [i for i in targets if actions[i] != "reached"]
    if not pending:
        return Done(_summary(receipt, targets))
    grace = timeout if timeout is not None else 0.0
    late = ctx.elapsed > grace
    requested = {i: at for i, at in receipt.get("asked", {}).items() if not late or at >= grace}
    stuck = [i for i in pending if actions[i] == "request" and ctx.elapsed - requested.get(i, ctx.elapsed) > PATIENCE]
    if stuck and late:
        return Blocked(_overdue(ctx, stuck, names, servers))
    for i in pending:
        if actions[i] == "request" and i not in requested:
            _request(ctx, i, targets[i])
            requested[i] = ctx.elapsed
    states = ", ".join(f"{names[i]} {servers[i].task_state or servers[i].status}" for i in pending)
    return Waiting(f"Nova: {states}", {**receipt, "asked": requested})


def _action(server: Server | None, power: Power) -> PowerAction:
    return "impossible" if server is None else power_action(server.status, power, busy=is_busy(server))


def _request(ctx: Context, server_id: str, power: Power) -> None:
    with suppress(Conflict, NotFound):  # changing already, or deleted: the next query shows it
        if power == "STARTED":
            ctx.cloud.servers.start(server_id)
        else:
            ctx.cloud.servers.stop(server_id)


def _summary(receipt: Receipt, targets: Mapping[str, Power]) -> str:
    moved = [receipt["names"][i] for i, power in targets.items() if receipt["before"][i] != NOVA_STATUS[power]]
    verb = "stopped" if "STOPPED" in targets.values() else "started"
    return f"{', '.join(moved)} {verb}" if moved else "All were in the requested state already"


def needs_healing(ids: Sequence[str], names: ServerNames, servers: Mapping[str, Server]) -> Problem:
    """The problem for servers that are neither ACTIVE nor SHUTOFF, and so can be neither started nor stopped."""
    states = [f"{names[i]} is {servers[i].status if i in servers else MISSING}" for i in ids]
    causes = [Cause("nova", f"{names[i]}: {s.fault.message}") for i in ids if (s := servers.get(i)) and s.fault]
    return Problem(
        409,
        "NEEDS_HEALING",
        "A VNFC has to be healed first",
        f"{', '.join(states)}, and can be neither started nor stopped.",
        "Heal it, then ask again; roll this operation back before, if it has begun.",
        tuple(causes),
    )


def _overdue(ctx: Context, ids: Sequence[str], names: ServerNames, servers: Mapping[str, Server]) -> Problem:
    states = ", ".join(f"{names[i]} is {servers[i].status}" for i in ids)
    return Problem(
        Failed.status,
        "POWER_NOT_REACHED",
        "A VNFC is not as wanted in time",
        f"Nova was asked, and {ctx.elapsed:.0f} s later {states}.",
        "Retry asks and waits again; or roll back.",
        tuple(Cause("nova", f"{names[i]}: {servers[i].task_state or servers[i].status}") for i in ids),
    )


class StopServers(Step):
    """Ask all servers to shut down before their stack goes, and wait for them together (SOL003 5.5.2.8)."""

    kind = "stop_servers@1"

    def submit(self, ctx: Context) -> Receipt:
        for server_id, server in servers_by_id(ctx.cloud, ctx.params["serverIds"]).items():
            if server.status == "ACTIVE":
                with suppress(Conflict, NotFound):  # it is stopping or going already
                    ctx.cloud.servers.stop(server_id)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        servers = servers_by_id(ctx.cloud, ctx.params["serverIds"])
        running = [server.name for server in servers.values() if server.status == "ACTIVE"]
        if not running:
            return Done("All servers are down")
        if ctx.elapsed > ctx.params["timeout"]:
            return Done(f"Going on after {ctx.params['timeout']} s although these still run: {', '.join(running)}")
        return Waiting(f"Nova ACTIVE: {', '.join(running)}")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a termination cannot be rolled back: states.operation_actions refuses it")
