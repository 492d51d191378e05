"""/api/v1/overview and /api/v1/operations: the start page, and the operations under way."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.overview.api.shapes import OperationLinesOut, OverviewOut
from vnfm.overview.selectors import operations
from vnfm.overview.selectors.overview import overview


class OverviewApi(APIView):
    @extend_schema(operation_id="overview", responses=OverviewOut)
    def get(self, request: Request) -> Response:
        """Clouds, VNF instances, network elements, alarms, problems and operations as they are now."""
        return Response(OverviewOut(overview()).data)


class OperationLinesApi(APIView):
    @extend_schema(operation_id="operation_lines", tags=["Operations"], responses=OperationLinesOut)
    def get(self, request: Request) -> Response:
        """Operations of all VNF instances in one line each: under way, and ended last."""
        lines = {
            "open": operations.under_way(),
            "openCount": operations.number_under_way(),
            "ended": operations.ended(),
        }
        return Response(OperationLinesOut(lines).data)
