"""Alarms of all objects on the wire: SOL003's names where it has them, X.733's and 5620 SAM's for the rest."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework import serializers

from vnfm.faults.domain.alarm_changes import Suppression
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.models import Alarm
from vnfm.faults.wire import remedial_action
from vnfm.kit.web.wire import AnswerSerializer, LinkSerializer, StrictSerializer

OBJECT_TYPES = [each.value for each in ObjectType]
SEVERITIES = [each.value for each in Severity]
BULK_LIMIT = 500
"""Alarms in one bulk request: all of them are locked and changed in one transaction."""


class AlarmRecordLinks(serializers.Serializer[None]):
    self = LinkSerializer()
    notes = LinkSerializer()


class AlarmRecord(AnswerSerializer):
    id = serializers.UUIDField()
    managedObjectType = serializers.ChoiceField(source="managed_object_type", choices=OBJECT_TYPES)
    managedObjectId = serializers.UUIDField(source="managed_object_id")
    managedObjectName = serializers.CharField(source="managed_object_name")
    vnfcIds = serializers.ListField(source="vnfc_ids", child=serializers.UUIDField())
    vimId = serializers.UUIDField(source="vim_id", allow_null=True)
    faultyResource = serializers.CharField(source="faulty_resource", help_text="A server, host, FDN of a card …")
    faultyResourceName = serializers.CharField(source="faulty_resource_name")
    faultyResourceType = serializers.CharField(source="faulty_resource_type")
    faultType = serializers.CharField(source="fault_type")
    eventType = serializers.CharField(source="event_type")
    probableCause = serializers.CharField(source="probable_cause")
    faultDetails = serializers.ListField(source="fault_details", child=serializers.CharField())
    perceivedSeverity = serializers.ChoiceField(source="perceived_severity", choices=Alarm.Severity.choices)
    originalSeverity = serializers.CharField(source="original_severity")
    previousSeverity = serializers.CharField(
        source="previous_severity", help_text='Severity before the last change; "": none.'
    )
    highestSeverity = serializers.CharField(source="highest_severity")
    ackState = serializers.ChoiceField(source="ack_state", choices=Alarm.AckState.choices)
    acknowledgedBy = serializers.CharField(source="acked_by")
    alarmAcknowledgedTime = serializers.DateTimeField(source="acked_at", allow_null=True)
    assignedTo = serializers.CharField(source="assigned_to")
    occurrences = serializers.IntegerField(help_text="Episodes of the fault, each within a day after the one before.")
    occurrencesInADay = serializers.IntegerField(source="occurrences_a_day")
    firstRaisedTime = serializers.DateTimeField(source="first_raised_at")
    alarmRaisedTime = serializers.DateTimeField(source="raised_at")
    alarmChangedTime = serializers.DateTimeField(source="changed_at", allow_null=True)
    severityChangedTime = serializers.DateTimeField(source="severity_changed_at", allow_null=True)
    alarmClearedTime = serializers.DateTimeField(source="cleared_at", allow_null=True)
    clearedBy = serializers.CharField(
        source="cleared_by", help_text='User who cleared it by hand; "": its condition went away.'
    )
    eventTime = serializers.DateTimeField(source="event_time")
    rootCauseAlarmId = serializers.UUIDField(source="root_cause_id", allow_null=True)
    correlatedCount = serializers.IntegerField(source="caused", help_text="Open alarms that it causes.")
    suppression = serializers.ChoiceField(
        choices=[each.value for each in Suppression],
        help_text='Why it is recorded but not published; "": it is published.',
    )
    suppressedBy = serializers.UUIDField(
        source="suppressed_by", allow_null=True, help_text="The operation or maintenance window that suppresses it."
    )
    clearableByHand = serializers.BooleanField()
    remedialAction = serializers.CharField()
    version = serializers.IntegerField()
    _links = AlarmRecordLinks()

    def get_clearableByHand(self, alarm: Alarm) -> bool:
        entry = DICTIONARY.get(alarm.fault_type)
        return alarm.cleared_at is None and (entry is None or entry.clearable_by_hand)

    def get_remedialAction(self, alarm: Alarm) -> str:
        return remedial_action(alarm)

    def get__links(self, alarm: Alarm) -> dict[str, Any]:
        own = f"/api/v1/alarms/{alarm.id}"
        return {"self": {"href": own}, "notes": {"href": f"{own}/notes"}}


COLUMNS = {
    name: str(field.source)
    for name, field in AlarmRecord().fields.items()
    if name not in {"clearableByHand", "remedialAction", "_links"}
}
"""Name on the wire → column of an alarm, or annotation of `selectors.alarm_list`."""


class AlarmRecordUpdate(StrictSerializer):
    ackState = serializers.ChoiceField(choices=Alarm.AckState.choices, required=False)
    assignedTo = serializers.CharField(max_length=150, allow_blank=True, required=False, help_text='"": to no user.')


@dataclass(frozen=True, slots=True)
class AlarmNoteOut:
    id: UUID
    author: str
    text: str
    at: datetime


class AlarmNoteWrite(StrictSerializer):
    text = serializers.CharField(max_length=2000)


class _ActionWrite(StrictSerializer):
    assignedTo = serializers.CharField(
        max_length=150, allow_blank=True, required=False, help_text='Only with ASSIGN; "": to no user.'
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["action"] == "ASSIGN") != ("assignedTo" in attrs):
            raise serializers.ValidationError({"assignedTo": ["It belongs to ASSIGN, and ASSIGN needs it."]})
        return attrs


class AlarmBulkWrite(_ActionWrite):
    action = serializers.ChoiceField(choices=["ACKNOWLEDGE", "UNACKNOWLEDGE", "CLEAR", "ASSIGN"])
    ids = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=BULK_LIMIT)


class AlarmMatchWrite(_ActionWrite):
    action = serializers.ChoiceField(choices=["ACKNOWLEDGE", "UNACKNOWLEDGE", "ASSIGN"])
    asOf = serializers.DateTimeField(help_text="Alarms recorded later stay unchanged; the asOf of alarms/count.")
    confirmed = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="Number of alarms that the user confirmed; 409 when more match."
    )


@dataclass(frozen=True, slots=True)
class AlarmPolicyOut:
    id: UUID
    fault_type: str
    """"": all fault types without a policy of their own."""
    initial_severity: str
    escalate_after_minutes: int | None
    escalate_occurrences: int | None
    deescalate_after_minutes: int | None
    debounce_seconds: int | None
    auto_ack_on_clear: bool | None
    keep_cleared_days: int | None
    pending: bool
    """The last change is not yet applied to open alarms."""
    changed_by: str
    changed_at: datetime
    version: int


def _number(least: int, most: int, source: str, words: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=least, max_value=most, source=source, allow_null=True, required=False, help_text=words
    )


class AlarmPolicyWrite(StrictSerializer):
    """null inherits from the global policy; in the global policy null switches a setting off."""

    faultType = serializers.ChoiceField(choices=["", *DICTIONARY], source="fault_type", allow_blank=True)
    initialSeverity = serializers.ChoiceField(
        choices=["", *SEVERITIES], source="initial_severity", allow_blank=True, required=False
    )
    escalateAfterMinutes = _number(1, 43_200, "escalate_after_minutes", "One level up when it stays unacknowledged.")
    escalateOccurrences = _number(2, 1000, "escalate_occurrences", "One level up when raised so often in 24 hours.")
    deescalateAfterMinutes = _number(1, 43_200, "deescalate_after_minutes", "One level down after acknowledgement.")
    debounceSeconds = _number(0, 3600, "debounce_seconds", "Published only when it lasts this long.")
    autoAckOnClear = serializers.BooleanField(source="auto_ack_on_clear", allow_null=True, required=False)
    keepClearedDays = _number(1, 3650, "keep_cleared_days", "Then a cleared alarm moves to the history.")


@dataclass(frozen=True, slots=True)
class MaintenanceWindowOut:
    id: UUID
    managed_object_type: ObjectType
    managed_object_id: UUID
    managed_object_name: str
    starts_at: datetime
    ends_at: datetime
    reason: str
    created_by: str
    created_at: datetime
    version: int


class MaintenanceWindowWrite(StrictSerializer):
    managedObjectType = serializers.ChoiceField(choices=OBJECT_TYPES, source="managed_object_type")
    managedObjectId = serializers.UUIDField(source="managed_object_id")
    startsAt = serializers.DateTimeField(source="starts_at")
    endsAt = serializers.DateTimeField(source="ends_at")
    reason = serializers.CharField(max_length=500)


class MaintenanceWindowUpdate(StrictSerializer):
    endsAt = serializers.DateTimeField(source="ends_at", required=False)
    reason = serializers.CharField(max_length=500, required=False)
