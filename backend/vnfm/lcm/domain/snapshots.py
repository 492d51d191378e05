"""Snapshots of a VNF (SOL003 5.4.21 and 5.4.22): which requests are possible, and what a revert leaves as it is."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, VnfcState
from vnfm.lcm.domain.requests import CreateVnfSnapshotRequest, RevertToVnfSnapshotRequest
from vnfm.lcm.domain.snapshot_state import SnapshotState, SnapshotVnfc

POINTER = "/vnfSnapshotInfoId"
PREFIX = "vnfm-snapshot-"
"""Start of the names of images and volume snapshots that belong to a VNF snapshot."""
TO_BE_CREATED = UUID(int=0)
"""Id in the plan of a snapshot that has no resource yet."""
NOT_REVERTED = (
    "Memory is in no snapshot: a VNFC that is reverted starts as after a power cut at {at} UTC. What was written to "
    "its disk since is lost, and cannot be put back."
)
STAYS = "Ports, addresses, networks, flavors and the scale level stay as they are now."


def name_prefix(snapshot_id: UUID) -> str:
    """Start of the names of all that a snapshot has in the cloud."""
    return f"{PREFIX}{snapshot_id}-"


def image_name(snapshot_id: UUID, vnfc_id: UUID, op_id: UUID) -> str:
    """Name of the image of one VNFC: by its id, as names of VDUs and slots may hold any separator. With that of the
    operation, so that an image of an earlier one that appears late is never taken for its own.
    """
    return f"{name_prefix(snapshot_id)}{vnfc_id}-{op_id}"


def volume_snapshot_name(image: str, volume_id: str) -> str:
    """Name of the snapshot of a volume that is attached to the VNFC with this image."""
    return f"{image}-{volume_id}"


def snapshot_named(name: str) -> UUID | None:
    """The snapshot to which an image or volume snapshot of this name belongs; None for other names."""
    _, found, rest = name.partition(PREFIX)
    try:
        return UUID(rest[:36]) if found else None
    except ValueError:
        return None


def validate_create(op_request: OperationRequest[CreateVnfSnapshotRequest]) -> SnapshotState | Rejection:
    """The snapshot to be filled."""
    if op_request.request.vnf_snapshot_info_id is None:
        return SnapshotState(TO_BE_CREATED)
    return op_request.snapshot or _unknown(op_request.request.vnf_snapshot_info_id)


def validate_revert(op_request: OperationRequest[RevertToVnfSnapshotRequest]) -> SnapshotState | Rejection:
    """The snapshot to revert to: of the instance, with the package that it has now."""
    snapshot = op_request.snapshot
    if snapshot is None:
        return _unknown(op_request.request.vnf_snapshot_info_id)
    if snapshot.taken_at is None:
        return _rejected("The snapshot has no content.")
    if snapshot.instance_id != op_request.instance.id:
        return _rejected(f"The snapshot is of another VNF instance, {snapshot.instance_id}.")
    if snapshot.vnfd_id != op_request.vnfd.vnfd_id:
        words = f"The snapshot was taken with VNFD {snapshot.vnfd_id}, and the instance has {op_request.vnfd.vnfd_id}"
        return _rejected(f"{words}: change its package back first.")
    return snapshot


def _unknown(snapshot_id: UUID | None) -> Rejection:
    return _rejected(f"There is no VNF snapshot {snapshot_id}.")


def _rejected(message: str) -> Rejection:
    return Rejection((FieldError(POINTER, message),))


@dataclass(frozen=True, slots=True)
class Reverted:
    """The effect of a revert on one VNFC of the instance, or of the snapshot."""

    vdu_id: str
    slot: str
    label: str
    action: Literal["rebuild", "keep", "absent"]
    """`absent`: the snapshot has a VNFC in a slot that is empty now."""
    detail: str
    server_id: str = ""
    image_id: str = ""


def reverted(
    snapshot: SnapshotState, vnfcs: Collection[VnfcState], images: Collection[str], servers: Collection[str]
) -> list[Reverted]:
    """One entry a VNFC. `images`: ids of the active images in the cloud; `servers`: of the existing servers."""
    taken = {(one.vdu_id, one.slot): one for one in snapshot.vnfcs}
    found = [_reverted(vnfc, taken.pop((vnfc.vdu_id, vnfc.slot), None), images, servers) for vnfc in vnfcs]
    missing = "was scaled in since, and is not brought back: scale out before, then revert"
    return [*found, *(Reverted(one.vdu_id, one.slot, one.name, "absent", missing) for one in taken.values())]


def _reverted(
    vnfc: VnfcState, taken: SnapshotVnfc | None, images: Collection[str], servers: Collection[str]
) -> Reverted:
    if taken is None:
        why = "is not in the snapshot, so it stays as it is"
    elif vnfc.server_id not in servers:
        why = "has no server, so it is not reverted: heal it before"
    elif taken.boots_from_volume:
        why = "boots from a volume, which Nova does not rebuild: it stays; Cinder can make a volume of its snapshot"
    elif taken.image_id not in images:
        why = f"stays as it is: the cloud no longer has image {taken.image_id}"
    else:
        return Reverted(
            vnfc.vdu_id, vnfc.slot, vnfc.name, "rebuild", _detail(vnfc, taken), vnfc.server_id, taken.image_id
        )
    return Reverted(vnfc.vdu_id, vnfc.slot, vnfc.name, "keep", why)


def _detail(vnfc: VnfcState, taken: SnapshotVnfc) -> str:
    said = ["rebuilt from its image; what is on its disk now is lost"]
    if vnfc.server_id != taken.server_id:
        said.append("its server is another one than then, with the addresses of now")
    if taken.volumes:
        many = (
            f"its {len(taken.volumes)} attached volumes stay" if len(taken.volumes) > 1 else "its attached volume stays"
        )
        said.append(f"{many} as of now: Cinder of Liberty reverts none; a volume can be made of each snapshot")
    return "; ".join(said)


def differences(snapshot: SnapshotState, now: SnapshotState) -> Iterator[str]:
    """Yield sentences about changes since the snapshot that a revert does not take back."""
    for aspect, level in now.scale_levels.items():
        then = snapshot.scale_levels.get(aspect, 0)
        if level != then:
            yield f"The scale level of {aspect} was {then} and stays {level}."
    moved = sorted(_changed(snapshot.networks, now.networks))
    if moved:
        yield f"The networks of {', '.join(moved)} have changed since, and stay."
    changed = sorted(_changed(snapshot.settings, now.settings))
    if changed:
        yield f"Settings have changed since, and stay: {', '.join(changed)}."
    for element, number in now.configurations.items():
        yield _configuration(element, snapshot.configurations.get(element), number)


def _configuration(element: str, then: int | None, number: int) -> str:
    if then is None:
        return f"{element} comes back with the configuration on its disk, of which no version was backed up by then."
    newer = f"version {number} is newer, and can be pushed afterwards" if number != then else "which is the newest"
    return f"{element} comes back with the configuration on its disk: version {then} was the last by then; {newer}."


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in before.keys() | after.keys():
        if before.get(name) != after.get(name):
            yield name
