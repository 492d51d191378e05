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
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.sol003_pm.selectors.charted import CounterThresholds, thresholds_on


class ThresholdQuerySerializer(serializers.Serializer[Any]):
    object = serializers.CharField(max_length=255, default=SYSTEM)


OBJECT = OpenApiParameter(
    "object", {"type": "string", "maxLength": 255}, description=f"An interface's name, or `{SYSTEM}` (the default)."
)


class ElementThresholdsApi(APIView):
    @extend_schema(operation_id="element_thresholds", parameters=[OBJECT], responses=answer(CounterThresholds))
    def get(self, request: Request, element_id: UUID) -> Response:
        """PM thresholds, threshold rules and policies that watch counters of the object; no paused policies."""
        element = element_get(element_id=element_id)
        query = ThresholdQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        name = query.validated_data["object"]
        return Response(as_answer(CounterThresholds(element.id, name, thresholds_on(element, name))))
