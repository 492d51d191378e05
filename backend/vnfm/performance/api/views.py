"""/api/v1/elements/{id}/counters: what was counted of an interface, or of the element itself, over time."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.selectors import element_get
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, unprocessable
from vnfm.performance.domain.counters import COUNTERS, SYSTEM
from vnfm.performance.domain.series import MOST_STEPS
from vnfm.performance.selectors import moment, objects, series

NAMES = tuple(COUNTERS)
DEFAULT_SPAN = timedelta(hours=1)
DEFAULT_STEPS = 60


class CounterQuerySerializer(serializers.Serializer[Any]):
    object = serializers.CharField(max_length=255, default=SYSTEM)
    names = serializers.CharField(required=False)
    to = serializers.DateTimeField(required=False)
    step = serializers.FloatField(required=False, min_value=1, max_value=366 * 86_400.0)

    def get_fields(self) -> dict[str, Any]:
        """With `from`, which is a word of Python's."""
        return {**super().get_fields(), "from": serializers.DateTimeField(required=False)}

    def validate_names(self, value: str) -> list[str]:
        names = [name for name in value.split(",") if name]
        unknown = sorted(set(names) - set(NAMES))
        if unknown:
            raise serializers.ValidationError(f"There is no {unknown[0]}; there are {', '.join(NAMES)}.")
        return names


class CounterPointSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="Where the step begins.")
    seconds = serializers.FloatField(help_text="How much of the step was counted; 0: nothing is known of it.")
    values = serializers.DictField(
        child=serializers.FloatField(allow_null=True),
        help_text="By name: a rate per second, or a mean of percent; null where it is not known.",
    )


class CounterSeriesSerializer(serializers.Serializer[Any]):
    elementId = serializers.UUIDField(source="element_id")
    object = serializers.CharField()
    step = serializers.FloatField(help_text="Seconds.")
    units = serializers.DictField(child=serializers.CharField())
    points = CounterPointSerializer(many=True)


class CountedObjectsSerializer(serializers.Serializer[Any]):
    objects = serializers.ListField(child=serializers.CharField())


def _parameter(name: str, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, description=description, **more)


PARAMETERS = [
    _parameter("object", f"An interface's name, or `{SYSTEM}` (processor, memory), which is the default."),
    _parameter("names", f"Of {', '.join(NAMES)}, with commas between; all where it is not given."),
    _parameter("from", "An hour before `to` where it is not given.", type=str),
    _parameter("to", "Now where it is not given.", type=str),
    _parameter(
        "step", f"Seconds; {MOST_STEPS} steps at most. A sixtieth of the time where it is not given.", type=float
    ),
]


class CountersApi(APIView):
    @extend_schema(operation_id="element_counters", parameters=PARAMETERS, responses=CounterSeriesSerializer)
    def get(self, request: Request, element_id: UUID) -> Response:
        """Rates step by step. A step in which nothing was counted has no values: gaps are shown, and not bridged."""
        element = element_get(element_id=element_id)
        query = CounterQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked = query.validated_data
        end = asked.get("to") or clock.now()
        begin = asked.get("from") or end - DEFAULT_SPAN
        span = (end - begin).total_seconds()
        step = asked.get("step") or max(1.0, span / DEFAULT_STEPS)
        if span <= 0 or span / step > MOST_STEPS:
            words = "`to` must be later than `from`." if span <= 0 else f"That are more than {MOST_STEPS} steps."
            raise unprocessable(
                "INVALID_TIME", words, [FieldError("/from", words)], "Ask for less, or for longer steps."
            )
        names = asked.get("names") or list(NAMES)
        points = series(
            element_id=element.id, name=asked["object"], counter_names=names, begin=begin, end=end, step=step
        )
        shown = {
            "element_id": element.id,
            "object": asked["object"],
            "step": step,
            "units": {name: COUNTERS[name].unit for name in names},
            "points": [{"at": moment(one.at), "seconds": one.seconds, "values": one.values} for one in points],
        }
        return Response(CounterSeriesSerializer(shown).data)


class CounterObjectsApi(APIView):
    @extend_schema(operation_id="element_counted_objects", responses=CountedObjectsSerializer)
    def get(self, request: Request, element_id: UUID) -> Response:
        """Of what anything was counted within the last hour: interfaces by name, and `system`."""
        element = element_get(element_id=element_id)
        return Response(CountedObjectsSerializer({"objects": objects(element_id=element.id)}).data)
