"""The step that reverts VNFCs to a snapshot: Nova rebuilds their servers from its images."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from vnfm.clouds.errors import Conflict, Failed
from vnfm.clouds.types import Server
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.services.snapshots import snapshot_booted
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.servers import is_busy, servers_by_id

PATIENCE = 30.0
"""Seconds within which Nova must take the request of a rebuild, and show it as begun."""
AT_REST = ("ACTIVE", "SHUTOFF")


class RebuildFromSnapshot(Step):
    """Rebuild each server once; ids, ports and addresses stay. One that was SHUTOFF is stopped again by Nova.

    The receipt has the servers that were asked for, each from its request on. After a crash between the two, the
    changed image shows that Nova took the request; a server that had this image before is rebuilt once more.
    """

    kind = "rebuild_from_snapshot@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"asked": {}}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        wanted: Mapping[str, Mapping[str, Any]] = {vnfc["serverId"]: vnfc for vnfc in ctx.params["vnfcs"]}
        servers, asked = servers_by_id(ctx.cloud, wanted), dict(receipt["asked"])
        for i in wanted:
            if i in servers and i not in asked and _is_accepted(servers[i], wanted[i]):
                self._note(ctx, wanted[i], asked)
        failed = [i for i in wanted if i not in servers or (i in asked and self._has_failed(ctx, servers[i], asked[i]))]
        if failed:
            return Blocked(_not_rebuilt({i: wanted[i]["label"] for i in failed}, servers))
        pending = [i for i in wanted if i not in asked or not _is_rebuilt(servers[i], wanted[i]["imageId"])]
        if not pending:
            return Done(f"{', '.join(vnfc['label'] for vnfc in wanted.values())} rebuilt")
        for i in pending:
            if i not in asked and not is_busy(servers[i]) and _rebuild(ctx, wanted[i]):
                self._note(ctx, wanted[i], asked)
        states = ", ".join(f"{wanted[i]['label']} {servers[i].task_state or servers[i].status}" for i in pending)
        return Waiting(f"Nova: {states}", {"asked": asked})

    @staticmethod
    def _note(ctx: Context, vnfc: Mapping[str, Any], asked: dict[str, float]) -> None:
        """Store at once that its rebuild was requested: another one would wipe the disk again, and the image must stay,
        however the operation ends.
        """
        slots = {(vnfc["vduId"], vnfc["slot"]): vnfc["serverId"]}
        snapshot_booted(snapshot_id=UUID(ctx.params["snapshotId"]), slots=slots)
        asked[vnfc["serverId"]] = ctx.elapsed
        ctx.report(f"Nova: the rebuild of {vnfc['label']} is requested", {"asked": asked})

    def _has_failed(self, ctx: Context, server: Server, asked_at: float) -> bool:
        if is_busy(server):
            return False
        image = next(vnfc["imageId"] for vnfc in ctx.params["vnfcs"] if vnfc["serverId"] == server.id)
        return server.status == "ERROR" or (server.image != image and ctx.elapsed - asked_at > PATIENCE)

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Those that run from the image are not rebuilt again."""
        wanted = {vnfc["serverId"]: vnfc["imageId"] for vnfc in ctx.params["vnfcs"]}
        servers = servers_by_id(ctx.cloud, wanted)
        good = [i for i in receipt["asked"] if i in servers and _is_rebuilt(servers[i], wanted[i])]
        return {"asked": dict.fromkeys(good, 0.0)}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("an overwritten disk cannot be put back: states.operation_actions refuses it")


def _rebuild(ctx: Context, vnfc: Mapping[str, Any]) -> bool:
    """True if Nova has taken the request; a server that is busy by now takes it later, and one that is locked never."""
    try:
        ctx.cloud.servers.rebuild(vnfc["serverId"], vnfc["imageId"])
    except Conflict:
        if ctx.elapsed > PATIENCE:
            raise
        return False
    return True


def _is_accepted(server: Server, vnfc: Mapping[str, Any]) -> bool:
    """True if Nova took a request without our record of it: its image has changed since. In ERROR it needs another."""
    return server.status != "ERROR" and server.image == vnfc["imageId"] != vnfc.get("imageBefore", vnfc["imageId"])


def _is_rebuilt(server: Server, image_id: str) -> bool:
    return server.image == image_id and server.status in AT_REST and not is_busy(server)


def _not_rebuilt(labels: Mapping[str, str], servers: Mapping[str, Server]) -> Problem:
    states = [f"{label} is {servers[i].status if i in servers else 'gone'}" for i, label in labels.items()]
    causes = [Cause("nova", f"{labels[i]}: {s.fault.message}") for i in labels if (s := servers.get(i)) and s.fault]
    return Problem(
        Failed.status,
        "NOT_REVERTED",
        "A VNFC could not be reverted",
        f"{', '.join(states)}.",
        "See Nova's words. Retry rebuilds what is not rebuilt yet; or mark it failed, and heal the VNFC.",
        tuple(causes),
    )
