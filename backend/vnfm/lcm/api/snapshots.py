"""VNF snapshots (SOL003 5.4.23 and 5.4.24), and the same of one instance with their states under /api/v1."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.inventory.selectors import instance_with_vim
from vnfm.kit.etsi.links import link
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.etsi.query_guard import SELECTED
from vnfm.kit.etsi.selection import selection, selection_parameters
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.message import Reasons
from vnfm.kit.web.wire import AnswerSerializer, LinkSerializer, ProblemDetails, StrictSerializer, list_parameters
from vnfm.lcm.api.filters import snapshot_attributes
from vnfm.lcm.domain.request_types import MAX_ID
from vnfm.lcm.models import VnfcSnapshot, VnfSnapshot
from vnfm.lcm.selectors.snapshots import instance_snapshots, server_names, snapshot_get, snapshot_list
from vnfm.lcm.services.snapshots import snapshot_create, snapshot_delete, snapshot_modify
from vnfm.lcm.wire.editions import V2, EditionSerializer, Json
from vnfm.lcm.wire.resource_changes import ResourceHandle, handle

TAG = ["VNF snapshots (SOL003)"]
SNAPSHOT = "vnfSnapshot"
INSTANCE, VNFCS = f"{SNAPSHOT}/vnfInstance", f"{SNAPSHOT}/vnfcSnapshots"
DEFAULT = (INSTANCE, VNFCS)
"""Attributes that a list leaves out by default (SOL003 5.4.23.3.2)."""
OPTIONAL = (SNAPSHOT, INSTANCE, VNFCS, f"{SNAPSHOT}/userDefinedData")
NO_PACKAGES = "Snapshots are taken here, and not extracted from VNF snapshot packages."


class StorageSnapshot(serializers.Serializer[Any]):
    storageResourceId = serializers.CharField(help_text="Id of the volume.")
    storageSnapshotResource = ResourceHandle()


class VnfcSnapshotInfoOut(AnswerSerializer):
    """SOL003 5.5.3.26."""

    id = serializers.CharField(source="vnfc_id")
    vnfcInstanceId = serializers.CharField(source="vnfc_id")
    creationStartedAt = serializers.DateTimeField(source="started_at")
    creationFinishedAt = serializers.DateTimeField(source="finished_at")
    vnfcResourceInfoId = serializers.CharField(source="vnfc_id")
    computeSnapshotResource = ResourceHandle()
    storageSnapshotResources = StorageSnapshot(many=True, required=False)

    def get_id(self, row: VnfcSnapshot) -> str:
        return str(row.vnfc_id)

    get_vnfcInstanceId = get_vnfcResourceInfoId = get_id

    def get_computeSnapshotResource(self, row: VnfcSnapshot) -> Json:
        return handle(row.image_id, "OS::Glance::Image")

    def get_storageSnapshotResources(self, row: VnfcSnapshot) -> list[Json] | None:
        return [
            {
                "storageResourceId": volume["volumeId"],
                "storageSnapshotResource": handle(volume["snapshotId"], "OS::Cinder::VolumeSnapshot"),
            }
            for volume in row.volumes
        ] or None


class VnfSnapshotOut(EditionSerializer):
    """SOL003 5.5.2.23; it has the id of its resource."""

    paths = {  # noqa: RUF012
        "vnfInstance": INSTANCE,
        "vnfcSnapshots": VNFCS,
        "userDefinedData": f"{SNAPSHOT}/userDefinedData",
    }

    id = serializers.UUIDField()
    vnfInstanceId = serializers.UUIDField(source="instance_uuid")
    creationStartedAt = serializers.DateTimeField(source="started_at")
    creationFinishedAt = serializers.DateTimeField(source="finished_at", required=False)
    vnfdId = serializers.UUIDField(source="vnfd_id")
    vnfInstance = serializers.DictField(
        source="vnf_instance", required=False, help_text="VnfInstance as it was when the snapshot began."
    )
    vnfcSnapshots = VnfcSnapshotInfoOut(source="vnfcs", many=True, required=False)
    userDefinedData = serializers.DictField(source="user_defined_data", required=False)
    _links = serializers.DictField(child=LinkSerializer())

    def get_userDefinedData(self, row: VnfSnapshot) -> Json | None:
        return row.user_defined_data or None

    def get__links(self, row: VnfSnapshot) -> Json:
        return {"self": link(f"{V2.snapshots}/{row.id}")}


class VnfSnapshotInfoOut(EditionSerializer):
    """SOL003 5.5.2.22 VnfSnapshotInfo."""

    paths = {SNAPSHOT: SNAPSHOT}  # noqa: RUF012

    id = serializers.UUIDField()
    vnfSnapshotPkgId = serializers.CharField(source="package_info_id", required=False)
    vnfSnapshot = VnfSnapshotOut(required=False)
    _links = serializers.DictField(child=LinkSerializer())

    def get_vnfSnapshotPkgId(self, row: VnfSnapshot) -> str | None:
        return row.package_info_id or None

    def get_vnfSnapshot(self, row: VnfSnapshot) -> VnfSnapshot | None:
        return row if row.started_at is not None else None

    def get__links(self, row: VnfSnapshot) -> Json:
        links = {"self": link(f"{V2.snapshots}/{row.id}")}
        return links | ({"takenFrom": link(f"{V2.instances}/{row.instance_uuid}")} if row.instance_uuid else {})


class CreateVnfSnapshotInfoRequest(StrictSerializer):
    """SOL003 5.5.2.20: without attributes, as both are for the extraction of a package."""

    cannot: ClassVar[Reasons] = {"vnfSnapshotPkgId": NO_PACKAGES, SNAPSHOT: NO_PACKAGES}


class VnfSnapshotInfoModificationRequest(StrictSerializer):
    """SOL003 5.5.2.24."""

    cannot: ClassVar[Reasons] = {SNAPSHOT: NO_PACKAGES}

    vnfSnapshotPkgId = serializers.CharField(max_length=MAX_ID)


class VnfSnapshotListApi(APIView):
    query = SELECTED

    @extend_schema(
        operation_id="vnf_snapshot_list",
        tags=TAG,
        parameters=[*list_parameters(snapshot_attributes()), *selection_parameters(OPTIONAL, DEFAULT)],
        responses=VnfSnapshotInfoOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Snapshots, oldest first; by default without their complex attributes."""
        chosen = selection(request, optional=OPTIONAL, default=DEFAULT)
        rows = snapshot_list().prefetch_related("vnfcs")
        found, headers = page(filtered(rows, request, snapshot_attributes()), request)
        context = {"edition": V2, "chosen": chosen}
        return Response(VnfSnapshotInfoOut(found, many=True, context=context).data, headers=headers)

    @extend_schema(
        operation_id="vnf_snapshot_create",
        tags=TAG,
        request=CreateVnfSnapshotInfoRequest,
        responses={201: VnfSnapshotInfoOut},
    )
    def post(self, request: Request) -> Response:
        """Create a snapshot without content, which `create_snapshot` of an instance fills."""
        body = CreateVnfSnapshotInfoRequest(data=request.data)
        body.is_valid(raise_exception=True)
        row = snapshot_create(actor=caller(request).username)
        headers = {
            "Location": request.build_absolute_uri(f"{V2.snapshots}/{row.id}"),
            "ETag": etag(row.version),
        }
        return Response(VnfSnapshotInfoOut(row).data, status=201, headers=headers)


