"""/api/v1/elements/{id}/counters: counters of an interface, or processor and memory of the element, over time."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.counters.api.time_range import time_range
from vnfm.counters.domain.counters import COUNTERS, SYSTEM
from vnfm.counters.domain.series import MAX_STEPS
from vnfm.counters.selectors.series import counted_objects, counter_series, utc
from vnfm.elements.selectors import element_get
from vnfm.kit.web.shapes import answer, as_answer

NAMES = tuple(COUNTERS)


class CounterQuerySerializer(serializers.Serializer[Any]):
    object = serializers.CharField(max_length=255, default=SYSTEM)
    names = serializers.CharField(required=False)
    to = serializers.DateTimeField(required=False)
    step = serializers.FloatField(required=False, min_value=1, max_value=366 * 86_400.0)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a keyword of Python."""
        return {**super().get_fields(), "from": serializers.DateTimeField(required=False)}

    def validate_names(self, value: str) -> list[str]:
        names = [name for name in value.split(",") if name]
        unknown = sorted(set(names) - set(NAMES))
        if unknown:
            raise serializers.ValidationError(f"There is no {unknown[0]}; there are {', '.join(NAMES)}.")
        return names


class CounterPointSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="Begin of the step.")
    seconds = serializers.FloatField(help_text="How much of the step has counters; 0: none.")
    values = serializers.DictField(
        child=serializers.FloatField(allow_null=True),
        help_text="By name: a rate per second, or a mean of percent; null where it is unknown.",
    )


class CounterSeriesSerializer(serializers.Serializer[Any]):
    elementId = serializers.UUIDField(source="element_id")
    object = serializers.CharField()
    step = serializers.FloatField(help_text="Seconds.")
    units = serializers.DictField(child=serializers.CharField())
    points = CounterPointSerializer(many=True)


@dataclass(frozen=True, slots=True)
class CountedObjects:
    objects: list[str]


STEP = {"type": "number", "format": "double", "minimum": 1, "maximum": 366 * 86_400}


def _parameter(name: str, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, description=description, **more)


PARAMETERS = [
    _parameter("object", f"An interface's name, or `{SYSTEM}` (processor, memory; the default)."),
    _parameter("names", f"Of {', '.join(NAMES)}, separated by commas. Default: all."),
    _parameter("from", "Default: an hour before `to`.", type=str),
    _parameter("to", "Default: now.", type=str),
    _parameter("step", f"Seconds; {MAX_STEPS} steps at most. Default: a sixtieth of the time.", type=STEP),
]


class CountersApi(APIView):
    @extend_schema(operation_id="element_counters", parameters=PARAMETERS, responses=CounterSeriesSerializer)
    def get(self, request: Request, element_id: UUID) -> Response:
        """Rates in equal steps. Steps without counters have no values: gaps are not interpolated."""
        element = element_get(element_id=element_id)
        query = CounterQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        options = query.validated_data
        span = time_range(options)
        names = options.get("names") or list(NAMES)
        points = counter_series(
            element_id=element.id,
            name=options["object"],
            counter_names=names,
            begin=span.begin,
            end=span.end,
            step=span.step,
        )
        answer = {
            "element_id": element.id,
            "object": options["object"],
            "step": span.step,
            "units": {name: COUNTERS[name].unit for name in names},
            "points": [{"at": utc(each.at), "seconds": each.seconds, "values": each.values} for each in points],
        }
        return Response(CounterSeriesSerializer(answer).data)


class CounterObjectsApi(APIView):
    @extend_schema(operation_id="element_counted_objects", responses=answer(CountedObjects))
    def get(self, request: Request, element_id: UUID) -> Response:
        """Objects with counters within the last hour: interfaces by name, and the element itself."""
        element = element_get(element_id=element_id)
        return Response(as_answer(CountedObjects(counted_objects(element_id=element.id))))
