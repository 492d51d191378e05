"""Reads of VNF snapshots; no cloud is called."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Q, QuerySet

from vnfm.catalog import selectors as catalog
from vnfm.configuration.models import ConfigurationVersion
from vnfm.elements.services.registration import instance_elements
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors import links_of, vnfc_names, vnfcs_of
from vnfm.kit.etsi.query import one
from vnfm.lcm.domain.snapshot_state import SnapshotState, SnapshotVnfc
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc, Step, VnfSnapshot
from vnfm.lcm.selectors.operations import UNDER_WAY

State = VnfSnapshot.State
SNAPSHOT_OPERATIONS = (Operation.CREATE_SNAPSHOT, Operation.REVERT_TO_SNAPSHOT)
ID_PARAM = "vnfSnapshotInfoId"


def snapshot_list() -> QuerySet[VnfSnapshot]:
    """All that clients see."""
    return VnfSnapshot.objects.exclude(state=State.DELETING)


def snapshot_get(*, snapshot_id: UUID) -> VnfSnapshot:
    """Raises a 404 problem when there is none."""
    return one(snapshot_list(), "VNF snapshot", snapshot_id)


def snapshot_state(*, snapshot_id: UUID) -> SnapshotState | None:
    """None when there is none."""
    row = snapshot_list().prefetch_related("vnfcs").filter(id=snapshot_id).first()
    if row is None:
        return None
    vnfcs = (
        SnapshotVnfc(
            each.vdu_id,
            each.slot,
            each.name,
            each.server_id,
            each.image_id,
            each.boots_from_volume,
            tuple(volume["volumeId"] for volume in each.volumes),
        )
        for each in sorted(row.vnfcs.all(), key=lambda each: (each.vdu_id, each.slot))
    )
    taken_at = row.finished_at if row.state == State.AVAILABLE else None
    return SnapshotState(row.id, row.instance_uuid, row.vnfd_id, taken_at, tuple(vnfcs), **row.content)


def state_now(instance: InstanceRecord, snapshot_id: UUID) -> SnapshotState:
    """The instance as it is on record now, as a snapshot of it would have it."""
    elements = instance_elements(instance)
    versions = ConfigurationVersion.objects.filter(element__in=elements).order_by("element", "-number")
    newest = dict(versions.distinct("element").values_list("element_id", "number"))
    return SnapshotState(
        snapshot_id,
        instance.id,
        catalog.vnfd_of(instance.package).vnfd_id,
        scale_levels=dict(instance.scale_levels),
        settings=dict(instance.settings),
        networks={link.vl_id: link.network_id for link in links_of(instance_id=instance.id)},
        configurations={each.name: newest[each.id] for each in elements if each.id in newest},
    )


def live_use(snapshot: VnfSnapshot) -> LcmOpOcc | None:
    """The operation under way that fills it or reverts to it."""
    named = Q(**{f"params__{ID_PARAM}": str(snapshot.id)})
    return LcmOpOcc.objects.filter(UNDER_WAY, named, operation__in=SNAPSHOT_OPERATIONS).first()


def booted_vnfcs(snapshot: VnfSnapshot) -> list[str]:
    """Names of VNFCs whose server was rebuilt from an image of it."""
    servers = snapshot.vnfcs.exclude(booted_server_id="").values_list("booted_server_id", flat=True)
    return sorted(vnfc_names(server_ids=servers))


def instance_snapshots(instance: InstanceRecord) -> QuerySet[VnfSnapshot]:
    """All of it, those that are being removed among them."""
    return VnfSnapshot.objects.filter(instance_uuid=instance.id).prefetch_related("vnfcs")


def server_names(instance: InstanceRecord) -> dict[str, str]:
    """Server id → name of its VNFC."""
    return {vnfc.server_id: vnfc.name for vnfc in vnfcs_of(instance_id=instance.id)}


def volume_holders(instance: InstanceRecord, vnfc_ids: Collection[UUID] | None = None) -> list[VnfSnapshot]:
    """Those that have, or may have, snapshots of volumes of these VNFCs, or of all of the instance: Cinder keeps the
    volumes, whichever server they are attached to by now.
    """
    own = instance_snapshots(instance).order_by("created_at")
    return [row for row in own if (held := _with_volumes(row)) and (vnfc_ids is None or held & set(vnfc_ids))]


def _with_volumes(snapshot: VnfSnapshot) -> set[UUID]:
    """The VNFCs of which it has snapshots of volumes: by its record, and before there is one by what was planned."""
    rows = list(snapshot.vnfcs.all())
    if rows:
        return {row.vnfc_id for row in rows if row.volumes}
    steps = Step.objects.filter(
        op__operation=Operation.CREATE_SNAPSHOT, **{f"op__params__{ID_PARAM}": str(snapshot.id)}
    )
    planned = [vnfc for step in steps for vnfc in step.params.get("vnfcs", ())]
    return {UUID(vnfc["id"]) for vnfc in planned if vnfc["volumes"]}


def known_snapshots(ids: Iterable[UUID]) -> set[UUID]:
    """Return those of the snapshots that have, or may have, something in the cloud."""
    rows = VnfSnapshot.objects.filter(id__in=list(ids)).exclude(state=State.EMPTY)
    return set(rows.values_list("id", flat=True))
