"""Boards of charts on the wire."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers

from vnfm.counters.domain.boards import MAX_CHARTS, MAX_SERIES, PROBE_COUNTERS, SeriesRef, SourceType, counters_of
from vnfm.counters.domain.counters import COUNTERS, SYSTEM
from vnfm.counters.domain.series import MAX_STEPS
from vnfm.counters.models import Board
from vnfm.kit.web.wire import JsonSerializer

SOURCES = [(each.value, each.name) for each in SourceType]
COUNTER_NAMES = (*COUNTERS, *PROBE_COUNTERS)
OBJECT = f"An interface's name, or `{SYSTEM}`; of a VNF instance a path of its traffic probes."


class ChartSeriesSerializer(JsonSerializer):
    sourceType = serializers.ChoiceField(source="source_type", choices=SOURCES)
    sourceId = serializers.UUIDField(source="source_id", help_text="Id of the network element or VNF instance.")
    object = serializers.CharField(max_length=255, help_text=OBJECT)
    counter = serializers.ChoiceField(choices=COUNTER_NAMES)
    sourceName = serializers.CharField(
        source="source_name", read_only=True, help_text="Now, or when it was last there."
    )
    sourceExists = serializers.BooleanField(source="source_exists", read_only=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        known = counters_of(SourceType(attrs["source_type"]), attrs["object"])
        if attrs["counter"] not in known:
            raise serializers.ValidationError({"counter": f"The counters of {attrs['object']} are {', '.join(known)}."})
        return attrs


def series_ref(values: dict[str, Any]) -> SeriesRef:
    """The series that a request names."""
    return SeriesRef(
        source_type=SourceType(values["source_type"]),
        source_id=values["source_id"],
        object=values["object"],
        counter=values["counter"],
    )


class ChartWriteSerializer(JsonSerializer):
    id = serializers.UUIDField(required=False, help_text="Of a chart that the board has; left out: a new chart.")
    title = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="Empty: by its series.")
    series = serializers.ListField(child=ChartSeriesSerializer(), min_length=1, max_length=MAX_SERIES)


class ChartSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField(help_text="Empty: by its series.")
    series = ChartSeriesSerializer(many=True)


class BoardWriteSerializer(JsonSerializer):
    name = serializers.CharField(max_length=100)
    shared = serializers.BooleanField(required=False, help_text="Whether other users may see it.")
    position = serializers.IntegerField(
        min_value=0,
        max_value=1000,
        required=False,
        help_text="Move it to this place among the user's boards, from 0 on.",
    )
    charts = serializers.ListField(
        child=ChartWriteSerializer(),
        max_length=MAX_CHARTS,
        required=False,
        help_text="In their order; they replace all.",
    )


class BoardSerializer(serializers.ModelSerializer[Board]):
    ownerName = serializers.CharField(source="owner.username")
    isOwn = serializers.SerializerMethodField(help_text="Whether the caller may change it.")
    charts = serializers.SerializerMethodField()
    createdAt = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Board
        fields = ("id", "name", "ownerName", "isOwn", "shared", "position", "charts", "createdAt", "version")
        read_only_fields = fields

    def get_isOwn(self, board: Board) -> bool:
        return bool(board.owner_id == self.context["user_id"])

    @extend_schema_field(ChartSerializer(many=True))
    def get_charts(self, board: Board) -> list[Any]:
        return [{**chart, "series": [self._series(each) for each in chart["series"]]} for chart in board.charts]

    def _series(self, stored: dict[str, Any]) -> Any:
        ref, names = SeriesRef.from_json(stored), self.context["names"]
        name = names.get((ref.source_type, ref.source_id))
        return {
            "sourceType": ref.source_type.value,
            "sourceId": str(ref.source_id),
            "object": ref.object,
            "counter": ref.counter,
            "sourceName": ref.source_name if name is None else name,
            "sourceExists": name is not None,
        }


class BoardQuerySerializer(serializers.Serializer[Any]):
    to = serializers.DateTimeField(required=False)
    step = serializers.FloatField(required=False, min_value=1, max_value=366 * 86_400.0)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a keyword of Python."""
        return {**super().get_fields(), "from": serializers.DateTimeField(required=False)}


class SeriesValuesSerializer(serializers.Serializer[Any]):
    sourceType = serializers.ChoiceField(source="ref.source_type", choices=SOURCES)
    sourceId = serializers.UUIDField(source="ref.source_id")
    object = serializers.CharField(source="ref.object")
    counter = serializers.ChoiceField(source="ref.counter", choices=COUNTER_NAMES)
    unit = serializers.CharField()
    values = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        help_text="One for each step: a rate per second, or a mean of percent; null where it is unknown.",
    )


class BoardSeriesSerializer(serializers.Serializer[Any]):
    step = serializers.FloatField(help_text="Seconds.")
    at = serializers.ListField(child=serializers.DateTimeField(), help_text="Begin of each step.")
    series = SeriesValuesSerializer(many=True)


BOARD_SERIES_PARAMETERS = [
    OpenApiParameter("from", str, description="Default: an hour before `to`."),
    OpenApiParameter("to", str, description="Default: now."),
    OpenApiParameter(
        "step",
        {"type": "number", "format": "double", "minimum": 1, "maximum": 366 * 86_400},
        description=f"Seconds; {MAX_STEPS} steps at most. Default: a sixtieth of the time.",
    ),
]
