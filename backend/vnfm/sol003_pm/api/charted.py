"""/api/v1/elements/{id}/thresholds: what a chart of the element's counters draws beside their values."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.counters.domain.counters import SYSTEM
from vnfm.elements.selectors import element_get
from vnfm.sol003_pm.selectors.charted import ThresholdOrigin, thresholds_on


class ThresholdQuerySerializer(serializers.Serializer[Any]):
    object = serializers.CharField(max_length=255, default=SYSTEM)


class CounterThresholdSerializer(serializers.Serializer[Any]):
    counter = serializers.CharField(help_text="As in `element_counters`.")
    value = serializers.FloatField(help_text="In the unit of the counter: a rate per second, or percent.")
    hysteresis = serializers.FloatField(help_text="Half the width of the band in which nothing is crossed; 0: none.")
    origin = serializers.ChoiceField(list(ThresholdOrigin))
    id = serializers.UUIDField(help_text="Of the PM threshold, the automation policy or the threshold rule.")
    name = serializers.CharField(help_text="Of the policy or rule, or the performance metric.")
    clearValue = serializers.FloatField(
        source="clear_value", allow_null=True, help_text="Where the alarm of a threshold rule clears; null: of others."
    )


class CounterThresholdsSerializer(serializers.Serializer[Any]):
    elementId = serializers.UUIDField(source="element_id")
    object = serializers.CharField()
    thresholds = CounterThresholdSerializer(many=True)


OBJECT = OpenApiParameter(
    "object", {"type": "string", "maxLength": 255}, description=f"An interface's name, or `{SYSTEM}` (the default)."
)


class ElementThresholdsApi(APIView):
    @extend_schema(operation_id="element_thresholds", parameters=[OBJECT], responses=CounterThresholdsSerializer)
    def get(self, request: Request, element_id: UUID) -> Response:
        """PM thresholds, threshold rules and policies that watch counters of the object; no paused policies."""
        element = element_get(element_id=element_id)
        query = ThresholdQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        name = query.validated_data["object"]
        answer = {"element_id": element.id, "object": name, "thresholds": thresholds_on(element, name)}
        return Response(CounterThresholdsSerializer(answer).data)
