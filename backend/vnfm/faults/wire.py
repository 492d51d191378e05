"""Alarm (SOL003 7.5.2.4) on the wire. What ETSI lacks has names that ETSI does not use."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.models import Alarm
from vnfm.kit.etsi.links import link
from vnfm.kit.web.wire import AnswerSerializer, JsonSerializer, LinkSerializer
from vnfm.lcm.domain.grant_request import VIM_KEY


class AlarmLinks(serializers.Serializer[None]):
    self = LinkSerializer()
    objectInstance = LinkSerializer()


class FaultyResourceHandle(serializers.Serializer[None]):
    vimConnectionId = serializers.CharField(required=False)
    resourceId = serializers.CharField()


class FaultyResourceInfo(serializers.Serializer[None]):
    faultyResource = FaultyResourceHandle()
    faultyResourceType = serializers.ChoiceField(choices=["COMPUTE", "STORAGE", "NETWORK"])


class AlarmOut(AnswerSerializer):
    id = serializers.UUIDField()
    managedObjectId = serializers.UUIDField(source="managed_object_id")
    managedObjectName = serializers.CharField(
        source="managed_object_name", help_text="Name of the VNF instance when the alarm was raised."
    )
    vnfcIds = serializers.ListField(source="vnfc_ids", child=serializers.UUIDField())
    rootCauseFaultyResource = FaultyResourceInfo(required=False)
    faultyResourceName = serializers.CharField(source="faulty_resource_name")
    alarmRaisedTime = serializers.DateTimeField(source="raised_at")
    alarmChangedTime = serializers.DateTimeField(source="changed_at", required=False)
    alarmClearedTime = serializers.DateTimeField(source="cleared_at", required=False)
    alarmAcknowledgedTime = serializers.DateTimeField(source="acked_at", required=False)
    ackState = serializers.ChoiceField(source="ack_state", choices=Alarm.AckState.choices)
    acknowledgedBy = serializers.CharField(required=False)
    perceivedSeverity = serializers.ChoiceField(source="perceived_severity", choices=Alarm.Severity.choices)
    eventTime = serializers.DateTimeField(source="event_time")
    eventType = serializers.CharField(source="event_type")
    faultType = serializers.CharField(source="fault_type")
    probableCause = serializers.CharField(source="probable_cause")
    isRootCause = serializers.BooleanField()
    correlatedAlarmIds = serializers.ListField(child=serializers.UUIDField())
    rootCauseAlarmId = serializers.UUIDField(source="root_cause_id", required=False)
    faultDetails = serializers.ListField(source="fault_details", child=serializers.CharField())
    remedialAction = serializers.CharField(help_text="What to do about it, from the alarm dictionary.")
    version = serializers.IntegerField()
    _links = AlarmLinks()

    def get_rootCauseFaultyResource(self, alarm: Alarm) -> dict[str, Any] | None:
        """Only for the kinds that SOL003 knows: a fault of a stack or a VIM lies in none of them."""
        if not alarm.faulty_resource_type:
            return None
        handle = {"resourceId": alarm.faulty_resource}
        if alarm.vim_id is not None:
            handle["vimConnectionId"] = getattr(alarm, "vim_connection", "") or VIM_KEY
        return {"faultyResource": handle, "faultyResourceType": alarm.faulty_resource_type}

    def get_acknowledgedBy(self, alarm: Alarm) -> str | None:
        return alarm.acked_by or None

    def get_isRootCause(self, alarm: Alarm) -> bool:
        return bool(self.get_correlatedAlarmIds(alarm))

    def get_correlatedAlarmIds(self, alarm: Alarm) -> list[UUID]:
        return [child.id for child in getattr(alarm, "correlated_open", ())]

    def get_remedialAction(self, alarm: Alarm) -> str:
        return remedial_action(alarm)

    def get__links(self, alarm: Alarm) -> dict[str, Any]:
        return {
            "self": link(f"/vnffm/v1/alarms/{alarm.id}"),
            "objectInstance": link(f"/vnflcm/v2/vnf_instances/{alarm.managed_object_id}"),
        }


def remedial_action(alarm: Alarm) -> str:
    """By the dictionary; "" for a fault type that it no longer has."""
    entry = DICTIONARY.get(alarm.fault_type)
    return entry.remedial_action if entry is not None else ""


class AlarmModifications(JsonSerializer):
    """AlarmModifications (SOL003 7.5.2.8)."""

    ackState = serializers.ChoiceField(choices=Alarm.AckState.choices)
