"""/api/v1/performance/top: the busiest interfaces or elements over a window of time."""

from typing import Any
from urllib.parse import urlencode

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.counters.domain.top import MEASURES, OBJECTS, WINDOWS, Marker
from vnfm.counters.selectors.series import TopRow, busiest
from vnfm.elements.selectors import element_list
from vnfm.history.ranking import LONGEST, TooDearError
from vnfm.kit.etsi.query import MARKER, filtered, requested_size
from vnfm.kit.problem import Problem, ProblemError, bad_request
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import list_parameters, size_parameter, sort_parameter

PAGE_SIZE = 50
FILTERS = {
    "elementId": "id",
    "elementName": "name",
    "kind": "kind",
    "siteId": "site_id",
    "siteName": "site__name",
    "vnfInstanceId": "vnf_instance_id",
}
SORTS = tuple(sign + name for name in MEASURES for sign in ("", "-"))


class TopQuerySerializer(serializers.Serializer[Any]):
    objects = serializers.ChoiceField(choices=OBJECTS, default="interfaces")
    window = serializers.ChoiceField(choices=tuple(WINDOWS), default="15m")
    text = serializers.CharField(max_length=255, default="", allow_blank=True)
    sort = serializers.ChoiceField(choices=SORTS, required=False, allow_blank=True)


PARAMETERS = [
    *list_parameters(FILTERS),
    OpenApiParameter("objects", str, enum=list(OBJECTS), description="Interfaces (default) or elements."),
    OpenApiParameter("window", str, enum=list(WINDOWS), description="The time until now; 15m is the default."),
    OpenApiParameter("text", str, description="Part of the name of an element, or of an interface."),
    size_parameter(PAGE_SIZE),
    sort_parameter(MEASURES),
]


_TOO_EXPENSIVE = Problem(
    503,
    "TOO_MUCH_COUNTED",
    "It takes too long",
    "The database did not get to summing up what was counted, or not within "
    f"{LONGEST.seconds} seconds: it has too much to do.",
    "Ask for a shorter window or for fewer elements, or again in a minute.",
)


class PerformanceTopApi(APIView):
    @extend_schema(
        operation_id="performance_top",
        tags=["Performance"],
        parameters=PARAMETERS,
        responses=answer(TopRow)(many=True),
    )
    def get(self, request: Request) -> Response:
        """The busiest first by default: IF-MIB counters of interfaces, or processor and memory of elements; managed
        elements only.

        A value is the mean over the part of the window that has counters (`seconds`); utilisation is traffic as a
        percentage of the interface's speed. Only interfaces with counters in the window are listed; elements without
        counters are listed at the end, as unknown. All pages of a list cover the same window.
        """
        query = TopQuerySerializer(data=request.query_params.dict())  # what is empty is wrong, and not left out
        query.is_valid(raise_exception=True)
        options = query.validated_data
        try:
            rows, following = busiest(
                filtered(element_list(), request, FILTERS),
                objects_of=options["objects"],
                window=WINDOWS[options["window"]],
                sort=options.get("sort") or ("-cpu" if options["objects"] == "elements" else "-utilisationIn"),
                text=options["text"],
                marker=_marker(request),
                size=requested_size(request, PAGE_SIZE),
            )
        except TooDearError as error:
            raise ProblemError(_TOO_EXPENSIVE) from error
        return Response([as_answer(row) for row in rows], headers=_next(request, following))


def _marker(request: Request) -> Marker | None:
    text = request.query_params.get(MARKER)
    try:
        return Marker.decode(text) if text else None
    except ValueError as error:
        raise bad_request("INVALID_MARKER", "The page marker is not one that we gave.") from error


def _next(request: Request, following: Marker | None) -> dict[str, str]:
    if following is None:
        return {}
    params = request.query_params.dict() | {MARKER: following.encode()}
    return {"Link": f'<{request.build_absolute_uri(request.path)}?{urlencode(params)}>; rel="next"'}
