"""Shapes of clouds that other contexts show, too."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vnfm.vims.domain.reachability import Reachability


class ConditionSerializer(serializers.Serializer[Reachability]):
    type = serializers.SerializerMethodField()
    status = serializers.ChoiceField(choices=("True", "False", "Unknown"))
    reason = serializers.CharField(help_text="One stable word, for programs.")
    message = serializers.CharField(help_text="A sentence, for people.")
    lastTransitionTime = serializers.DateTimeField(source="last_transition_time")
    observedAt = serializers.DateTimeField(source="observed_at", allow_null=True)

    @extend_schema_field(serializers.ChoiceField(choices=["VimReachable"]))
    def get_type(self, condition: Reachability) -> str:
        return "VimReachable"


class QuotaSerializer(serializers.Serializer[Mapping[str, Any]]):
    limit = serializers.IntegerField(allow_null=True, help_text="-1: unlimited; null: the cloud does not say.")
    used = serializers.IntegerField(allow_null=True)
