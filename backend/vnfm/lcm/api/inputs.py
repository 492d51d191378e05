"""Request bodies of SOL003 5.5.2: ETSI's names and exclusions; what we do not support is refused, never ignored."""

from typing import Any, ClassVar

from rest_framework import serializers

from vnfm.inventory.models import Vnfc
from vnfm.kit.http import json_size
from vnfm.kit.wire import Reasons, StrictSerializer
from vnfm.lcm.api.input_types import (
    MAX_COUNT,
    MAX_ID,
    ExtManagedVirtualLink,
    ExtVirtualLink,
    IdField,
    KeyedField,
    ScaleInfo,
    VimConnectionInfo,
    WireSerializer,
)
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.selectors.snapshots import ID_PARAM
from vnfm.lcm.wire.dialects import connectivity, level, snapshot_task

MAX_NAME = 100
MAX_DESCRIPTION = 500
MAX_METADATA = 64 * 1024
"""Bytes of JSON: notes for other systems, not a store."""
MAX_GRACE = 24 * 3600
"""Seconds that a graceful stop may take; SOL003 has no limit."""

STOP_TYPES = sorted(mode.value for mode in CancelMode)
"""Of a termination, a stop and a cancellation (SOL003 5.5.4.6 and 5.5.4.8)."""


def _bounded(value: dict[str, Any]) -> None:
    if json_size(value) > MAX_METADATA:
        raise serializers.ValidationError(f"More than {MAX_METADATA // 1024} KiB of metadata.")


class MetadataField(serializers.DictField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validators=[_bounded], **kwargs)


class CreateVnfRequest(WireSerializer):
    """SOL003 5.5.2.3."""

    cannot: ClassVar[Reasons] = {"additionalParams": "Nothing is chosen before the instantiation."}

    vnfdId = serializers.UUIDField()
    vnfInstanceName = serializers.CharField(max_length=MAX_NAME, required=False, default="", allow_blank=True)
    vnfInstanceDescription = serializers.CharField(
        max_length=MAX_DESCRIPTION, required=False, default="", allow_blank=True
    )
    metadata = MetadataField(required=False, default=dict)


class _Params(WireSerializer):
    """`additionalParams` of almost every request: the VNFD's settings and a few reserved names."""

    additionalParams = serializers.DictField(required=False)


class _Attributes(_Params):
    extensions = serializers.DictField(required=False)
    vnfConfigurableProperties = serializers.DictField(required=False)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(connectivity(data))


class InstantiateVnfRequest(_Attributes):
    """SOL003 5.5.2.4. `additionalParams`: the VNFD's settings by name, `createFlavors` (whether missing Nova flavors
    are created; without it they are where the cloud's user may), `adoptStack`, and the mediation policies of its
    element: `snmpPolicy`, `sshPolicy`, `netconfPolicy`. With the last one it is configured by NETCONF, so the
    package's first configuration has to be XML.
    """

    flavourId = serializers.CharField(max_length=100, allow_blank=True, help_text="Blank with adoptStack: as it shows.")
    instantiationLevelId = serializers.CharField(max_length=100, required=False)
    targetScaleLevelInfo = ScaleInfo(many=True, required=False)
    vimConnectionInfo = KeyedField(key="id", child=VimConnectionInfo(), required=False)
    extVirtualLinks = ExtVirtualLink(many=True, required=False)
    extManagedVirtualLinks = ExtManagedVirtualLink(many=True, required=False)
    localizationLanguage = serializers.RegexField(
        r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$",
        required=False,
        max_length=100,
        help_text="Of RFC 5646. Without effect: no VNFD here declares languages to choose from.",
    )


class ScaleVnfRequest(_Params):
    """SOL003 5.5.2.5."""

    type = serializers.ChoiceField(choices=["SCALE_OUT", "SCALE_IN"])
    aspectId = serializers.CharField(max_length=100)
    numberOfSteps = serializers.IntegerField(min_value=1, max_value=MAX_COUNT, default=1)


