"""LCM operation occurrences and their tasks (SOL003 5.4.12 to 5.4.17), and the same with steps under /api/v1."""

from functools import partial
from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.etsi.query_guard import SELECTED
from vnfm.kit.etsi.selection import selection, selection_parameters
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import list_parameters
from vnfm.lcm.api import inputs, outputs
from vnfm.lcm.api.filters import operation_attributes
from vnfm.lcm.domain.states import CancelMode
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import op_get
from vnfm.lcm.services.operations import op_cancel, op_handle_error
from vnfm.lcm.wire.editions import V2, Edition
from vnfm.lcm.wire.op_occ import OPERATION_DEFAULT, VnfLcmOpOccOut, op_occ, op_occ_page, op_occs

TAG = ["LCM operation occurrences (SOL003)"]


LIST_PARAMETERS = [
    *list_parameters(operation_attributes()),
    *selection_parameters(OPERATION_DEFAULT, OPERATION_DEFAULT),
]


class OpOccListApi(APIView):
    query = SELECTED
    edition: Edition = V2
    out: ClassVar[type[VnfLcmOpOccOut]] = VnfLcmOpOccOut

    @extend_schema(
        operation_id="vnf_lcm_op_occ_list",
        tags=TAG,
        parameters=LIST_PARAMETERS,
        responses=VnfLcmOpOccOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Op occs, the latest first; by default without their complex attributes."""
        chosen = selection(request, optional=OPERATION_DEFAULT, default=OPERATION_DEFAULT)
        query = filtered(op_occs(chosen), request, operation_attributes())
        rows, headers = page(query, request, order=("-start_time", "id"))
        return Response(op_occ_page(rows, self.edition, chosen, self.out), headers=headers)


class OpOccApi(APIView):
    edition: Edition = V2

    @extend_schema(operation_id="vnf_lcm_op_occ_get", tags=TAG, responses=VnfLcmOpOccOut)
    def get(self, request: Request, op_id: UUID) -> Response:
        op = op_get(op_id=op_id)
        return Response(op_occ(op, self.edition), headers={"ETag": etag(op.version)})


class OperationListApi(OpOccListApi):
    """The same list with who started each."""

    out = outputs.OperationSummaryOut

    @extend_schema(
        operation_id="operation_list",
        tags=["Operations"],
        parameters=LIST_PARAMETERS,
        responses=outputs.OperationSummaryOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Op occs, the latest first, filtered, selected and paged as those of SOL003."""
        return super().get(request)


class OperationDetailApi(APIView):
    """The op occ with its steps, enabled actions and history."""

    @extend_schema(operation_id="operation_detail", tags=["Operations"], responses=outputs.OperationDetailOut)
    def get(self, request: Request, op_id: UUID) -> Response:
        op = op_get(op_id=op_id)
        body = outputs.OperationDetailOut(op).data
        return Response(body, headers={"ETag": etag(op.version)})


class OperationStepsApi(APIView):
    @extend_schema(operation_id="operation_steps", tags=["Operations"], responses=outputs.StepOut(many=True))
    def get(self, request: Request, op_id: UUID) -> Response:
        op = op_get(op_id=op_id)
        return Response(outputs.StepOut(op.steps.all(), many=True).data)


class _TaskApi(APIView):
    """SOL003 5.4.14-17: 202 with the op occ's Location; `fail` answers 200 with the op occ. Honours If-Match."""

    edition: Edition = V2
    task: ClassVar[str]

    def handle(self, request: Request, op_id: UUID) -> LcmOpOcc:
        return op_handle_error(
            op_id=op_id,
            task=self.task,
            actor=caller(request).username,
            precondition=partial(require_match, request),
        )

    def accepted(self, request: Request, op: LcmOpOcc) -> Response:
        location = request.build_absolute_uri(f"{self.edition.operations}/{op.id}")
        return Response(status=202, headers={"Location": location})


ACCEPTED = {202: OpenApiResponse(description="Accepted.")}


class RetryApi(_TaskApi):
    task = "retry"

    @extend_schema(operation_id="vnf_lcm_op_occ_retry", tags=TAG, request=None, responses=ACCEPTED)
    def post(self, request: Request, op_id: UUID) -> Response:
        """Continue where the operation stopped."""
        return self.accepted(request, self.handle(request, op_id))


class RollbackApi(_TaskApi):
    task = "rollback"

    @extend_schema(operation_id="vnf_lcm_op_occ_rollback", tags=TAG, request=None, responses=ACCEPTED)
    def post(self, request: Request, op_id: UUID) -> Response:
        """Undo the operation."""
        return self.accepted(request, self.handle(request, op_id))


class FailApi(_TaskApi):
    task = "fail"

    @extend_schema(operation_id="vnf_lcm_op_occ_fail", tags=TAG, request=None, responses=VnfLcmOpOccOut)
    def post(self, request: Request, op_id: UUID) -> Response:
        """Mark the operation failed; what it left in the cloud is recorded as it is."""
        op = self.handle(request, op_id)
        return Response(op_occ(op, self.edition), headers={"ETag": etag(op.version)})


class CancelApi(_TaskApi):
    task = "cancel"

    @extend_schema(operation_id="vnf_lcm_op_occ_cancel", tags=TAG, request=inputs.CancelRequest, responses=ACCEPTED)
    def post(self, request: Request, op_id: UUID) -> Response:
        """Stop the operation: GRACEFUL after the step that runs, FORCEFUL at once."""
        body = inputs.CancelRequest(data=request.data)
        body.is_valid(raise_exception=True)
        op = op_cancel(
            op_id=op_id,
            mode=CancelMode(body.validated_data["cancelMode"]),
            actor=caller(request).username,
            precondition=partial(require_match, request),
        )
        return self.accepted(request, op)
