"""The first half of a heal: each VNFC goes through its allowed actions, and keeps its server, UUID and ports if it can.

The steps of the second half, for VNFCs that need a new server, are `ReplacementStep`s.
"""

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress

from vnfm.clouds.errors import CloudError, Conflict, Denied, Failed, NotFound, QuotaExceeded, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.healing import (
    ACTION_NAMES,
    HealProgress,
    HealTarget,
    ServerState,
    evaluate,
    next_action,
    start,
)
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.power import restore_power
from vnfm.lcm.steps.servers import HostStates, server_state, servers_by_id

REFUSALS = (Conflict, Denied, Rejected, QuotaExceeded)
"""Nova's errors by which it refuses an action for this server."""
NOT_NEEDED = {"notNeeded": True, "untouched": True}


class HealInPlace(Step):
    """Try on each target what its VNFD allows, gentlest first, until it is ACTIVE or only a new server remains.

    The receipt has the current action of each target, so that a crash continues there. A crash between a request and
    its receipt at worst repeats the request, which leads to the same server in the same state.
    """

    kind = "heal_in_place@1"

    def submit(self, ctx: Context) -> Receipt:
        targets = [HealTarget.from_json(data) for data in ctx.params["targets"]]
        servers = servers_by_id(ctx.cloud, [target.server_id for target in targets])
        return {
            "progress": {t.id: start(t, server_exists=t.server_id in servers).as_json() for t in targets},
            "names": {target.server_id: target.label for target in targets},
            "before": {server_id: server.status for server_id, server in servers.items()},
        }

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not ctx.params["targets"]:
            return Done(ctx.params["healthy"])
        before = {vnfc_id: HealProgress.from_json(data) for vnfc_id, data in receipt["progress"].items()}
        round_ = _Round(ctx, before)
        round_.run()
        changed = round_.progress != before
        if round_.error is not None and not changed:
            raise round_.error
        if changed or round_.pending:
            progress = {vnfc_id: one.as_json() for vnfc_id, one in round_.progress.items()}
            return Waiting(round_.summary(), {**receipt, "progress": progress})
        if any(one.result == "failed" for one in before.values()):
            return Blocked(_not_healed(round_.targets, before))
        return Done(round_.summary())

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Begin at the first action again, except for targets that recovered."""
        progress = {
            vnfc_id: one if one["result"] == "recovered" else HealProgress().as_json()
            for vnfc_id, one in receipt["progress"].items()
        }
        return {**receipt, "progress": progress}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Servers kept their ids and ports, and restarted ones run on; those whose desired state is STOPPED stop."""
        targets = map(HealTarget.from_json, ctx.params["targets"])
        to_stop = {target.server_id for target in targets if target.stop_after}
        before = {server_id: status for server_id, status in receipt["before"].items() if server_id in to_stop}
        return restore_power(ctx, {**receipt, "before": before, "names": {i: receipt["names"][i] for i in before}})


def heal_targets(ctx: Context) -> list[HealTarget]:
    """All targets of this heal."""
    step = ctx.op.steps.get(kind=HealInPlace.kind)
    return [HealTarget.from_json(data) for data in step.params["targets"]]


def heal_progress(ctx: Context) -> dict[str, HealProgress]:
    """The progress of each target, by VNFC id."""
    step = ctx.op.steps.get(kind=HealInPlace.kind)
    return {i: HealProgress.from_json(data) for i, data in (step.receipt or {"progress": {}})["progress"].items()}


def not_recovered(ctx: Context) -> list[HealTarget]:
    """The targets that no action helped: they get a new server."""
    progress = heal_progress(ctx)
    return [target for target in heal_targets(ctx) if target.id in progress and progress[target.id].result == "replace"]


