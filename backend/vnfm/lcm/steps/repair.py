"""Steps that bring servers and ports back to their recorded state: rename, resize, renew ports."""

from contextlib import suppress

from vnfm.clouds.errors import Conflict, Failed, NotFound, Rejected
from vnfm.clouds.types import Server
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.record import PATIENCE

AT_REST = ("ACTIVE", "SHUTOFF")
"""Nova resizes from these statuses, and returns to them."""


class RenameServer(Step):
    """Rename a server to its recorded name."""

    kind = "rename_server@1"

    def submit(self, ctx: Context) -> Receipt:
        _rename(ctx, ctx.params["name"])
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done(f"Renamed to {ctx.params['name']}")

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        _rename(ctx, ctx.params["found"])
        return Done(f"Renamed back to {ctx.params['found']}")


def _rename(ctx: Context, name: str) -> None:
    """Nova renames at once; a missing server was replaced, and got its name then."""
    try:
        ctx.cloud.servers.rename(ctx.params["serverId"], name)
    except NotFound:
        return


class ResizeServer(Step):
    """Resize a server to its recorded flavor; it restarts. An unconfirmed resize is confirmed."""

    kind = "resize_server@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"asked": False}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return _resize(ctx, ctx.params["flavor"], receipt)

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {"asked": False}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        outcome = _resize(ctx, ctx.params["found"], receipt.get(UNDO, {"asked": False}))
        if isinstance(outcome, Waiting) and outcome.receipt is not None:
            return Waiting(outcome.message, {**receipt, UNDO: outcome.receipt})
        return outcome


def _resize(ctx: Context, flavor_id: str, receipt: Receipt) -> Outcome:
    """The next of: request the resize, wait for it, confirm it; from any state, also of another user's request."""
    server_id = ctx.params["serverId"]
    try:
        server = ctx.cloud.servers.show(server_id)
    except NotFound:
        return Done("The server is gone: it has been replaced")
    if server.status == "VERIFY_RESIZE":
        with suppress(Conflict, Rejected):  # Nova's ways to say that it was confirmed already, and is at it
            ctx.cloud.servers.confirm_resize(server_id)
        return Waiting("Nova VERIFY_RESIZE: confirmed")
    if server.status == "ERROR":
        return Blocked(_not_resized(server.name, server.fault.message if server.fault else "ERROR"))
    if server.status not in AT_REST or server.task_state:
        return Waiting(f"Nova {server.status}")
    return _request(ctx, server, flavor_id, receipt)


def _request(ctx: Context, server: Server, flavor_id: str, receipt: Receipt) -> Outcome:
    if server.flavor == flavor_id:
        return Done(f"Nova {server.status} with {ctx.params['label']}")
    if not receipt["asked"]:
        ctx.cloud.servers.resize(server.id, flavor_id)
        return Waiting("Resize requested from Nova", {"asked": True})
    if ctx.elapsed < PATIENCE:
        return Waiting("Nova has accepted the resize and not begun it")
    return Blocked(_not_resized(server.name, server.fault.message if server.fault else "no reason given"))


def _not_resized(name: str, words: str) -> Problem:
    return Problem(
        Failed.status,
        "NOT_RESIZED",
        "A server could not be resized",
        f"Nova did not resize {name}. It cannot give a server a smaller disk, for instance, and then does not say so.",
        "See Nova's words. Retry when it is fixed, roll back and accept the flavor it has, or have it replaced.",
        (Cause("nova", words),),
    )


class RenewPorts(Step):
    """Mark missing ports in Heat: its next update creates new ones and plugs them into the running servers."""

    kind = "renew_ports@1"

    def submit(self, ctx: Context) -> Receipt:
        stack_id = ctx.instance.stack_id
        for resource in ctx.cloud.stacks.resources(stack_id):
            if resource.physical_id in ctx.params["portIds"]:
                ctx.cloud.stacks.mark_unhealthy(stack_id, resource.path, resource.name, "The port is gone.")
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Heat knows that the ports are gone")

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Renewed ports stay")
