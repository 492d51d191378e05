"""/api/v1/elements.csv: the list of network elements as CSV."""

from django.db.models import F
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from vnfm.elements.api.element_views import FILTERS, OLDEST_FIRST, SORTS
from vnfm.elements.selectors import element_list
from vnfm.kit.etsi.query import filtered, requested_order
from vnfm.kit.web.downloads import AnyAccept
from vnfm.kit.web.export import csv_response
from vnfm.kit.web.wire import list_parameters, sort_parameter

EXPORTED = {
    "name": "name",
    "managementAddress": "management_address",
    "kind": "kind",
    "siteName": "site_name",
    "location": "location",
    "sysName": "sys_name",
    "driver": "driver",
    "chassisType": "chassis_type",
    "softwareVersion": "software_version",
    "state": "state",
    "reachable": "current_reachable",
    "resyncState": "resync_state",
    "createdAt": "created_at",
    "id": "id",
}


class ElementExportApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="element_export",
        parameters=[*list_parameters(FILTERS)[:1], sort_parameter(SORTS)],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """All network elements that the list would give, as CSV."""
        rows = filtered(element_list(), request, FILTERS).annotate(site_name=F("site__name"))
        return csv_response("elements.csv", rows, requested_order(request, SORTS, OLDEST_FIRST), EXPORTED)
