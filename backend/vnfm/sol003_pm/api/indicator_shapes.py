"""VnfIndicator (SOL003 8.5.2.2). Its answers are made by `indicators.indicator_out`; this describes them."""

from typing import Any

from rest_framework import serializers

from vnfm.kit.web.wire import LinkSerializer


class IndicatorValueOut(serializers.Serializer[Any]):
    value = serializers.JSONField(allow_null=True, help_text="A word or a number; null while it is unknown.")
    reason = serializers.CharField(required=False, help_text="Why it is unknown.")
    planned = serializers.IntegerField(required=False, help_text="Of VNFCs: how many there should be.")
    unit = serializers.CharField(required=False)
    periodSeconds = serializers.IntegerField(
        required=False, help_text="Of counters: the period that value is of; it ends at observedAt."
    )
    observedAt = serializers.DateTimeField(required=False)


class IndicatorLinks(serializers.Serializer[Any]):
    self = LinkSerializer()
    vnfInstance = LinkSerializer()


class VnfIndicatorOut(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="As the VNFD declares it; state, vnfcs and alarms are our observation.")
    name = serializers.CharField(required=False)
    value = IndicatorValueOut()
    vnfInstanceId = serializers.UUIDField()
    _links = IndicatorLinks()
