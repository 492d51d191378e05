"""/api/v1/alarms.csv: the alarm list as CSV."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from vnfm.faults.api.records import SELECTION, order_of, selected
from vnfm.faults.api.shapes import COLUMNS
from vnfm.kit.web.downloads import AnyAccept
from vnfm.kit.web.export import csv_response

EXPORTED = {name: column for name, column in COLUMNS.items() if name not in {"correlatedCount", "version"}}


class AlarmExportApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="alarm_export", parameters=SELECTION, responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request) -> StreamingHttpResponse:
        """All alarms that the list would give, as CSV."""
        return csv_response("alarms.csv", selected(request), order_of(request), EXPORTED)