class ScaleVnfToLevelRequest(_Params):
    """SOL003 5.5.2.6: a level, or scale levels, and not both."""

    instantiationLevelId = serializers.CharField(max_length=100, required=False)
    scaleInfo = ScaleInfo(many=True, required=False, allow_empty=False)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(level(data))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("instantiationLevelId" in attrs) == ("scaleInfo" in attrs):
            raise serializers.ValidationError("Give either instantiationLevelId or scaleInfo.")
        aspects = [info["aspectId"] for info in attrs.get("scaleInfo", ())]
        if len(set(aspects)) < len(aspects):
            raise serializers.ValidationError({"scaleInfo": ["Every aspect only once."]})
        return attrs


class ChangeVnfFlavourRequest(_Attributes):
    """SOL003 5.5.2.7.

    `additionalParams`: as for the instantiation, and `drain` (false: routers are not drained before they are resized or
    removed).
    """

    newFlavourId = serializers.CharField(max_length=100)
    instantiationLevelId = serializers.CharField(max_length=100, required=False)
    targetScaleLevelInfo = ScaleInfo(many=True, required=False)
    vimConnectionInfo = KeyedField(key="id", child=VimConnectionInfo(), required=False)
    extVirtualLinks = ExtVirtualLink(many=True, required=False)
    extManagedVirtualLinks = ExtManagedVirtualLink(many=True, required=False)


