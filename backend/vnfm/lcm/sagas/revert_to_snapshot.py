"""RevertToVnfSnapshot (SOL003 5.4.22): Nova rebuilds each server from its image; what stays is named beforehand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vnfm.clouds.types import Server
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.plan import PlannedResource
from vnfm.lcm.domain.snapshot_state import SnapshotState
from vnfm.lcm.domain.snapshots import NOT_REVERTED, STAYS, Reverted, differences, reverted
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.selectors.snapshots import state_now
from vnfm.lcm.steps.servers import is_busy, servers_by_id
from vnfm.lcm.steps.snapshot_revert import AT_REST, RebuildFromSnapshot

STATUSES = (*AT_REST, "ERROR")
"""Nova rebuilds a server in one of these statuses."""
ONE_WAY = "A disk that was overwritten cannot be put back."


def plan(planning: Planning) -> Planned:
    snapshot = planning.validated(SnapshotState)
    assert snapshot.taken_at is not None, "an empty one is refused"
    images = {image.id for image in planning.cloud.images.list() if image.status == "active"}
    servers = servers_by_id(planning.cloud, [vnfc.server_id for vnfc in planning.vnfcs])
    outcomes = reverted(snapshot, planning.vnfcs, images, servers)
    targets = [one for one in outcomes if one.action == "rebuild"]
    if not targets:
        words = "; ".join(f"{one.label} {one.detail}" for one in outcomes)
        raise conflict("NOTHING_TO_REVERT", f"No VNFC can be reverted: {words}.", "Name another snapshot.")
    _require_fit(targets, servers)
    fresh: dict[str, list[str]] = {}
    for one in targets:
        fresh.setdefault(one.vdu_id, []).append(one.slot)
    warnings = (
        NOT_REVERTED.format(at=f"{snapshot.taken_at:%Y-%m-%d %H:%M:%S}"),
        STAYS,
        *differences(snapshot, state_now(planning.instance, snapshot.id)),
    )
    unchanged = unchanged_plan(planning.instance, [_resource(one, planning) for one in outcomes])
    params = {"snapshotId": str(snapshot.id), "vnfcs": [_params(one, servers[one.server_id].image) for one in targets]}
    return Planned(
        replace(unchanged, rebuilt=fresh, touched=fresh, warnings=warnings),
        [RebuildFromSnapshot.spec("Rebuild the servers from their images", params, one_way=ONE_WAY)],
    )


def _require_fit(targets: Sequence[Reverted], servers: Mapping[str, Server]) -> None:
    """Raise 409 where Nova rebuilds no server in its state."""
    unfit = [f"{one.label} is {state}" for one in targets if (state := _unfit(servers[one.server_id]))]
    if unfit:
        next_step = "Unpause, resume, or confirm the resize; wait for what is busy; then revert."
        raise conflict("NOT_REVERTIBLE", f"Nova rebuilds no server now: {', '.join(unfit)}.", next_step)


def _unfit(server: Server) -> str:
    """Its state where Nova refuses to rebuild it, else ""."""
    fit = server.status in STATUSES and not is_busy(server)
    return "" if fit else f"{server.status} {server.task_state}".strip()


def _params(one: Reverted, image_before: str) -> dict[str, str]:
    return {
        "vduId": one.vdu_id,
        "slot": one.slot,
        "label": f"{one.label} ({one.vdu_id}/{one.slot})",
        "serverId": one.server_id,
        "imageId": one.image_id,
        "imageBefore": image_before,
    }


def _resource(one: Reverted, planning: Planning) -> PlannedResource:
    vdu = next((vdu.name for vdu in planning.vnfd.vdus if vdu.id == one.vdu_id), one.vdu_id)
    return PlannedResource.of_vnfc("update" if one.action == "rebuild" else "keep", vdu, one.slot, one.detail)
