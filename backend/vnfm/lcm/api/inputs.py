"""Request bodies of SOL003 5.5.2: ETSI's names and exclusions; what we do not support is refused, never ignored."""

from typing import Any

from rest_framework import serializers

from vnfm.kit.web.wire import StrictSerializer
from vnfm.lcm.api.input_types import WireSerializer
from vnfm.lcm.domain import requests
from vnfm.lcm.domain.states import Operation

CreateVnfRequest = WireSerializer.of(requests.CreateVnfRequest)
REQUESTS = {operation: WireSerializer.of(shape) for operation, shape in requests.REQUESTS.items()}


class CancelRequest(StrictSerializer):
    """SOL003 5.5.2.14 CancelMode."""

    cancelMode = serializers.ChoiceField(choices=requests.STOP_TYPES)


class PlanRequest(StrictSerializer):
    """The request to be planned. Exactly one of vnfdId and vnfInstanceId. That of CREATE_SNAPSHOT may name no
    snapshot: none needs to be created before its plan is agreed to.
    """

    operation = serializers.ChoiceField(choices=[operation.value for operation in Operation])
    vnfdId = serializers.UUIDField(required=False)
    vnfInstanceId = serializers.UUIDField(required=False)
    request = serializers.DictField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("vnfdId" in attrs) == ("vnfInstanceId" in attrs):
            raise serializers.ValidationError("Give either vnfdId or vnfInstanceId.")
        operation = Operation(attrs["operation"])
        optional = {"vnfSnapshotInfoId": {"required": False}} if operation == Operation.CREATE_SNAPSHOT else {}
        inner = REQUESTS[operation](data=attrs["request"], extra_kwargs=optional)
        if not inner.is_valid():
            raise serializers.ValidationError({"request": inner.errors})
        return {**attrs, "request": inner.validated_data}


class InstancePlanRequest(StrictSerializer):
    """PlanRequest where the URL names the instance."""

    operation = serializers.ChoiceField(choices=[operation.value for operation in Operation])
    request = serializers.DictField()
