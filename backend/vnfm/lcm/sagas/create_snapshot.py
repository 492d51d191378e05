"""CreateVnfSnapshot (SOL003 5.4.21): an image of each VNFC and snapshots of attached volumes; nothing of it stops."""

from dataclasses import replace

from vnfm.clouds.types import Server
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.operation_request import VnfcState
from vnfm.lcm.domain.plan import PlannedResource
from vnfm.lcm.domain.snapshot_state import SnapshotState
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.steps.servers import is_busy, servers_by_id
from vnfm.lcm.steps.snapshot_content import RecordSnapshot, TakeImages, TakeVolumeSnapshots

STATUSES = ("ACTIVE", "SHUTOFF", "PAUSED", "SUSPENDED")
"""Nova makes an image of a server in one of these statuses."""
FROM_VOLUME = ("ACTIVE", "SHUTOFF")
"""The same for servers that boot from a volume."""
DISKS_ONLY = "Disks are saved. Memory, ports, addresses, networks, flavors and the scale level are not."
VOLUMES_STAY = (
    "A revert leaves volumes as they are: Cinder of Liberty reverts none. A volume can be made of each snapshot."
)
AS_IF_CUT = (
    "Each disk is taken as it is at its moment, as if its power were cut, and VNFCs are not taken at the same instant."
)
STOP_FIRST = "Stop the VNF before for a snapshot of disks at rest."


def plan(planning: Planning) -> Planned:
    snapshot, vnfcs = planning.validated(SnapshotState), planning.vnfcs
    servers = servers_by_id(planning.cloud, [vnfc.server_id for vnfc in vnfcs])
    _require_fit(vnfcs, servers)
    rows = [_params(vnfc, servers[vnfc.server_id]) for vnfc in vnfcs]
    params = {"snapshotId": str(snapshot.id), "vnfcs": rows}
    attached = any(row["volumes"] and not row["bootsFromVolume"] for row in rows)
    steps = [
        TakeImages.spec("Take an image of each VNFC", params),
        *([TakeVolumeSnapshots.spec("Take snapshots of attached volumes", params)] if attached else []),
        RecordSnapshot.spec("Record the snapshot", params),
    ]
    resources = [_resource(vnfc, servers[vnfc.server_id], planning) for vnfc in vnfcs]
    running = any(server.status == "ACTIVE" for server in servers.values())
    warnings = (
        DISKS_ONLY,
        *((VOLUMES_STAY,) if any(row["volumes"] for row in rows) else ()),
        *((AS_IF_CUT, STOP_FIRST) if running else ()),
    )
    return Planned(replace(unchanged_plan(planning.instance, resources), warnings=warnings), steps)


def _require_fit(vnfcs: tuple[VnfcState, ...], servers: dict[str, Server]) -> None:
    """Raise 409 where Nova makes no image of a server in its state."""
    unfit = [
        f"{label(vnfc)} is {_state(servers.get(vnfc.server_id))}"
        for vnfc in vnfcs
        if not _is_fit(servers.get(vnfc.server_id))
    ]
    if unfit:
        next_step = "Heal what has failed, wait for what is busy, then take the snapshot."
        raise conflict("NOT_SNAPSHOTTABLE", f"Nova makes no image now: {', '.join(unfit)}.", next_step)


def _is_fit(server: Server | None) -> bool:
    if server is None or is_busy(server):
        return False
    return server.status in (STATUSES if server.image else FROM_VOLUME)


def _state(server: Server | None) -> str:
    return "gone" if server is None else f"{server.status} {server.task_state}".strip()


def _params(vnfc: VnfcState, server: Server) -> dict[str, object]:
    return {
        "id": str(vnfc.id),
        "vduId": vnfc.vdu_id,
        "slot": vnfc.slot,
        "name": vnfc.name,
        "label": label(vnfc),
        "serverId": vnfc.server_id,
        "volumes": list(server.volumes),
        "bootsFromVolume": not server.image,
    }


def _resource(vnfc: VnfcState, server: Server, planning: Planning) -> PlannedResource:
    name = planning.vnfd.vdu(vnfc.vdu_id).name
    volumes = f"{len(server.volumes)} volume{'s' if len(server.volumes) > 1 else ''}"
    if not server.image:
        return PlannedResource.of_vnfc("keep", name, vnfc.slot, f"snapshot of {volumes} by Cinder")
    more = f", snapshot of {volumes}, attached to it, by Cinder" if server.volumes else ""
    return PlannedResource.of_vnfc("keep", name, vnfc.slot, f"image of its disk by Nova{more}")
