"""Answers: data types of SOL003 5.5.2, and plan previews of /api/v1."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from vnfm.catalog.wire.reports import FindingSerializer
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit.wire import LinkSerializer, ProblemDetails
from vnfm.lcm.api.inputs import STOP_TYPES
from vnfm.lcm.domain.states import OperationState, StepState

CHANGES = ("ADDED", "MODIFIED", "REMOVED")


class ScaleStatus(serializers.Serializer[Any]):
    aspectId = serializers.CharField()
    scaleLevel = serializers.IntegerField()


class ResourceHandle(serializers.Serializer[Any]):
    vimConnectionId = serializers.CharField()
    resourceId = serializers.CharField()
    vimLevelResourceType = serializers.CharField()


class ExtCpInfo(serializers.Serializer[Any]):
    id = serializers.CharField()
    cpdId = serializers.CharField()
    cpConfigId = serializers.CharField()
    cpProtocolInfo = serializers.ListField(child=serializers.DictField())
    extLinkPortId = serializers.CharField()
    associatedVnfcCpId = serializers.CharField()


class VnfcCpInfo(serializers.Serializer[Any]):
    id = serializers.CharField()
    cpdId = serializers.CharField()
    vnfExtCpId = serializers.CharField(required=False)
    cpProtocolInfo = serializers.ListField(child=serializers.DictField())


class VnfcResourceInfo(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    vduId = serializers.CharField()
    computeResource = ResourceHandle()
    vnfcCpInfo = VnfcCpInfo(many=True, required=False)
    metadata = serializers.DictField(required=False)


class VirtualLinkResourceInfo(serializers.Serializer[Any]):
    id = serializers.CharField()
    vnfVirtualLinkDescId = serializers.CharField()
    networkResource = ResourceHandle()


class ExtLinkPortInfo(serializers.Serializer[Any]):
    id = serializers.CharField()
    resourceHandle = ResourceHandle()
    cpInstanceId = serializers.CharField()


class ExtVirtualLinkInfo(serializers.Serializer[Any]):
    id = serializers.CharField()
    resourceHandle = ResourceHandle()
    extLinkPorts = ExtLinkPortInfo(many=True)
    currentVnfExtCpData = serializers.ListField(child=serializers.DictField())


class InstantiatedVnfInfo(serializers.Serializer[Any]):
    flavourId = serializers.CharField()
    vnfState = serializers.ChoiceField(choices=Vnfc.Desired.choices)
    scaleStatus = ScaleStatus(many=True, required=False)
    maxScaleLevels = ScaleStatus(many=True, required=False)
    extCpInfo = ExtCpInfo(many=True)
    extVirtualLinkInfo = ExtVirtualLinkInfo(many=True, required=False)
    vnfcResourceInfo = VnfcResourceInfo(many=True, required=False)
    vnfVirtualLinkResourceInfo = VirtualLinkResourceInfo(many=True, required=False)


class VnfInstanceOut(serializers.Serializer[Any]):
    """SOL003 5.5.2.2 VnfInstance; lists leave out what is optional unless asked."""

    id = serializers.UUIDField()
    vnfInstanceName = serializers.CharField()
    vnfInstanceDescription = serializers.CharField()
    vnfdId = serializers.UUIDField()
    vnfProvider = serializers.CharField()
    vnfProductName = serializers.CharField()
    vnfSoftwareVersion = serializers.CharField()
    vnfdVersion = serializers.CharField()
    vimConnectionInfo = serializers.DictField(child=serializers.DictField(), required=False)
    instantiationState = serializers.ChoiceField(choices=VnfInstance.InstantiationState.choices)
    instantiatedVnfInfo = InstantiatedVnfInfo(required=False)
    metadata = serializers.DictField(required=False)
    _links = serializers.DictField(child=LinkSerializer())


class AffectedVnfc(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    vduId = serializers.CharField()
    vnfdId = serializers.UUIDField(required=False)
    changeType = serializers.ChoiceField(choices=CHANGES)
    computeResource = ResourceHandle()
    affectedVnfcCpIds = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField()


class AffectedVirtualLink(serializers.Serializer[Any]):
    id = serializers.CharField()
    vnfVirtualLinkDescId = serializers.CharField()
    vnfdId = serializers.UUIDField(required=False)
    changeType = serializers.ChoiceField(choices=CHANGES)
    networkResource = ResourceHandle()


class AffectedExtLinkPort(serializers.Serializer[Any]):
    id = serializers.CharField()
    changeType = serializers.ChoiceField(choices=CHANGES)
    extCpInstanceId = serializers.CharField()
    resourceHandle = ResourceHandle()


class ResourceChanges(serializers.Serializer[Any]):
    """What the operation had changed when it last stopped."""

    affectedVnfcs = AffectedVnfc(many=True, required=False)
    affectedVirtualLinks = AffectedVirtualLink(many=True, required=False)
    affectedExtLinkPorts = AffectedExtLinkPort(many=True, required=False)


class VnfLcmOpOccOut(serializers.Serializer[Any]):
    """SOL003 5.5.2.13 VnfLcmOpOcc; lists leave out what is optional unless asked."""

    id = serializers.UUIDField()
    operationState = serializers.ChoiceField(choices=[state.value for state in OperationState])
    stateEnteredTime = serializers.DateTimeField()
    startTime = serializers.DateTimeField()
    vnfInstanceId = serializers.UUIDField()
    grantId = serializers.CharField(required=False)
    operation = serializers.CharField()
    isAutomaticInvocation = serializers.BooleanField()
    operationParams = serializers.DictField(required=False)
    isCancelPending = serializers.BooleanField()
    cancelMode = serializers.ChoiceField(choices=STOP_TYPES, required=False)
    error = ProblemDetails(required=False)
    resourceChanges = ResourceChanges(required=False)
    changedInfo = serializers.DictField(required=False)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)
    _links = serializers.DictField(child=LinkSerializer())


class ActionOut(serializers.Serializer[Any]):
    action = serializers.CharField()
    enabled = serializers.BooleanField()
    disabledReason = serializers.CharField(source="disabled_reason")


ONE_WAY = "Why it cannot be undone once it has begun; empty when it can."


class CallOut(serializers.Serializer[Any]):
    """A request that changed, or was to change, something in the cloud."""

    at = serializers.DateTimeField()
    service = serializers.CharField()
    method = serializers.CharField()
    path = serializers.CharField()
    status = serializers.IntegerField(help_text="HTTP status; 0: there was no answer.")
    requestId = serializers.CharField(
        source="request_id", help_text="OpenStack's id of the request: to be searched in its logs."
    )


class GrantCheckOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=["True", "False", "Unknown"])
    message = serializers.CharField()
    binding = serializers.BooleanField(help_text="Whether it forbids the operation when it is False.")


class StepOut(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    name = serializers.CharField(source="kind")
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=[state.value for state in StepState])
    message = serializers.CharField()
    attempts = serializers.IntegerField()
    startedAt = serializers.DateTimeField(source="started_at", allow_null=True)
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)
    problem = ProblemDetails(allow_null=True)
    oneWay = serializers.CharField(source="one_way", help_text=ONE_WAY)
    output = serializers.CharField(help_text="The result, such as the difference that a configuration made.")
    calls = CallOut(many=True)


class OperationGrantOut(serializers.Serializer[Any]):
    """Part of SOL003 9.5.2.3."""

    id = serializers.CharField()
    grantedBy = serializers.ChoiceField(choices=["vnfm", "nfvo"])
    at = serializers.DateTimeField()
    checks = GrantCheckOut(many=True)


@extend_schema_serializer(component_name="GrantAskedOut")
class PendingGrantOut(serializers.Serializer[Any]):
    """A grant that an NFVO has still to decide on."""

    at = serializers.DateTimeField()
    grantId = serializers.CharField(help_text="Empty until the NFVO has accepted the request.")
    failure = serializers.CharField(help_text="Why the NFVO did not answer last time; empty when it did.")


class OperationDetailOut(VnfLcmOpOccOut):
    """The op occ with its steps, enabled actions and history."""

    vnfInstanceName = serializers.CharField()
    startedBy = serializers.CharField()
    waitingSince = serializers.DateTimeField(
        allow_null=True, help_text="Since when its cloud, or the NFVO, does not answer."
    )
    deadline = serializers.DateTimeField(help_text="Until when it waits for its cloud.")
    grant = OperationGrantOut(allow_null=True)
    pendingGrant = PendingGrantOut(allow_null=True)
    steps = StepOut(many=True)
    actions = ActionOut(many=True)
    transitions = serializers.ListField(child=serializers.DictField())
    version = serializers.IntegerField()


class PlannedStepOut(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    oneWay = serializers.CharField(help_text=ONE_WAY)


class PlannedResourceOut(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["create", "keep", "update", "replace", "delete"])
    type = serializers.CharField()
    name = serializers.CharField()
    detail = serializers.CharField()


class NeedsOut(serializers.Serializer[Any]):
    vcpus = serializers.IntegerField()
    memoryMib = serializers.IntegerField()
    diskGib = serializers.IntegerField()
    cpuPolicy = serializers.CharField()
    memPageSize = serializers.CharField()
    numaNodes = serializers.IntegerField()
    sriovPorts = serializers.IntegerField()


class PlannedFlavorOut(serializers.Serializer[Any]):
    vduId = serializers.CharField()
    parameter = serializers.CharField()
    flavorName = serializers.CharField()
    source = serializers.ChoiceField(choices=["requested", "matched", "to_create", "kept", "fixed", "stack"])  # type: ignore[assignment]  # a field named as DRF's attribute
    needs = NeedsOut()
    candidates = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    surplus = serializers.ListField(
        child=serializers.CharField(), help_text="What the flavor has beyond the needs; empty for an exact match."
    )
    command = serializers.CharField(
        allow_blank=True, help_text="How an administrator creates it, where the cloud does not have it."
    )


class PlanProblem(ProblemDetails):
    missingFlavors = PlannedFlavorOut(
        many=True, required=False, help_text="Nova flavors for lack of which it is refused."
    )
    validationReport = FindingSerializer(
        many=True, required=False, help_text="What of the templates the cloud lacks, or its Heat refuses."
    )


class PlannedNetworkOut(serializers.Serializer[Any]):
    vlId = serializers.CharField()
    parameter = serializers.CharField()
    choice = serializers.ChoiceField(choices=["created", "existing"])
    networkName = serializers.CharField()


class PlannedQuotaOut(serializers.Serializer[Any]):
    resource = serializers.CharField()
    needed = serializers.IntegerField()
    used = serializers.IntegerField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True)


class PlanResult(serializers.Serializer[Any]):
    steps = PlannedStepOut(many=True)
    resources = PlannedResourceOut(many=True)
    flavors = PlannedFlavorOut(many=True)
    networks = PlannedNetworkOut(many=True)
    parameters = serializers.DictField()
    warnings = serializers.ListField(child=serializers.CharField())
    findings = FindingSerializer(
        many=True, help_text="About the templates: what the cloud's Heat says of the plan, and what is not known of it."
    )
    quota = PlannedQuotaOut(many=True)
    grant = GrantCheckOut(many=True, help_text="The grounds of a local grant, as they are now.")


class PlanOut(serializers.Serializer[Any]):
    """A plan preview: PENDING until a worker has computed it, then READY with `result` or FAILED with `problem`."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=["PENDING", "READY", "FAILED"])
    operation = serializers.CharField()
    vnfdId = serializers.UUIDField(source="vnfd_id")
    vnfInstanceId = serializers.UUIDField(source="instance_id", allow_null=True)
    request = serializers.DictField()
    result = PlanResult(allow_null=True)
    problem = PlanProblem(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
