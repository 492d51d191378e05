"""Steps that bring an instance back to what was recorded of it: its stack, and its servers' ports, flavors and names.

Servers that are gone, broken, stopped or started are the business of healing; what is here follows it.
"""

from contextlib import suppress

from vnfm.clouds.errors import Conflict, Failed, NotFound, Rejected
from vnfm.clouds.types import Server
from vnfm.inventory.domain.drift import Difference, drift
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, StepSpec, Waiting
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.lcm.sagas.resources import PATIENCE
from vnfm.lcm.selectors.instance_status import instance_status

PUT_BACK = "What others had put into the stack, and this takes out again, cannot be put back."
AT_REST = ("ACTIVE", "SHUTOFF")
"""Nova resizes from these, and comes back to them."""


def repair_steps(instance: VnfInstance) -> list[StepSpec]:
    """What mends the differences that healing does not: first what Heat does, then what is done to each server.

    A step whose server has been made anew meanwhile finds that there is nothing left to do.
    """
    found = [item for item in drift(instance_status(instance_id=instance.id).view) if item.repair]
    steps = []
    ports = [port for item in found if item.kind == "port_removed" for port in item.resources]
    if ports:
        steps.append(StepSpec("renew_ports@1", "Have Heat renew the lost ports", {"portIds": ports}))
    foreign = any(not item.vnfc_id for item in found)
    if ports or foreign:
        title = "Give Heat again what it was last given by us"
        steps.append(StepSpec("update_stack@1", title, one_way=PUT_BACK if foreign else ""))
    steps += [_resize(item) for item in found if item.kind == "resized"]
    steps += [_rename(item) for item in found if item.kind == "renamed"]
    return steps


def _resize(item: Difference) -> StepSpec:
    server_id, wanted, found = item.resources
    params = {"serverId": server_id, "flavor": wanted, "found": found, "label": item.expected}
    return StepSpec("resize_server@1", f"Resize {item.subject} back to {item.expected}", params)


def _rename(item: Difference) -> StepSpec:
    (server_id,) = item.resources
    params = {"serverId": server_id, "name": item.expected, "found": item.found}
    return StepSpec("rename_server@1", f"Call {item.found} {item.expected} again", params)


@step_kind
class RenameServer(Step):
    """Give a server its recorded name back."""

    kind = "rename_server@1"

    def submit(self, ctx: Context) -> Receipt:
        _call(ctx, ctx.params["name"])
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done(f"It is called {ctx.params['name']}")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        _call(ctx, ctx.params["found"])
        return Done(f"It is called {ctx.params['found']} as before")


def _call(ctx: Context, name: str) -> None:
    """Nova takes a name at once; a server that is gone has been made anew, and was given its name then."""
    try:
        ctx.cloud.servers.rename(ctx.params["serverId"], name)
    except NotFound:
        return


@step_kind
class ResizeServer(Step):
    """Give a server its recorded flavor back; it restarts on the way. A resize that nobody confirmed is confirmed."""

    kind = "resize_server@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"asked": False}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return _towards(ctx, ctx.params["flavor"], receipt)

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {"asked": False}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        outcome = _towards(ctx, ctx.params["found"], receipt.get(UNDO, {"asked": False}))
        if isinstance(outcome, Waiting) and outcome.receipt is not None:
            return Waiting(outcome.message, {**receipt, UNDO: outcome.receipt})
        return outcome


def _towards(ctx: Context, flavor_id: str, receipt: Receipt) -> Outcome:
    """The next of: ask for the resize, wait for it, confirm it; whatever was done so far, by whomever."""
    server_id = ctx.params["serverId"]
    try:
        server = ctx.cloud.servers.show(server_id)
    except NotFound:
        return Done("The server is gone: it has been made anew")
    if server.status == "VERIFY_RESIZE":
        with suppress(Conflict, Rejected):  # Nova's ways to say that it was confirmed already, and is at it
            ctx.cloud.servers.confirm_resize(server_id)
        return Waiting("Nova VERIFY_RESIZE: confirmed")
    if server.status == "ERROR":
        return Blocked(_not_resized(server.name, server.fault.message if server.fault else "ERROR"))
    if server.status not in AT_REST or server.task_state:
        return Waiting(f"Nova {server.status}")
    return _ask(ctx, server, flavor_id, receipt)


def _ask(ctx: Context, server: Server, flavor_id: str, receipt: Receipt) -> Outcome:
    if server.flavor == flavor_id:
        return Done(f"Nova {server.status} with {ctx.params['label']}")
    if not receipt["asked"]:
        ctx.cloud.servers.resize(server.id, flavor_id)
        return Waiting("Nova was asked to resize", {"asked": True})
    if ctx.elapsed < PATIENCE:
        return Waiting("Nova has accepted the resize and not begun it")
    return Blocked(_not_resized(server.name, server.fault.message if server.fault else "no reason given"))


def _not_resized(name: str, words: str) -> Problem:
    return Problem(
        Failed.status,
        "NOT_RESIZED",
        "A server could not be resized",
        f"Nova did not resize {name}. It cannot give a server a smaller disk, for instance, and then does not say so.",
        "See Nova's words. Retry when it is mended, roll back and accept the flavor it has, or have it made anew.",
        (Cause("nova", words),),
    )


@step_kind
class RenewPorts(Step):
    """Tell Heat that ports are gone: its next update makes them anew and plugs them into the servers that run."""

    kind = "renew_ports@1"

    def submit(self, ctx: Context) -> Receipt:
        stack_id = ctx.instance.stack_id
        for resource in ctx.cloud.stacks.resources(stack_id):
            if resource.physical_id in ctx.params["portIds"]:
                ctx.cloud.stacks.mark_unhealthy(stack_id, resource.path, resource.name, "The port is gone.")
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Heat knows that the ports are gone")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Ports that were gone stay gone, or new")