class VnfSnapshotApi(APIView):
    @extend_schema(operation_id="vnf_snapshot_get", tags=TAG, responses=VnfSnapshotInfoOut)
    def get(self, _request: Request, snapshot_id: UUID) -> Response:
        row = snapshot_get(snapshot_id=snapshot_id)
        return Response(VnfSnapshotInfoOut(row).data, headers={"ETag": etag(row.version)})

    @extend_schema(
        operation_id="vnf_snapshot_modify",
        tags=TAG,
        request={"application/merge-patch+json": VnfSnapshotInfoModificationRequest},
        responses=VnfSnapshotInfoModificationRequest,
    )
    def patch(self, request: Request, snapshot_id: UUID) -> Response:
        """Note the NFVO's identifier of the package that has the snapshot."""
        body = VnfSnapshotInfoModificationRequest(data=request.data)
        body.is_valid(raise_exception=True)
        given: Mapping[str, Any] = body.validated_data
        row = snapshot_modify(
            snapshot_id=snapshot_id,
            package_info_id=given["vnfSnapshotPkgId"],
            precondition=partial(require_match, request),
        )
        return Response(dict(given), headers={"ETag": etag(row.version)})

    @extend_schema(operation_id="vnf_snapshot_delete", tags=TAG, responses={204: None})
    def delete(self, request: Request, snapshot_id: UUID) -> Response:
        """Delete the snapshot; its images and volume snapshots are removed from the cloud."""
        snapshot_delete(snapshot_id=snapshot_id, precondition=partial(require_match, request))
        return Response(status=204)


class SnapshotVnfcOut(AnswerSerializer):
    name = serializers.CharField()
    vduId = serializers.CharField(source="vdu_id")
    slot = serializers.CharField()
    imageId = serializers.CharField(source="image_id")
    bootsFromVolume = serializers.BooleanField(source="boots_from_volume")
    volumes = serializers.IntegerField(help_text="Attached volumes with a snapshot.")

    def get_volumes(self, row: VnfcSnapshot) -> int:
        return len(row.volumes)


class InstanceSnapshotOut(AnswerSerializer):
    """A snapshot of an instance, with what SOL003 does not show of it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=[state for state in VnfSnapshot.State.values if state != "EMPTY"])
    createdBy = serializers.CharField(source="created_by")
    startedAt = serializers.DateTimeField(source="started_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)
    vnfdId = serializers.UUIDField(source="vnfd_id")
    userDefinedData = serializers.DictField(source="user_defined_data")
    vnfcs = SnapshotVnfcOut(many=True)
    bootedVnfcs = serializers.ListField(
        child=serializers.CharField(), help_text="VNFCs that were reverted to it: while there are any, it stays."
    )
    removalProblem = ProblemDetails(source="removal_problem", allow_null=True)

    def get_bootedVnfcs(self, row: VnfSnapshot) -> list[str]:
        names = self.context["server_names"]
        return sorted(names[vnfc.booted_server_id] for vnfc in row.vnfcs.all() if vnfc.booted_server_id in names)


class InstanceSnapshotListApi(APIView):
    @extend_schema(operation_id="instance_snapshot_list", tags=TAG, responses=InstanceSnapshotOut(many=True))
    def get(self, request: Request, instance_id: UUID) -> Response:
        """Snapshots of an instance, the latest first, those that are being removed among them."""
        instance = instance_with_vim(instance_id=instance_id)
        rows, headers = page(instance_snapshots(instance), request, order=("-started_at", "id"))
        context = {"server_names": server_names(instance)}
        return Response(InstanceSnapshotOut(rows, many=True, context=context).data, headers=headers)
