"""Alarm (SOL003 7.5.2.4) on the wire. What ETSI lacks stands beside it under names that ETSI does not use."""

from typing import Any

from rest_framework import serializers

from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.models import Alarm
from vnfm.kit.wire import LinkSerializer


class AlarmLinks(serializers.Serializer[None]):
    self = LinkSerializer()
    objectInstance = LinkSerializer()


class FaultyResourceHandle(serializers.Serializer[None]):
    vimConnectionId = serializers.CharField(required=False)
    resourceId = serializers.CharField()


class FaultyResourceInfo(serializers.Serializer[None]):
    faultyResource = FaultyResourceHandle()
    faultyResourceType = serializers.ChoiceField(choices=["COMPUTE", "STORAGE", "NETWORK"])


class AlarmOut(serializers.Serializer[Any]):  # Any: one alarm, or with many=True several
    id = serializers.UUIDField()
    managedObjectId = serializers.UUIDField()
    managedObjectName = serializers.CharField(help_text="Name of the VNF instance when the alarm was raised.")
    vnfcIds = serializers.ListField(child=serializers.UUIDField())
    rootCauseFaultyResource = FaultyResourceInfo(required=False)
    faultyResourceName = serializers.CharField()
    alarmRaisedTime = serializers.DateTimeField()
    alarmChangedTime = serializers.DateTimeField(required=False)
    alarmClearedTime = serializers.DateTimeField(required=False)
    alarmAcknowledgedTime = serializers.DateTimeField(required=False)
    ackState = serializers.ChoiceField(choices=Alarm.AckState.choices)
    acknowledgedBy = serializers.CharField(required=False)
    perceivedSeverity = serializers.ChoiceField(choices=Alarm.Severity.choices)
    eventTime = serializers.DateTimeField()
    eventType = serializers.CharField()
    faultType = serializers.CharField()
    probableCause = serializers.CharField()
    isRootCause = serializers.BooleanField()
    correlatedAlarmIds = serializers.ListField(child=serializers.UUIDField())
    rootCauseAlarmId = serializers.UUIDField(required=False)
    faultDetails = serializers.ListField(child=serializers.CharField())
    remedialAction = serializers.CharField(help_text="What to do about it, from the alarm dictionary.")
    version = serializers.IntegerField()
    _links = AlarmLinks()

    def to_representation(self, instance: Alarm) -> dict[str, Any]:
        return super().to_representation(_wire(instance))


class AlarmModifications(serializers.Serializer[None]):
    """AlarmModifications (SOL003 7.5.2.8)."""

    ackState = serializers.ChoiceField(choices=Alarm.AckState.choices)


def _wire(alarm: Alarm) -> dict[str, Any]:
    correlated = [child.id for child in getattr(alarm, "correlated_open", ())]
    entry = DICTIONARY.get(alarm.fault_type)
    optional = {
        "rootCauseFaultyResource": _faulty_resource(alarm),
        "alarmChangedTime": alarm.changed_at,
        "alarmClearedTime": alarm.cleared_at,
        "alarmAcknowledgedTime": alarm.acked_at,
        "acknowledgedBy": alarm.acked_by or None,
        "rootCauseAlarmId": alarm.root_cause_id,
    }
    return {
        "id": alarm.id,
        "managedObjectId": alarm.managed_object_id,
        "managedObjectName": alarm.managed_object_name,
        "vnfcIds": alarm.vnfc_ids,
        "faultyResourceName": alarm.faulty_resource_name,
        "alarmRaisedTime": alarm.raised_at,
        "ackState": alarm.ack_state,
        "perceivedSeverity": alarm.perceived_severity,
        "eventTime": alarm.event_time,
        "eventType": alarm.event_type,
        "faultType": alarm.fault_type,
        "probableCause": alarm.probable_cause,
        "isRootCause": bool(correlated),
        "correlatedAlarmIds": correlated,
        "faultDetails": alarm.fault_details,
        "remedialAction": entry.remedial_action if entry is not None else "",
        "version": alarm.version,
        "_links": {
            "self": {"href": f"/vnffm/v1/alarms/{alarm.id}"},
            "objectInstance": {"href": f"/vnflcm/v2/vnf_instances/{alarm.managed_object_id}"},
        },
        **{name: value for name, value in optional.items() if value is not None},
    }


def _faulty_resource(alarm: Alarm) -> dict[str, Any] | None:
    """Only for the kinds that SOL003 knows: a fault of a stack or a VIM lies in none of them."""
    if not alarm.faulty_resource_type:
        return None
    handle = {"resourceId": alarm.faulty_resource}
    if alarm.vim_id is not None:
        handle["vimConnectionId"] = str(alarm.vim_id)
    return {"faultyResource": handle, "faultyResourceType": alarm.faulty_resource_type}
