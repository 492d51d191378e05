"""What people and time do to alarms; faults raise and clear them in `reconcilers.alarms`."""

from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.db import transaction

from vnfm.faults.models import Alarm
from vnfm.faults.selectors import alarm_get
from vnfm.kit import outbox
from vnfm.kit.problem import conflict

KEEP_CLEARED = timedelta(days=30)
"""How long a cleared alarm stays in the alarm list; its history stays in `telemetry`."""


Event = Literal["raised", "changed", "cleared", "acknowledged", "unacknowledged"]


def alarm_tell(*, alarm: Alarm, event: Event, now: datetime) -> None:
    """Tell everyone what became of an alarm, in the transaction that did it."""
    payload = {
        "severity": alarm.perceived_severity,
        "faultType": alarm.fault_type,
        "managedObjectId": str(alarm.managed_object_id),
        "event": event,
        "at": now.isoformat(),
    }
    outbox.publish("alarm.changed", alarm.id, alarm.version, payload)


def alarm_lock(*, alarm_id: UUID) -> Alarm:
    """The alarm, locked until the transaction ends. Raises a 404 problem when there is none."""
    list(Alarm.objects.select_for_update(no_key=True).filter(id=alarm_id).values_list("id"))
    return alarm_get(alarm_id=alarm_id)


@transaction.atomic
def alarm_acknowledge(*, alarm: Alarm, ack_state: str, by: str, now: datetime) -> Alarm:
    """Set the acknowledgement state. Raises a 409 problem when it is in that state already (SOL003 7.4.3.3.4)."""
    if alarm.ack_state == ack_state:
        detail = f"The alarm is {ack_state} already" + (f", by {alarm.acked_by}." if alarm.acked_by else ".")
        raise conflict("ALARM_STATE_CONFLICT", detail, "Nothing to do.")
    acknowledged = ack_state == Alarm.AckState.ACKNOWLEDGED
    alarm.ack_state = ack_state
    alarm.acked_by = by if acknowledged else ""
    alarm.acked_at = now if acknowledged else None
    alarm.changed_at = now
    alarm.version += 1
    alarm.save()
    alarm_tell(alarm=alarm, event="acknowledged" if acknowledged else "unacknowledged", now=now)
    return alarm


def alarms_prune(*, now: datetime) -> int:
    """Delete alarms cleared longer ago than `KEEP_CLEARED`; returns how many."""
    deleted, _ = Alarm.objects.filter(cleared_at__lt=now - KEEP_CLEARED).delete()
    return deleted
