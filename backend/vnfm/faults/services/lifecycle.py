"""Changes of alarms that the evaluation, policies and users share: apply a policy, promote, close, publish."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import AlarmTimeline, PolicyOutcome, PolicySettings, apply_policy, worst
from vnfm.faults.models import Alarm
from vnfm.kit.durable import outbox

AlarmEvent = Literal["raised", "changed", "cleared", "acknowledged", "unacknowledged"]


def alarms_publish(events: Iterable[tuple[Alarm, AlarmEvent]], *, now: datetime) -> None:
    """Write the outbox events of alarms that are not suppressed, in the transaction that changed them."""
    outbox.publish_all(
        (
            "alarm.changed",
            alarm.id,
            alarm.version,
            {
                "severity": alarm.perceived_severity,
                "faultType": alarm.fault_type,
                "managedObjectType": alarm.managed_object_type,
                "managedObjectId": str(alarm.managed_object_id),
                "faultyResource": alarm.faulty_resource,
                "event": event,
                "at": now.isoformat(),
            },
        )
        for alarm, event in events
        if not alarm.suppression
    )


def policy_outcome(alarm: Alarm, policy: PolicySettings, now: datetime) -> PolicyOutcome:
    timeline = AlarmTimeline(
        evaluated=Severity(alarm.evaluated_severity),
        detected_at=alarm.raised_at,
        promoted=_severity(alarm.promoted_severity),
        published=not alarm.suppression,
        acked_at=alarm.acked_at,
        occurrences=alarm.occurrences_a_day,
        cleared_at=alarm.cleared_at,
    )
    return apply_policy(policy, timeline, now)


def alarm_apply_policy(*, alarm: Alarm, policy: PolicySettings, now: datetime) -> bool:
    """Set the perceived severity of an open alarm, in memory; whether it has changed."""
    outcome = policy_outcome(alarm, policy, now)
    alarm.due_at = outcome.due_at
    before = alarm.perceived_severity
    if before == outcome.severity:
        return False
    alarm.perceived_severity = outcome.severity
    alarm.highest_severity = worst(outcome.severity, _severity(alarm.highest_severity))
    if before:
        alarm.previous_severity = before
        alarm.severity_changed_at = now
    else:
        alarm.original_severity = outcome.severity
    return True


def alarm_promote(*, alarm: Alarm, severity: Severity, policy: PolicySettings, now: datetime) -> bool:
    """Make a root cause at least as severe as what it causes, in memory; whether its perceived severity changed."""
    alarm.promoted_severity = worst(severity, _severity(alarm.promoted_severity))
    return alarm_apply_policy(alarm=alarm, policy=policy, now=now)


def alarm_close(*, alarm: Alarm, policy: PolicySettings, now: datetime, by: str = "") -> None:
    """Clear it, in memory, because its condition is gone or a user clears it; acknowledge it if the policy says so."""
    alarm.previous_severity = alarm.perceived_severity
    alarm.perceived_severity = Alarm.Severity.CLEARED
    alarm.severity_changed_at = alarm.cleared_at = now
    alarm.cleared_by = by
    alarm.due_at = None
    if policy_outcome(alarm, policy, now).acknowledge:
        alarm.ack_state, alarm.acked_at = Alarm.AckState.ACKNOWLEDGED, now


def _severity(stored: str) -> Severity | None:
    return Severity(stored) if stored else None
