"""/vnflcm/v2/vnf_instances (SOL003 5.4.2 to 5.4.8)."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.accounts.models import Role
from vnfm.inventory.models import VnfInstance
from vnfm.kit.http import etag, require_match
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters
from vnfm.lcm import selectors, services
from vnfm.lcm.api import inputs, outputs, views
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc

FILTERS = {
    "id": "id",
    "vnfInstanceName": "name",
    "vnfdId": "package__vnfd_id",
    "vnfProvider": "package__provider",
    "vnfProductName": "package__product_name",
    "vnfSoftwareVersion": "package__software_version",
    "instantiationState": "instantiation_state",
}
TAG = ["VNF instances (SOL003)"]


def _live_by_instance(rows: list[VnfInstance]) -> dict[UUID, LcmOpOcc]:
    live = LcmOpOcc.objects.filter(selectors.UNDER_WAY, instance__in=rows).defer("plan")
    return {op.instance_uuid: op for op in live}


class VnfInstanceListApi(APIView):
    @extend_schema(
        operation_id="vnf_instance_list",
        tags=TAG,
        parameters=list_parameters(FILTERS),
        responses=outputs.VnfInstanceOut(many=True),
    )
    def get(self, request: Request) -> Response:
        query = VnfInstance.objects.select_related("package", "vim").prefetch_related("vnfcs__ports", "virtual_links")
        rows, headers = page(filtered(query, request, FILTERS), request)
        live = _live_by_instance(rows)
        body = [views.vnf_instance(row, live.get(row.id)) for row in rows]
        return Response(outputs.VnfInstanceOut(body, many=True).data, headers=headers)

    @extend_schema(
        operation_id="vnf_instance_create",
        tags=TAG,
        request=inputs.CreateVnfRequest,
        responses={201: outputs.VnfInstanceOut},
    )
    def post(self, request: Request) -> Response:
        body = inputs.CreateVnfRequest(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        instance = services.vnf_instance_create(
            vnfd_id=given["vnfdId"],
            name=given["vnfInstanceName"],
            description=given["vnfInstanceDescription"],
            metadata=given["metadata"],
            actor=caller(request).username,
        )
        view = views.vnf_instance(instance, None)
        location = request.build_absolute_uri(reverse("vnf_instance", args=[instance.id]))
        headers = {"Location": location, "ETag": etag(instance.version)}
        return Response(outputs.VnfInstanceOut(view).data, status=201, headers=headers)


class VnfInstanceApi(APIView):
    @extend_schema(operation_id="vnf_instance_get", tags=TAG, responses=outputs.VnfInstanceOut)
    def get(self, request: Request, instance_id: UUID) -> Response:
        instance = selectors.instance_get(instance_id=instance_id)
        view = views.vnf_instance(instance, selectors.live_operation(instance))
        return Response(outputs.VnfInstanceOut(view).data, headers={"ETag": etag(instance.version)})

    @extend_schema(operation_id="vnf_instance_delete", tags=TAG, responses={204: None})
    def delete(self, request: Request, instance_id: UUID) -> Response:
        require_match(request, selectors.instance_get(instance_id=instance_id).version)
        services.vnf_instance_delete(instance_id=instance_id)
        return Response(status=204)


class _OperationApi(APIView):
    """One task of a VNF instance: 202 and the Location of the op occ."""

    operation: ClassVar[Operation]

    def _start(self, request: Request, instance_id: UUID) -> Response:
        body: serializers.Serializer[Any] = inputs.REQUESTS[self.operation](data=request.data)
        body.is_valid(raise_exception=True)
        op = services.op_start(
            instance_id=instance_id,
            operation=self.operation,
            request=body.validated_data,
            actor=caller(request).username,
            may_register_vim=caller(request).role == Role.ADMIN,
        )
        location = request.build_absolute_uri(reverse("vnf_lcm_op_occ", args=[op.id]))
        return Response(status=202, headers={"Location": location})


ACCEPTED = {202: OpenApiResponse(description="Accepted; Location names the VNF LCM operation occurrence.")}


class InstantiateApi(_OperationApi):
    operation = Operation.INSTANTIATE

    @extend_schema(
        operation_id="vnf_instance_instantiate", tags=TAG, request=inputs.InstantiateVnfRequest, responses=ACCEPTED
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        return self._start(request, instance_id)


class ScaleApi(_OperationApi):
    operation = Operation.SCALE

    @extend_schema(operation_id="vnf_instance_scale", tags=TAG, request=inputs.ScaleVnfRequest, responses=ACCEPTED)
    def post(self, request: Request, instance_id: UUID) -> Response:
        return self._start(request, instance_id)


class ScaleToLevelApi(_OperationApi):
    operation = Operation.SCALE_TO_LEVEL

    @extend_schema(
        operation_id="vnf_instance_scale_to_level", tags=TAG, request=inputs.ScaleVnfToLevelRequest, responses=ACCEPTED
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        return self._start(request, instance_id)


class TerminateApi(_OperationApi):
    operation = Operation.TERMINATE

    @extend_schema(
        operation_id="vnf_instance_terminate", tags=TAG, request=inputs.TerminateVnfRequest, responses=ACCEPTED
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        return self._start(request, instance_id)
