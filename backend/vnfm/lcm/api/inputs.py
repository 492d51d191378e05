"""Request bodies of SOL003 5.5.2; what ETSI allows and we do not use is accepted and kept."""

from typing import Any

from rest_framework import serializers

from vnfm.lcm.domain.states import Operation

MAX_NAME = 100


class CreateVnfRequest(serializers.Serializer[Any]):
    """SOL003 5.5.2.3."""

    vnfdId = serializers.UUIDField()
    vnfInstanceName = serializers.CharField(max_length=MAX_NAME, required=False, default="", allow_blank=True)
    vnfInstanceDescription = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    metadata = serializers.DictField(required=False, default=dict)


class VimConnectionInfo(serializers.Serializer[Any]):
    """SOL003 4.4.1.6: a registered VIM by `vimId`, or full credentials in `interfaceInfo` and `accessInfo`."""

    vimId = serializers.CharField(required=False)
    vimType = serializers.ChoiceField(choices=["ETSINFV.OPENSTACK_KEYSTONE.V_3", "ETSINFV.OPENSTACK_KEYSTONE.v_3"])
    interfaceInfo = serializers.DictField(required=False)
    accessInfo = serializers.DictField(required=False)
    extra = serializers.DictField(required=False)


class ScaleInfo(serializers.Serializer[Any]):
    """SOL003 5.5.3.2."""

    aspectId = serializers.CharField(max_length=100)
    vnfdId = serializers.UUIDField(required=False)
    scaleLevel = serializers.IntegerField()


class ExtCp(serializers.Serializer[Any]):
    cpdId = serializers.CharField(max_length=100)
    cpConfig = serializers.DictField(required=False)


class ExtVirtualLink(serializers.Serializer[Any]):
    """SOL003 4.4.1.11: an existing network for the connection points of a VL."""

    id = serializers.CharField(max_length=100)
    resourceId = serializers.CharField(max_length=255)
    vimConnectionId = serializers.CharField(required=False)
    extCps = ExtCp(many=True)


class InstantiateVnfRequest(serializers.Serializer[Any]):
    """SOL003 5.5.2.4. `additionalParams`: the VNFD's settings by name, and `createFlavors`."""

    flavourId = serializers.CharField(max_length=100)
    instantiationLevelId = serializers.CharField(max_length=100, required=False)
    targetScaleLevelInfo = ScaleInfo(many=True, required=False)
    vimConnectionInfo = serializers.DictField(child=VimConnectionInfo(), required=False)
    extVirtualLinks = ExtVirtualLink(many=True, required=False)
    localizationLanguage = serializers.CharField(required=False)
    additionalParams = serializers.DictField(required=False)
    extensions = serializers.DictField(required=False)
    vnfConfigurableProperties = serializers.DictField(required=False)


class ScaleVnfRequest(serializers.Serializer[Any]):
    """SOL003 5.5.2.5."""

    type = serializers.ChoiceField(choices=["SCALE_OUT", "SCALE_IN"])
    aspectId = serializers.CharField(max_length=100)
    numberOfSteps = serializers.IntegerField(min_value=1, default=1)
    additionalParams = serializers.DictField(required=False)


class ScaleVnfToLevelRequest(serializers.Serializer[Any]):
    """SOL003 5.5.2.6: a level, or scale levels, and not both."""

    instantiationLevelId = serializers.CharField(max_length=100, required=False)
    scaleInfo = ScaleInfo(many=True, required=False)
    additionalParams = serializers.DictField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("instantiationLevelId" in attrs) == ("scaleInfo" in attrs):
            raise serializers.ValidationError("Give either instantiationLevelId or scaleInfo.")
        return attrs


class TerminateVnfRequest(serializers.Serializer[Any]):
    """SOL003 5.5.2.8. `gracefulTerminationTimeout` in seconds."""

    terminationType = serializers.ChoiceField(choices=["FORCEFUL", "GRACEFUL"])
    gracefulTerminationTimeout = serializers.IntegerField(min_value=0, max_value=3600, required=False)
    additionalParams = serializers.DictField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["terminationType"] == "FORCEFUL" and "gracefulTerminationTimeout" in attrs:
            raise serializers.ValidationError({"gracefulTerminationTimeout": ["Only with terminationType GRACEFUL."]})
        return attrs


REQUESTS: dict[Operation, type[serializers.Serializer[Any]]] = {
    Operation.INSTANTIATE: InstantiateVnfRequest,
    Operation.SCALE: ScaleVnfRequest,
    Operation.SCALE_TO_LEVEL: ScaleVnfToLevelRequest,
    Operation.TERMINATE: TerminateVnfRequest,
}


class PlanRequest(serializers.Serializer[Any]):
    """A question: what would this request do? Exactly one of vnfdId and vnfInstanceId."""

    operation = serializers.ChoiceField(choices=[operation.value for operation in Operation])
    vnfdId = serializers.UUIDField(required=False)
    vnfInstanceId = serializers.UUIDField(required=False)
    request = serializers.DictField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("vnfdId" in attrs) == ("vnfInstanceId" in attrs):
            raise serializers.ValidationError("Give either vnfdId or vnfInstanceId.")
        inner = REQUESTS[Operation(attrs["operation"])](data=attrs["request"])
        if not inner.is_valid():
            raise serializers.ValidationError({"request": inner.errors})
        return {**attrs, "request": inner.validated_data}
