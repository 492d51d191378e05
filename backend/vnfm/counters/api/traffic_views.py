"""/api/v1/vnf_instances/{id}/traffic: what probes count through a VNF, over time."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.counters.api.time_range import time_range
from vnfm.counters.domain.series import MAX_STEPS
from vnfm.counters.selectors.series import Traffic, traffic_series
from vnfm.counters.services.traffic import traffic_record
from vnfm.history.samples import TrafficSample
from vnfm.history.traffic import LONGEST
from vnfm.inventory.selectors import instance_get
from vnfm.kit.web.shapes import answer, as_answer

MOST_SAMPLES = 1000
MOST_PACKETS = 10**9
GAP = "Longest time without a packet, in seconds."


class TrafficSampleSerializer(serializers.Serializer[Any]):
    path = serializers.CharField(max_length=100, help_text="From where to where, as `customer-1 → customer-2`.")
    at = serializers.DateTimeField(help_text="Begin of what the sample covers.")
    seconds = serializers.FloatField(min_value=0.001, max_value=LONGEST.total_seconds())
    sent = serializers.IntegerField(min_value=0, max_value=MOST_PACKETS, help_text="Numbered packets.")
    lost = serializers.IntegerField(min_value=0, max_value=MOST_PACKETS)
    gap = serializers.FloatField(min_value=0, max_value=86_400.0, help_text=GAP)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["lost"] > attrs["sent"]:
            raise serializers.ValidationError({"lost": "More were lost than sent."})
        return attrs


class TrafficReportSerializer(serializers.Serializer[Any]):
    samples = serializers.ListField(child=TrafficSampleSerializer(), min_length=1, max_length=MOST_SAMPLES)


class TrafficQuerySerializer(serializers.Serializer[Any]):
    to = serializers.DateTimeField(required=False)
    step = serializers.FloatField(required=False, min_value=1, max_value=86_400.0)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a keyword of Python."""
        return {**super().get_fields(), "from": serializers.DateTimeField(required=False)}


PARAMETERS = [
    OpenApiParameter("from", str, description="Default: an hour before `to`."),
    OpenApiParameter("to", str, description="Default: now."),
    OpenApiParameter(
        "step",
        {"type": "number", "format": "double", "minimum": 1, "maximum": 86_400},
        description=f"Seconds; {MAX_STEPS} steps at most. Default: a sixtieth of the time.",
    ),
]


class TrafficApi(APIView):
    @extend_schema(
        operation_id="vnf_instance_traffic", tags=["Performance"], parameters=PARAMETERS, responses=answer(Traffic)
    )
    def get(self, request: Request, instance_id: UUID) -> Response:
        """Packets sent and lost through the VNF, by path and in equal steps, as traffic probes report them."""
        instance = instance_get(instance_id=instance_id)
        query = TrafficQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        span = time_range(query.validated_data)
        paths = traffic_series(instance_id=instance.id, begin=span.begin, end=span.end, step=span.step)
        return Response(as_answer(Traffic(span.step, paths)))

    @extend_schema(
        operation_id="vnf_instance_traffic_report",
        tags=["Performance"],
        request=TrafficReportSerializer,
        responses={204: OpenApiResponse(description="Stored. Reporting it again changes nothing.")},
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        """Report what a traffic probe counted through the VNF. Stories of its operations tell its losses."""
        instance = instance_get(instance_id=instance_id)
        given = TrafficReportSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        samples = [TrafficSample(**sample) for sample in given.validated_data["samples"]]
        traffic_record(instance_id=instance.id, samples=samples)
        return Response(status=204)
