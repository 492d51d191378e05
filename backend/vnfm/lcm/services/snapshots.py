"""VNF snapshots (SOL003 5.4.23, 5.4.24): created, filled and deleted, in one transaction each, without a cloud call."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.etsi.query import one
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.requests import CreateVnfSnapshotRequest, SnapshotRequest
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc, VnfcSnapshot, VnfSnapshot
from vnfm.lcm.selectors.operations import describe_running
from vnfm.lcm.selectors.snapshots import ID_PARAM, booted_vnfcs, live_use, snapshot_list, state_now
from vnfm.lcm.services.instances import Precondition, unconditional

REMOVE_SNAPSHOT = "lcm.remove_snapshot"
State = VnfSnapshot.State
_AFTER = {
    OperationState.COMPLETED: State.AVAILABLE,
    OperationState.ROLLED_BACK: State.EMPTY,
    OperationState.FAILED: State.INCOMPLETE,
}
_NOTHING: dict[str, Any] = {
    "instance": None,
    "instance_uuid": None,
    "instance_name": "",
    "vim": None,
    "vnfd_id": None,
    "vnf_instance": None,
    "content": {},
    "user_defined_data": {},
    "started_at": None,
    "finished_at": None,
}


def snapshot_create(*, actor: str) -> VnfSnapshot:
    """A snapshot without content (SOL003 5.4.23.3.1)."""
    return VnfSnapshot.objects.create(created_by=actor)


@transaction.atomic
def snapshot_modify(
    *, snapshot_id: UUID, package_info_id: str, precondition: Precondition = unconditional
) -> VnfSnapshot:
    """Note the NFVO's identifier of the snapshot's package (SOL003 5.4.24.3.4)."""
    row = _locked(snapshot_id)
    precondition(row.version)
    row.package_info_id, row.version = package_info_id, row.version + 1
    row.save(update_fields=["package_info_id", "version"])
    _publish(row)
    return row


@transaction.atomic
def snapshot_delete(*, snapshot_id: UUID, precondition: Precondition = unconditional) -> None:
    """Delete the snapshot for clients (SOL003 5.4.24.3.5); a worker removes what it has in the cloud, however long that
    takes. Raises 409 while an operation uses it, and while VNFCs have an image of it as theirs.
    """
    row = _locked(snapshot_id)
    precondition(row.version)
    if (live := live_use(row)) is not None:
        words = f"The snapshot is in use: {describe_running(live).lower()}."
        raise conflict("SNAPSHOT_IN_USE", words, "Wait for it or resolve it first.", vnfLcmOpOccId=str(live.id))
    if names := booted_vnfcs(row):
        words = f"{', '.join(names)} was reverted to it: Nova needs the image to rebuild or evacuate the server."
        raise conflict("SNAPSHOT_IN_USE", words, "Terminate or upgrade the VNF, or heal it by new servers, before.")
    if row.state == State.EMPTY:
        _publish(row)
        row.delete()
        return
    row.state, row.wake_at, row.version = State.DELETING, clock.now(), row.version + 1
    row.save(update_fields=["state", "wake_at", "version"])
    _publish(row)
    tasks.enqueue_on_commit(REMOVE_SNAPSHOT, row.id)


def snapshot_require(request: SnapshotRequest) -> None:
    """Raise 409 when the snapshot that the request names is in another state than it needs; one that does not exist is
    a matter of validation.
    """
    creates = isinstance(request, CreateVnfSnapshotRequest)
    named = request.vnf_snapshot_info_id
    row = snapshot_list().filter(id=named).only("state").first() if named else None
    if row is None or row.state == (State.EMPTY if creates else State.AVAILABLE):
        return
    if creates:
        raise conflict("SNAPSHOT_TAKEN", "The VNF snapshot has content already.", "Create another one.")
    words = {State.EMPTY: "has no content yet", State.CREATING: "is being taken", State.INCOMPLETE: "is incomplete"}
    raise conflict("SNAPSHOT_NOT_READY", f"The VNF snapshot {words[State(row.state)]}.", "Name another one.")


def snapshot_begin(snapshot_id: UUID, instance: InstanceRecord, op: LcmOpOcc) -> None:
    """The operation fills the snapshot; within its transaction. Raises 409 when another one has begun to."""
    begun = VnfSnapshot.objects.filter(id=snapshot_id, state=State.EMPTY).update(
        state=State.CREATING,
        instance=instance,
        instance_uuid=instance.id,
        instance_name=instance.name,
        vim=instance.vim,
        vnfd_id=instance.package.vnfd_id,
        user_defined_data=op.params.get("userDefinedData") or {},
        started_at=op.start_time,
        version=F("version") + 1,
    )
    if not begun:
        raise conflict("SNAPSHOT_TAKEN", "The VNF snapshot has content already.", "Create another one.")


def snapshot_picture(*, snapshot_id: UUID, vnf_instance: Mapping[str, Any]) -> None:
    """Store the VnfInstance as it is when its snapshot begins, in the shape that clients read."""
    VnfSnapshot.objects.filter(id=snapshot_id, vnf_instance__isnull=True).update(vnf_instance=dict(vnf_instance))


@transaction.atomic
def snapshot_fill(*, snapshot_id: UUID, instance: InstanceRecord, vnfcs: Sequence[VnfcSnapshot]) -> None:
    """Record the content of the snapshot; repeated, it replaces."""
    row = VnfSnapshot.objects.select_for_update(no_key=True, of=("self",)).get(id=snapshot_id)
    VnfcSnapshot.objects.filter(snapshot=row).delete()
    VnfcSnapshot.objects.bulk_create(vnfcs)
    now = state_now(instance, row.id)
    names = ("scale_levels", "settings", "networks", "configurations")
    row.content = {name: dict(getattr(now, name)) for name in names}
    row.save(update_fields=["content"])


def snapshot_end(op: LcmOpOcc, target: OperationState) -> None:
    """The operation that fills the snapshot has come to this final state; within its transaction."""
    rows = VnfSnapshot.objects.filter(id=op.params[ID_PARAM], state=State.CREATING)
    values: dict[str, Any] = {"state": _AFTER[target], "version": F("version") + 1}
    if target == OperationState.ROLLED_BACK:
        VnfcSnapshot.objects.filter(snapshot__in=rows).delete()
        values |= _NOTHING
    elif target == OperationState.COMPLETED:
        values["finished_at"] = clock.now()
    rows.update(**values)


def snapshot_booted(*, snapshot_id: UUID, slots: Mapping[tuple[str, str], str]) -> None:
    """The servers of these VNFCs (by VDU and slot) were rebuilt from the images of this snapshot, and no other."""
    VnfcSnapshot.objects.filter(booted_server_id__in=slots.values()).update(booted_server_id="")
    for row in VnfcSnapshot.objects.filter(snapshot=snapshot_id):
        if server_id := slots.get((row.vdu_id, row.slot)):
            VnfcSnapshot.objects.filter(id=row.id).update(booted_server_id=server_id)


def snapshots_release(server_ids: Collection[str]) -> None:
    """These servers have the images of their package again."""
    VnfcSnapshot.objects.filter(booted_server_id__in=server_ids).update(booted_server_id="")


def _locked(snapshot_id: UUID) -> VnfSnapshot:
    rows = snapshot_list().select_for_update(no_key=True, of=("self",)).select_related("instance")
    return one(rows, "VNF snapshot", snapshot_id)


def _publish(row: VnfSnapshot) -> None:
    """Its instance's page shows it."""
    if row.instance is not None:
        instance_changed(row.instance)
