"""Answers of /api/v1: operations with their steps, and plan previews."""

from operator import itemgetter
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from vnfm.catalog.wire.reports import FindingSerializer
from vnfm.kit.web.wire import AnswerSerializer, ProblemDetails
from vnfm.lcm.domain.states import Action, OperationState, StepState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.wire.op_occ import VnfLcmOpOccOut


class ActionOut(AnswerSerializer):
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
class PendingGrantOut(AnswerSerializer):
    """A grant that an NFVO has still to decide on."""

    getter = itemgetter

    at = serializers.DateTimeField(source="requestedAt")
    grantId = serializers.CharField(source="id", help_text="Empty until the NFVO has accepted the request.")
    failure = serializers.CharField(
        source="away", help_text="Why the NFVO did not answer last time; empty when it did."
    )


class OperationSummaryOut(VnfLcmOpOccOut):
    """The op occ with the user who started it."""

    startedBy = serializers.CharField(source="started_by")


class OperationDetailOut(OperationSummaryOut):
    """The op occ with its steps, enabled actions and history."""

    vnfInstanceName = serializers.CharField()
    waitingSince = serializers.DateTimeField(
        source="waiting_since", allow_null=True, help_text="Since when its cloud, or the NFVO, does not answer."
    )
    deadline = serializers.DateTimeField(help_text="Until when it waits for its cloud.")
    grant = OperationGrantOut(allow_null=True)
    pendingGrant = PendingGrantOut(allow_null=True)
    steps = StepOut(many=True)
    actions = ActionOut(many=True)
    transitions = serializers.ListField(child=serializers.DictField())
    version = serializers.IntegerField()

    def get_vnfInstanceName(self, op: LcmOpOcc) -> str:
        return op.instance.name if op.instance else ""

    def get_pendingGrant(self, op: LcmOpOcc) -> dict[str, Any] | None:
        request: dict[str, Any] | None = op.grant_request
        return request if request and op.state == OperationState.STARTING and not request["decision"] else None

    def get_actions(self, op: LcmOpOcc) -> list[Action]:
        return self.actions_of(op)

    def get_transitions(self, op: LcmOpOcc) -> list[dict[str, Any]]:
        return [
            {"from": each.source, "to": each.target, "reason": each.reason, "at": each.at}
            for each in op.transitions.order_by("id")
        ]


class PlannedStepOut(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    oneWay = serializers.CharField(help_text=ONE_WAY)


class PlannedResourceOut(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["create", "keep", "update", "replace", "delete"])
    type = serializers.CharField()
    name = serializers.CharField(help_text="Of Heat's: after the resource of the nested stack that it is in.")
    detail = serializers.CharField()
    gone = serializers.BooleanField(
        required=False, help_text="It is to be deleted, and the cloud no longer has it: nothing stops by its deletion."
    )
    source = serializers.ChoiceField(  # type: ignore[assignment]  # a field named as DRF's attribute
        choices=["plan", "heat"], required=False, help_text="Whose row it is: ours, or one of Heat's own preview."
    )


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
    source = serializers.ChoiceField(choices=["requested", "default", "matched", "to_create", "kept", "fixed", "stack"])  # type: ignore[assignment]  # a field named as DRF's attribute
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


class PlannedSettingOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.JSONField(allow_null=True)
    origin = serializers.ChoiceField(
        choices=["request", "profile", "cloud", "package"],
        help_text="The request, the management profile, the cloud (the subnet of a chosen network), or the default.",
    )


class PlanResult(serializers.Serializer[Any]):
    summary = serializers.CharField(
        required=False, help_text='What it does, in one line: "+1 VM (slot 2), +4 vCPUs, no interruption".'
    )
    steps = PlannedStepOut(many=True)
    resources = PlannedResourceOut(
        many=True, help_text="Ours first, those that change before those that stay (keep); then Heat's preview."
    )
    flavors = PlannedFlavorOut(many=True)
    networks = PlannedNetworkOut(many=True)
    parameters = serializers.DictField()
    settings = PlannedSettingOut(
        many=True, required=False, help_text="Of an instantiation: the values that will be used, without secrets."
    )
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
