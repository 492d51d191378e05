"""Actions of users on one alarm: acknowledge, clear, assign, note."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.models import Alarm, AlarmNote
from vnfm.faults.selectors import AlarmPolicies, alarm_get, alarm_policies
from vnfm.faults.services.lifecycle import AlarmEvent, alarm_apply_policy, alarm_close, alarms_publish
from vnfm.kit.problem import conflict


def alarm_lock(*, alarm_id: UUID) -> Alarm:
    """The alarm, locked until the transaction ends. Raises a 404 problem when there is none."""
    list(Alarm.objects.select_for_update(no_key=True).filter(id=alarm_id).values_list("id"))
    return alarm_get(alarm_id=alarm_id)


@transaction.atomic
def alarm_acknowledge(*, alarm: Alarm, ack_state: str, by: str, now: datetime) -> Alarm:
    """Set the acknowledgement state. Raises a 409 problem when it is in that state already (SOL003 7.4.3.3.4).

    Acknowledging clears an alarm whose fault type `clears_on_acknowledgement`.
    """
    events = apply_acknowledgement(alarm, ack_state, alarm_policies(), by, now)
    _save(alarm, events, now)
    audit(actor=by, action=f"alarm.{events[0].removesuffix('d')}", target=str(alarm.id))
    return alarm


@transaction.atomic
def alarm_clear(*, alarm: Alarm, by: str, now: datetime) -> Alarm:
    """Clear an alarm by hand. Raises a 409 problem when only the end of its condition clears it."""
    _save(alarm, apply_clearance(alarm, alarm_policies(), by, now), now)
    audit(actor=by, action="alarm.clear", target=str(alarm.id), detail={"faultType": alarm.fault_type})
    return alarm


@transaction.atomic
def alarm_assign(*, alarm: Alarm, assigned_to: str, by: str, now: datetime) -> Alarm:
    """Assign the alarm to a user, "" to none. Does nothing when it is assigned so already."""
    if alarm.assigned_to == assigned_to:
        return alarm
    _save(alarm, apply_assignment(alarm, assigned_to, now), now)
    audit(actor=by, action="alarm.assign", target=str(alarm.id), detail={"assignedTo": assigned_to})
    return alarm


@transaction.atomic
def alarm_note_add(*, alarm: Alarm, text: str, by: str, now: datetime) -> AlarmNote:
    note = AlarmNote.objects.create(alarm=alarm, author=by, text=text, at=now)
    _touch(alarm, now)
    _save(alarm, ["changed"], now)
    audit(actor=by, action="alarm.note", target=str(alarm.id))
    return note


def apply_acknowledgement(
    alarm: Alarm, ack_state: str, policies: AlarmPolicies, by: str, now: datetime
) -> list[AlarmEvent]:
    """In memory; the events to publish. Raises a 409 problem when the alarm is in that state already."""
    if alarm.ack_state == ack_state:
        detail = f"The alarm is {ack_state} already" + (f", by {alarm.acked_by}." if alarm.acked_by else ".")
        raise conflict("ALARM_STATE_CONFLICT", detail, "Nothing to do.")
    acknowledged = ack_state == Alarm.AckState.ACKNOWLEDGED
    alarm.ack_state = ack_state
    alarm.acked_by = by if acknowledged else ""
    alarm.acked_at = now if acknowledged else None
    events: list[AlarmEvent] = ["acknowledged" if acknowledged else "unacknowledged"]
    entry = DICTIONARY.get(alarm.fault_type)
    if alarm.cleared_at is None and acknowledged and entry is not None and entry.clears_on_acknowledgement:
        alarm_close(alarm=alarm, policy=policies.of(alarm.fault_type), now=now, by=by)
        alarm.dismissed = True
        events.append("cleared")
    elif alarm.cleared_at is None:
        alarm_apply_policy(alarm=alarm, policy=policies.of(alarm.fault_type), now=now)
    _touch(alarm, now)
    return events


def apply_clearance(alarm: Alarm, policies: AlarmPolicies, by: str, now: datetime) -> list[AlarmEvent]:
    """In memory; the events to publish. Raises a 409 problem when the alarm cannot be cleared by hand."""
    if alarm.cleared_at is not None:
        detail = f"The alarm is cleared already, since {alarm.cleared_at:%Y-%m-%d %H:%M:%S} UTC."
        raise conflict("ALARM_STATE_CONFLICT", detail, "Nothing to do.")
    entry = DICTIONARY.get(alarm.fault_type)
    if entry is not None and not entry.clearable_by_hand:
        raise conflict(
            "ALARM_NOT_CLEARABLE",
            f"{alarm.fault_type} follows what is observed: the next poll would raise it again. It clears when: "
            f"{entry.clearing_condition}",
            entry.remedial_action,
        )
    alarm_close(alarm=alarm, policy=policies.of(alarm.fault_type), now=now, by=by)
    alarm.dismissed = True
    _touch(alarm, now)
    return ["cleared"]


def apply_assignment(alarm: Alarm, assigned_to: str, now: datetime) -> list[AlarmEvent]:
    """In memory; the events to publish. Raises a 409 problem when it is assigned so already."""
    if alarm.assigned_to == assigned_to:
        state = f"assigned to {assigned_to} already" if assigned_to else "not assigned"
        raise conflict("ALARM_STATE_CONFLICT", f"The alarm is {state}.", "Nothing to do.")
    alarm.assigned_to = assigned_to
    _touch(alarm, now)
    return ["changed"]


def _touch(alarm: Alarm, now: datetime) -> None:
    alarm.changed_at = now
    alarm.version += 1


def _save(alarm: Alarm, events: list[AlarmEvent], now: datetime) -> None:
    alarm.save()
    alarms_publish([(alarm, event) for event in events], now=now)
