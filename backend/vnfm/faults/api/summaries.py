"""/api/v1/alarm_summary: number of open alarms, in all, by object, by part of an object, and by site."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.selectors import site_list
from vnfm.faults.api.records import invalid_query, one_id
from vnfm.faults.api.shapes import OBJECT_TYPES
from vnfm.faults.selectors import (
    AlarmObjectSummary,
    AlarmPartSummary,
    AlarmSiteSummary,
    AlarmSummary,
    alarm_summary,
    alarms_by_object,
    alarms_by_part,
    alarms_by_site,
)
from vnfm.kit.etsi.query import MARKER, page
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import UUID_PATTERN

OBJECTS = OpenApiParameter(
    "managedObjectId",
    {"type": "string", "pattern": f"^({UUID_PATTERN})?(,({UUID_PATTERN})?)*$"},
    description="Only these objects: ids with commas between them.",
)
OBJECT = OpenApiParameter("managedObjectId", UUID, required=True, description="The object.")
OF_TYPE = OpenApiParameter("managedObjectType", str, enum=OBJECT_TYPES, description="Only alarms of such objects.")
AFTER = OpenApiParameter(MARKER, str, description="As the Link of the page before says.")


def _object_type(request: Request) -> str | None:
    wanted = request.query_params.get("managedObjectType")
    if wanted is not None and wanted not in OBJECT_TYPES:
        raise invalid_query("managedObjectType", f"There is no {wanted!r}.", f"One of {', '.join(OBJECT_TYPES)}.")
    return wanted


class AlarmSummaryApi(APIView):
    @extend_schema(operation_id="alarm_summary", parameters=[OF_TYPE], responses=answer(AlarmSummary))
    def get(self, request: Request) -> Response:
        """Number of open alarms, by severity."""
        return Response(alarm_summary(object_type=_object_type(request)))


class AlarmObjectSummaryApi(APIView):
    @extend_schema(
        operation_id="alarm_object_summary",
        parameters=[OF_TYPE, OBJECTS],
        filters=False,
        responses={(200, "application/json"): answer(AlarmObjectSummary)(many=True)},
    )
    def get(self, request: Request) -> Response:
        """Number of open alarms by object and severity; objects without open alarms are left out."""
        listed = request.query_params.get("managedObjectId", "")
        ids = [one_id("managedObjectId", text) for text in listed.split(",") if text]
        rows = alarms_by_object(object_type=_object_type(request), ids=ids or None)
        return Response([as_answer(AlarmObjectSummary(**row)) for row in rows])


class AlarmPartSummaryApi(APIView):
    @extend_schema(
        operation_id="alarm_part_summary",
        parameters=[OBJECT],
        filters=False,
        responses={(200, "application/json"): answer(AlarmPartSummary)(many=True)},
    )
    def get(self, request: Request) -> Response:
        """Number of open alarms of an object by faulty resource and severity; resources without any are left out.

        A part's number does not include the parts in it, whose FDNs begin with its own.
        """
        object_id = one_id("managedObjectId", request.query_params.get("managedObjectId", ""))
        return Response([as_answer(each) for each in alarms_by_part(object_id=object_id)])


class AlarmSiteSummaryApi(APIView):
    @extend_schema(
        operation_id="alarm_site_summary",
        parameters=[AFTER],
        filters=False,
        responses={(200, "application/json"): answer(AlarmSiteSummary)(many=True)},
    )
    def get(self, request: Request) -> Response:
        """Sites by name, with the number of their elements, by reachability, and of their open alarms, by severity.

        Elements that belong to no site come first, if there are any.
        """
        sites, headers = page(site_list(), request, order=("name", "id"))
        rows = alarms_by_site(sites=sites, include_no_site=not request.query_params.get(MARKER))
        return Response([as_answer(each) for each in rows], headers=headers)
