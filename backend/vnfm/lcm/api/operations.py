"""/vnflcm/v2/vnf_lcm_op_occs (SOL003 5.4.12 to 5.4.16), and the same with steps under /api/v1."""

from typing import ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.kit.http import etag
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters
from vnfm.lcm import selectors, services
from vnfm.lcm.api import outputs, views

FILTERS = {
    "id": "id",
    "operationState": "state",
    "operation": "operation",
    "vnfInstanceId": "instance_uuid",
    "startTime": "start_time",
    "stateEnteredTime": "state_entered_time",
}
TAG = ["LCM operation occurrences (SOL003)"]


class OpOccListApi(APIView):
    @extend_schema(
        operation_id="vnf_lcm_op_occ_list",
        tags=TAG,
        parameters=list_parameters(FILTERS),
        responses=outputs.VnfLcmOpOccOut(many=True),
    )
    def get(self, request: Request) -> Response:
        rows, headers = page(filtered(selectors.op_list(), request, FILTERS), request, order=("-start_time", "id"))
        return Response(outputs.VnfLcmOpOccOut([views.op_occ(row) for row in rows], many=True).data, headers=headers)


class OpOccApi(APIView):
    @extend_schema(operation_id="vnf_lcm_op_occ_get", tags=TAG, responses=outputs.VnfLcmOpOccOut)
    def get(self, request: Request, op_id: UUID) -> Response:
        op = selectors.op_get(op_id=op_id)
        return Response(outputs.VnfLcmOpOccOut(views.op_occ(op)).data, headers={"ETag": etag(op.version)})


class OperationDetailApi(APIView):
    """The op occ with its steps, lit actions and history."""

    @extend_schema(operation_id="operation_detail", tags=["Operations"], responses=outputs.OperationDetailOut)
    def get(self, request: Request, op_id: UUID) -> Response:
        op = selectors.op_get(op_id=op_id)
        body = outputs.OperationDetailOut(views.operation_detail(op)).data
        return Response(body, headers={"ETag": etag(op.version)})


class OperationStepsApi(APIView):
    @extend_schema(operation_id="operation_steps", tags=["Operations"], responses=outputs.StepOut(many=True))
    def get(self, request: Request, op_id: UUID) -> Response:
        op = selectors.op_get(op_id=op_id)
        return Response(outputs.StepOut([views.step(row) for row in op.steps.all()], many=True).data)


class _ErrorHandlingApi(APIView):
    """SOL003 5.4.14-16; `fail` answers 200 with the op occ, the others 202."""

    task: ClassVar[str]

    def _handle(self, request: Request, op_id: UUID) -> Response:
        op = services.op_handle_error(op_id=op_id, task=self.task, actor=caller(request).username)
        if self.task == "fail":
            return Response(outputs.VnfLcmOpOccOut(views.op_occ(op)).data)
        location = request.build_absolute_uri(reverse("vnf_lcm_op_occ", args=[op.id]))
        return Response(status=202, headers={"Location": location})


ACCEPTED = {202: OpenApiResponse(description="Accepted.")}


class RetryApi(_ErrorHandlingApi):
    task = "retry"

    @extend_schema(operation_id="vnf_lcm_op_occ_retry", tags=TAG, request=None, responses=ACCEPTED)
    def post(self, request: Request, op_id: UUID) -> Response:
        return self._handle(request, op_id)


class RollbackApi(_ErrorHandlingApi):
    task = "rollback"

    @extend_schema(operation_id="vnf_lcm_op_occ_rollback", tags=TAG, request=None, responses=ACCEPTED)
    def post(self, request: Request, op_id: UUID) -> Response:
        return self._handle(request, op_id)


class FailApi(_ErrorHandlingApi):
    task = "fail"

    @extend_schema(operation_id="vnf_lcm_op_occ_fail", tags=TAG, request=None, responses=outputs.VnfLcmOpOccOut)
    def post(self, request: Request, op_id: UUID) -> Response:
        return self._handle(request, op_id)
