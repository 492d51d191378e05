"""Serializers of the start page and the lines of operations."""

from typing import Any

from rest_framework import serializers

from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.fault_type import Severity
from vnfm.kit.wire import JsonSerializer
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.overview.domain.first_steps import StepName
from vnfm.overview.selectors.overview import AVAILABILITY, ELEMENT_STATES
from vnfm.vims.wire import ConditionSerializer, QuotaSerializer


class _NumbersField(serializers.DictField):
    child = serializers.IntegerField()


class CloudHealthOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    reachable = ConditionSerializer()
    quotas = serializers.DictField(child=QuotaSerializer(), help_text="By resource, as last polled.")
    quotasAt = serializers.DateTimeField(source="quotas_at", allow_null=True)
    quotasUnknownSince = serializers.DateTimeField(
        source="quotas_unknown_since",
        allow_null=True,
        help_text="Since when they could not be polled; null: they are current.",
    )


class ObjectProblemOut(serializers.Serializer[Any]):
    managedObjectType = serializers.ChoiceField(choices=[each.value for each in ObjectType], source="object_type")
    managedObjectId = serializers.UUIDField(source="object_id")
    managedObjectName = serializers.CharField(source="name")
    severity = serializers.ChoiceField(choices=[each.value for each in Severity], help_text="The worst.")
    since = serializers.DateTimeField(help_text="When the oldest alarm of that severity was raised.")
    alarmId = serializers.UUIDField(source="alarm_id", help_text="That alarm.")
    cause = serializers.CharField(help_text="Its probable cause.")
    counts = _NumbersField(help_text="Open alarms by severity.")


class OperationLineOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    operation = serializers.ChoiceField(choices=[each.value for each in Operation])
    operationParams = serializers.DictField(source="params")
    operationState = serializers.ChoiceField(choices=[each.value for each in OperationState], source="state")
    vnfInstanceId = serializers.UUIDField(source="instance_id")
    vnfInstanceName = serializers.CharField(source="instance_name", help_text="Empty when it has been deleted.")
    startTime = serializers.DateTimeField(source="started_at")
    stateEnteredTime = serializers.DateTimeField(source="state_since")
    steps = serializers.IntegerField()
    stepsDone = serializers.IntegerField(source="steps_done")
    step = serializers.CharField(help_text="The current step, or that at which it stopped.")
    waitingSince = serializers.DateTimeField(
        source="waiting_since", allow_null=True, help_text="Since when its cloud, or the NFVO, does not answer."
    )
    deadline = serializers.DateTimeField(help_text="Until when it waits for them.")
    isCancelPending = serializers.BooleanField(source="cancelling")
    cancellable = serializers.BooleanField()
    problem = serializers.CharField(help_text="The problem that stopped it, in a sentence.")


class OperationLinesOut(serializers.Serializer[Any]):
    open = OperationLineOut(many=True, help_text="The latest that run or wait for a decision.")
    openCount = serializers.IntegerField(help_text="Their number in all.")
    ended = OperationLineOut(many=True, help_text="Those that ended last.")


class HourOfAlarmsOut(serializers.Serializer[Any]):
    begins = serializers.DateTimeField()
    counts = _NumbersField(help_text="Alarms raised in this hour, by their highest severity since.")


class OverviewOut(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    clouds = CloudHealthOut(many=True)
    instances = _NumbersField(help_text=f"VNF instances: {', '.join(AVAILABILITY)}.")
    vms = _NumbersField(help_text="VMs of VNF instances: ACTIVE, ERROR, OTHER, UNKNOWN (not polled lately).")
    elements = _NumbersField(help_text=f"Network elements: {', '.join(ELEMENT_STATES)}.")
    alarms = _NumbersField(help_text="Open alarms by severity.")
    problems = ObjectProblemOut(many=True, help_text="Objects with open alarms, the worst and oldest first.")
    operations = OperationLineOut(many=True, help_text="The latest that run or wait for a decision.")
    operationsOpen = serializers.IntegerField(source="operations_open", help_text="Their number in all.")
    hours = HourOfAlarmsOut(many=True, help_text="The last 24, the current one included, oldest first.")


class FirstStepOut(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=[each.value for each in StepName])
    doneAt = serializers.DateTimeField(source="done_at", allow_null=True, help_text="Null: it was not done yet.")
    objectId = serializers.CharField(
        source="object_id",
        help_text="Of the element, VNFD or VNF instance that it can be done with; empty when there is none.",
    )
    objectName = serializers.CharField(source="object_name")


class FirstStepsOut(serializers.Serializer[Any]):
    shown = serializers.BooleanField(help_text="False when they were dismissed, or have all been done for a while.")
    steps = FirstStepOut(many=True)


class FirstStepsChange(JsonSerializer):
    elementViewed = serializers.BooleanField(
        source="element_viewed", required=False, help_text="The caller looked at a network element."
    )
    dismissed = serializers.BooleanField(required=False, help_text="Do not show the steps to the caller any more.")


class ReadinessCheckOut(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="database, schema, broker, the name of a process, or disk and its name.")
    ok = serializers.BooleanField()
    since = serializers.DateTimeField(
        allow_null=True, help_text="When it became so; of a silent process its last heartbeat; null: it never ran."
    )
    message = serializers.CharField(help_text="What is wrong, or what it waits for.")


class ReadyzOut(serializers.Serializer[Any]):
    """What anyone may read."""

    ready = serializers.BooleanField(help_text="Whether all checks are ok.")
    checks = ReadinessCheckOut(many=True)


class ReadinessOut(ReadyzOut):
    version = serializers.CharField(help_text="Release of the manager.")
    onHoldFrom = serializers.DateTimeField(
        source="on_hold_from",
        allow_null=True,
        help_text="When the backup was taken that was restored, while automation and notifications are on hold: see"
        " /api/v1/restoration. Null: they are not.",
    )