class ReplacementStep(Step):
    """A step of replacing servers: it has nothing to do when every target recovered with its own server."""

    def find(self, ctx: Context) -> Receipt | None:
        return None if not_recovered(ctx) else NOT_NEEDED

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Not needed") if receipt.get("notNeeded") else self.observe_replacement(ctx, receipt)

    @abstractmethod
    def observe_replacement(self, ctx: Context, receipt: Receipt) -> Outcome: ...

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return receipt if receipt.get("notNeeded") else self.retry_replacement(ctx, receipt)

    def retry_replacement(self, ctx: Context, receipt: Receipt) -> Receipt:
        return receipt

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Nothing had been changed") if receipt.get("untouched") else self.undo_replacement(ctx, receipt)

    def undo_replacement(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a deleted server cannot be put back: states.operation_actions refuses it")


class _Round:
    """One query of all targets, and at most one request for each."""

    def __init__(self, ctx: Context, progress: Mapping[str, HealProgress]) -> None:
        self.targets = [HealTarget.from_json(data) for data in ctx.params["targets"]]
        self.progress = dict(progress)
        self.error: CloudError | None = None
        """A transient error that ended the round early; what was done before it must be stored."""
        self._cloud = ctx.cloud
        self._elapsed = ctx.elapsed

    @property
    def pending(self) -> bool:
        return any(not one.result for one in self.progress.values())

    def run(self) -> None:
        pending = [target for target in self.targets if not self.progress[target.id].result]
        try:
            hosts = HostStates(self._cloud)
            servers = servers_by_id(self._cloud, [target.server_id for target in pending])
            for target in pending:
                server = server_state(servers.get(target.server_id), hosts)
                self.progress[target.id] = self._heal(target, self.progress[target.id], server)
        except CloudError as error:
            self.error = error

    def _heal(self, target: HealTarget, progress: HealProgress, server: ServerState) -> HealProgress:
        progress, move = evaluate(target, progress, server, self._elapsed)
        if progress.result or move == "wait":
            return progress
        if move == "start":
            with suppress(Conflict, NotFound):  # starting already, or deleted: the next query shows it
                self._cloud.servers.start(target.server_id)
            return progress
        while not progress.result:
            if move == "next":
                progress = next_action(target, progress, server, self._elapsed)
            refusal = _request(self._cloud, target, progress, server)
            if not refusal:
                break
            progress, move = progress.action_failed(refusal), "next"
        return progress

    def summary(self) -> str:
        return "; ".join(_summary(target, self.progress[target.id]) for target in self.targets)


def _request(cloud: Cloud, target: HealTarget, progress: HealProgress, server: ServerState) -> str:
    """Request the action from Nova; Nova's message when it refuses, else ""."""
    servers, server_id = cloud.servers, target.server_id
    try:
        match progress.action if not progress.result else "":
            case "start":
                servers.start(server_id)
            case "reboot":
                servers.reboot(server_id)
            case "rebuild":
                servers.rebuild(server_id, server.image)
            case "evacuate":
                # Nova does not show whether instances are on shared storage; a local disk is rebuilt from the image.
                servers.evacuate(server_id, on_shared_storage=False)
    except NotFound:
        return ""  # the next query finds it missing
    except REFUSALS as error:
        return f"Nova refuses: {error.message}"
    return ""


def _summary(target: HealTarget, progress: HealProgress) -> str:
    if progress.result == "replace":
        return f"{target.label}: to be replaced ({'; '.join(progress.tried) or 'as requested'})"
    if progress.result:
        return f"{target.label}: {'; '.join(progress.tried)}"
    return f"{target.label}: {ACTION_NAMES[progress.action] if progress.action else 'reading its state'}"


def _not_healed(targets: list[HealTarget], progress: Mapping[str, HealProgress]) -> Problem:
    failed = [target for target in targets if progress[target.id].result == "failed"]
    sentences = [
        f"{target.label} could not be healed by {', '.join(ACTION_NAMES[action] for action in target.escalation)}"
        for target in failed
    ]
    return Problem(
        Failed.status,
        "NOT_HEALED",
        "A VNFC could not be healed",
        "; ".join(sentences) + ".",
        "See the outcome of each. Retry; or roll back, and heal by another method, or have the package allow more.",
        tuple(Cause("nova", f"{target.label}: {text}") for target in failed for text in progress[target.id].tried),
    )