class TerminateVnfRequest(_Params):
    """SOL003 5.5.2.8. `gracefulTerminationTimeout` in seconds."""

    terminationType = serializers.ChoiceField(choices=STOP_TYPES)
    gracefulTerminationTimeout = serializers.IntegerField(min_value=0, max_value=MAX_GRACE, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["terminationType"] == "FORCEFUL" and "gracefulTerminationTimeout" in attrs:
            raise serializers.ValidationError({"gracefulTerminationTimeout": ["Only with terminationType GRACEFUL."]})
        return attrs


class HealVnfRequest(_Params):
    """SOL003 5.5.2.9, and SOL002's `vnfcInstanceId`: one VNFM serves both.

    `additionalParams`: `vnfcToHeal`, our name for the same, `method`, and `drain` (false: routers that work are not
    drained first).
    """

    cannot: ClassVar[Reasons] = {
        "healScript": "Packages bring no scripts; additionalParams.method names a way to heal."
    }

    cause = serializers.CharField(max_length=1000, required=False)
    vnfcInstanceId = serializers.ListField(
        child=serializers.CharField(max_length=MAX_ID), required=False, allow_empty=False
    )


class OperateVnfRequest(_Params):
    """SOL003 5.5.2.10, and SOL002's `vnfcInstanceId`. `gracefulStopTimeout` in seconds.

    `additionalParams`: `drain` (false: routers are not drained before they stop).
    """

    vnfcInstanceId = serializers.ListField(
        child=serializers.CharField(max_length=MAX_ID), required=False, allow_empty=False
    )
    changeStateTo = serializers.ChoiceField(choices=Vnfc.Desired.choices)
    stopType = serializers.ChoiceField(choices=STOP_TYPES, required=False)
    gracefulStopTimeout = serializers.IntegerField(min_value=0, max_value=MAX_GRACE, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        started = attrs["changeStateTo"] == "STARTED"
        graceful = attrs.get("stopType") == "GRACEFUL"
        if started and "stopType" in attrs:
            raise serializers.ValidationError({"stopType": ["Only with changeStateTo STOPPED."]})
        if graceful and "gracefulStopTimeout" not in attrs:
            raise serializers.ValidationError({"gracefulStopTimeout": ["Needed with stopType GRACEFUL."]})
        if not graceful and "gracefulStopTimeout" in attrs:
            raise serializers.ValidationError({"gracefulStopTimeout": ["Only with stopType GRACEFUL."]})
        return attrs


class ChangeExtVnfConnectivityRequest(_Params):
    """SOL003 5.5.2.11."""

    extVirtualLinks = ExtVirtualLink(many=True, allow_empty=False)
    vimConnectionInfo = KeyedField(key="id", child=VimConnectionInfo(), required=False)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(connectivity(data))


class ChangeCurrentVnfPkgRequest(_Attributes):
    """SOL003 5.5.2.11a.

    `additionalParams`: as for the instantiation, and `drain` (false: routers are not drained before they are rebuilt).
    """

    vnfdId = IdField()
    vimConnectionInfo = KeyedField(key="id", child=VimConnectionInfo(), required=False)
    extVirtualLinks = ExtVirtualLink(many=True, required=False)
    extManagedVirtualLinks = ExtManagedVirtualLink(many=True, required=False)


class VnfInfoModificationRequest(WireSerializer):
    """SOL003 5.5.2.12, a merge patch: null removes. Older versions named the package by `vnfPkgId`."""

    cannot: ClassVar[Reasons] = {"vimConnectionInfoDeleteIds": "An instance stays in its VIM."}

    vnfInstanceName = serializers.CharField(max_length=MAX_NAME, required=False, allow_blank=True, allow_null=True)
    vnfInstanceDescription = serializers.CharField(
        max_length=MAX_DESCRIPTION, required=False, allow_blank=True, allow_null=True
    )
    vnfdId = IdField(required=False)
    vnfPkgId = IdField(required=False)
    metadata = MetadataField(required=False)
    extensions = serializers.DictField(required=False)
    vnfConfigurableProperties = serializers.DictField(required=False)
    vimConnectionInfo = KeyedField(key="id", child=VimConnectionInfo(), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Name something to change.")
        if {"vnfdId", "vnfPkgId"} <= attrs.keys():
            raise serializers.ValidationError({"vnfPkgId": ["Not together with vnfdId."]})
        return attrs


class _SnapshotRequest(_Params):
    vnfSnapshotInfoId = IdField()

    def known(self) -> set[str]:
        """In every edition: the task is served for clients that mix them."""
        return super().known() | {ID_PARAM}

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(snapshot_task(data))


class CreateVnfSnapshotRequest(_SnapshotRequest):
    """SOL003 5.5.2.21."""

    userDefinedData = MetadataField(required=False)


class RevertToVnfSnapshotRequest(_SnapshotRequest):
    """SOL003 5.5.2.26."""


class CancelRequest(StrictSerializer):
    """SOL003 5.5.2.14 CancelMode."""

    cancelMode = serializers.ChoiceField(choices=STOP_TYPES)


REQUESTS: dict[Operation, type[WireSerializer]] = {
    Operation.INSTANTIATE: InstantiateVnfRequest,
    Operation.SCALE: ScaleVnfRequest,
    Operation.SCALE_TO_LEVEL: ScaleVnfToLevelRequest,
    Operation.CHANGE_FLAVOUR: ChangeVnfFlavourRequest,
    Operation.OPERATE: OperateVnfRequest,
    Operation.HEAL: HealVnfRequest,
    Operation.CHANGE_EXT_CONN: ChangeExtVnfConnectivityRequest,
    Operation.CHANGE_VNFPKG: ChangeCurrentVnfPkgRequest,
    Operation.MODIFY_INFO: VnfInfoModificationRequest,
    Operation.TERMINATE: TerminateVnfRequest,
    Operation.CREATE_SNAPSHOT: CreateVnfSnapshotRequest,
    Operation.REVERT_TO_SNAPSHOT: RevertToVnfSnapshotRequest,
}


class PlannedVnfSnapshotRequest(CreateVnfSnapshotRequest):
    vnfSnapshotInfoId = IdField(required=False)


PLANNED: dict[Operation, type[WireSerializer]] = {**REQUESTS, Operation.CREATE_SNAPSHOT: PlannedVnfSnapshotRequest}


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
        inner = PLANNED[Operation(attrs["operation"])](data=attrs["request"])
        if not inner.is_valid():
            raise serializers.ValidationError({"request": inner.errors})
        return {**attrs, "request": inner.validated_data}


class InstancePlanRequest(StrictSerializer):
    """PlanRequest where the URL names the instance."""

    operation = serializers.ChoiceField(choices=[operation.value for operation in Operation])
    request = serializers.DictField()
