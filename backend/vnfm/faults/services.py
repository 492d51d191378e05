"""What people, policies and time do to alarms; faults raise and clear them in `reconcilers`."""

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection, transaction

from vnfm.accounts.services import audit
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import KEEP_CLEARED, Course, Policy, Ruling, rule, worst
from vnfm.faults.models import Alarm, AlarmNote
from vnfm.faults.selectors import Policies, alarm_get, policies
from vnfm.kit import outbox
from vnfm.kit.problem import Problem, ProblemError, conflict, not_found

PRUNED_AT_ONCE = 1000
"""Cleared alarms that become history in one transaction."""

HANDLED = (
    "ack_state",
    "acked_by",
    "acked_at",
    "perceived_severity",
    "previous_severity",
    "highest_severity",
    "severity_changed_at",
    "cleared_at",
    "cleared_by",
    "dismissed",
    "due_at",
    "changed_at",
    "version",
)
"""What people change of alarms when they handle many at once."""

Action = Literal["ACKNOWLEDGE", "UNACKNOWLEDGE", "CLEAR"]
Event = Literal["raised", "changed", "cleared", "acknowledged", "unacknowledged"]


def alarms_tell(events: Iterable[tuple[Alarm, Event]], *, now: datetime) -> None:
    """Tell everyone what became of alarms, in the transaction that did it; silent ones are not spoken of."""
    told = [
        ("alarm.changed", alarm.id, alarm.version, _told(alarm, event, now))
        for alarm, event in events
        if not alarm.silence
    ]
    outbox.publish_all(told)


def _told(alarm: Alarm, event: Event, now: datetime) -> dict[str, Any]:
    return {
        "severity": alarm.perceived_severity,
        "faultType": alarm.fault_type,
        "managedObjectType": alarm.managed_object_type,
        "managedObjectId": str(alarm.managed_object_id),
        "faultyResource": alarm.faulty_resource,
        "event": event,
        "at": now.isoformat(),
    }


def alarm_lock(*, alarm_id: UUID) -> Alarm:
    """The alarm, locked until the transaction ends. Raises a 404 problem when there is none."""
    list(Alarm.objects.select_for_update(no_key=True).filter(id=alarm_id).values_list("id"))
    return alarm_get(alarm_id=alarm_id)


def ruling_of(alarm: Alarm, policy: Policy, now: datetime) -> Ruling:
    """What the policy makes of an alarm now."""
    course = Course(
        evaluated=Severity(alarm.evaluated_severity),
        detected_at=alarm.raised_at,
        promoted=Severity(alarm.promoted_severity) if alarm.promoted_severity else None,
        heard=not alarm.silence,
        acked_at=alarm.acked_at,
        occurrences=alarm.occurrences_a_day,
        cleared_at=alarm.cleared_at,
    )
    return rule(policy, course, now)


def alarm_rule(*, alarm: Alarm, policy: Policy, now: datetime) -> bool:
    """Give an open alarm the severity that its policy rules, in memory; whether that is another than before."""
    ruling = ruling_of(alarm, policy, now)
    alarm.due_at = ruling.again_at
    before = alarm.perceived_severity
    if before == ruling.severity:
        return False
    alarm.perceived_severity = ruling.severity
    alarm.highest_severity = worst(
        ruling.severity, Severity(alarm.highest_severity) if alarm.highest_severity else None
    )
    if before:
        alarm.previous_severity = before
        alarm.severity_changed_at = now
    else:
        alarm.original_severity = ruling.severity
    return True


def alarm_promote(*, alarm: Alarm, severity: Severity, policy: Policy, now: datetime) -> bool:
    """Make a root cause at least as severe as what it causes, in memory; whether it became so by that."""
    alarm.promoted_severity = worst(severity, Severity(alarm.promoted_severity) if alarm.promoted_severity else None)
    return alarm_rule(alarm=alarm, policy=policy, now=now)


def alarm_over(*, alarm: Alarm, policy: Policy, now: datetime, by: str = "") -> None:
    """Its condition is gone, or somebody clears it: in memory, as the policy wants cleared alarms to be."""
    alarm.previous_severity = alarm.perceived_severity
    alarm.perceived_severity = Alarm.Severity.CLEARED
    alarm.severity_changed_at = alarm.cleared_at = now
    alarm.cleared_by = by
    alarm.due_at = None
    if ruling_of(alarm, policy, now).acknowledge:
        alarm.ack_state, alarm.acked_at = Alarm.AckState.ACKNOWLEDGED, now


@transaction.atomic
def alarm_acknowledge(*, alarm: Alarm, ack_state: str, by: str, now: datetime) -> Alarm:
    """Set the acknowledgement state. Raises a 409 problem when it is in that state already (SOL003 7.4.3.3.4).

    To acknowledge an alarm that only tells of something that happened is to clear it.
    """
    events = _acknowledge(alarm, ack_state, policies(), by, now)
    alarm.save()
    alarms_tell([(alarm, event) for event in events], now=now)
    audit(actor=by, action=f"alarm.{events[0].removesuffix('d')}", target=str(alarm.id))
    return alarm


@transaction.atomic
def alarm_clear(*, alarm: Alarm, by: str, now: datetime) -> Alarm:
    """Clear an alarm by hand. Raises a 409 problem, that says why, where only the end of its condition may do that."""
    events = _clear(alarm, policies(), by, now)
    alarm.save()
    alarms_tell([(alarm, event) for event in events], now=now)
    audit(actor=by, action="alarm.clear", target=str(alarm.id), detail={"faultType": alarm.fault_type})
    return alarm


@transaction.atomic
def alarms_do(
    *, action: Action, ids: Collection[UUID], by: str, now: datetime
) -> tuple[list[UUID], dict[UUID, Problem]]:
    """Do the same with many alarms: those that are done, and why the others are not."""
    rules = policies()
    rows = Alarm.objects.select_for_update(no_key=True).filter(id__in=ids).order_by("id")
    refused = {alarm_id: not_found("alarm", alarm_id).problem for alarm_id in ids}
    done: list[Alarm] = []
    events: list[tuple[Alarm, Event]] = []
    for alarm in rows:
        try:
            if action == "CLEAR":
                told = _clear(alarm, rules, by, now)
            else:
                told = _acknowledge(alarm, f"{action}D", rules, by, now)
        except ProblemError as error:
            refused[alarm.id] = error.problem
            continue
        del refused[alarm.id]
        done.append(alarm)
        events += [(alarm, event) for event in told]
    Alarm.objects.bulk_update(done, HANDLED, batch_size=PRUNED_AT_ONCE)
    alarms_tell(events, now=now)
    names = [str(alarm.id) for alarm in done]
    audit(actor=by, action=f"alarms.{action.lower()}", target=f"{len(done)} alarms", detail={"alarms": names})
    return [alarm.id for alarm in done], refused


def _acknowledge(alarm: Alarm, ack_state: str, rules: Policies, by: str, now: datetime) -> list[Event]:
    """In memory; what is to be told of it. Raises a 409 problem when it is in that state already."""
    if alarm.ack_state == ack_state:
        detail = f"The alarm is {ack_state} already" + (f", by {alarm.acked_by}." if alarm.acked_by else ".")
        raise conflict("ALARM_STATE_CONFLICT", detail, "Nothing to do.")
    acknowledged = ack_state == Alarm.AckState.ACKNOWLEDGED
    alarm.ack_state = ack_state
    alarm.acked_by = by if acknowledged else ""
    alarm.acked_at = now if acknowledged else None
    told: list[Event] = ["acknowledged" if acknowledged else "unacknowledged"]
    entry = DICTIONARY.get(alarm.fault_type)
    if alarm.cleared_at is None and acknowledged and entry is not None and entry.clears_on_ack:
        alarm_over(alarm=alarm, policy=rules.of(alarm.fault_type), now=now, by=by)
        alarm.dismissed = True
        told.append("cleared")
    elif alarm.cleared_at is None:
        alarm_rule(alarm=alarm, policy=rules.of(alarm.fault_type), now=now)
    _touch(alarm, now)
    return told


def _clear(alarm: Alarm, rules: Policies, by: str, now: datetime) -> list[Event]:
    """In memory; what is to be told of it. Raises a 409 problem where that is not for people to say."""
    if alarm.cleared_at is not None:
        detail = f"The alarm is cleared already, since {alarm.cleared_at:%Y-%m-%d %H:%M:%S} UTC."
        raise conflict("ALARM_STATE_CONFLICT", detail, "Nothing to do.")
    entry = DICTIONARY.get(alarm.fault_type)
    if entry is not None and not entry.by_hand:
        raise conflict(
            "ALARM_NOT_CLEARABLE",
            f"{alarm.fault_type} follows what is observed: the next look would raise it again. It clears when: "
            f"{entry.clears_when}",
            entry.remedial_action,
        )
    alarm_over(alarm=alarm, policy=rules.of(alarm.fault_type), now=now, by=by)
    alarm.dismissed = True
    _touch(alarm, now)
    return ["cleared"]


@transaction.atomic
def alarm_assign(*, alarm: Alarm, assigned_to: str, by: str, now: datetime) -> Alarm:
    """Give the alarm to somebody; "" takes it back. Nothing happens when it is theirs already."""
    if alarm.assigned_to == assigned_to:
        return alarm
    alarm.assigned_to = assigned_to
    _touch(alarm, now)
    alarm.save()
    alarms_tell([(alarm, "changed")], now=now)
    audit(actor=by, action="alarm.assign", target=str(alarm.id), detail={"assignedTo": assigned_to})
    return alarm


@transaction.atomic
def alarm_note_add(*, alarm: Alarm, text: str, by: str, now: datetime) -> AlarmNote:
    note = AlarmNote.objects.create(alarm=alarm, author=by, text=text, at=now)
    _touch(alarm, now)
    alarm.save()
    alarms_tell([(alarm, "changed")], now=now)
    audit(actor=by, action="alarm.note", target=str(alarm.id))
    return note


def _touch(alarm: Alarm, now: datetime) -> None:
    alarm.changed_at = now
    alarm.version += 1


def alarms_prune(*, now: datetime) -> int:
    """Make history of what was cleared as long ago as its policy says; returns how many alarms left the list."""
    rules = policies()
    keep = {fault_type: policy.keep_cleared or KEEP_CLEARED for fault_type, policy in rules.special.items()}
    pruned = _prune(now - (rules.general.keep_cleared or KEEP_CLEARED), {}, keep.keys(), now)
    return pruned + sum(_prune(now - time, {"fault_type": name}, (), now) for name, time in keep.items())


def _prune(before: datetime, only: dict[str, str], but: Collection[str], now: datetime) -> int:
    pruned = 0
    rows = Alarm.objects.filter(cleared_at__lt=before, dismissed=False, **only).exclude(fault_type__in=but)
    while True:
        with transaction.atomic():
            locked = rows.select_for_update(skip_locked=True).order_by("cleared_at", "id")
            batch = list(locked.prefetch_related("notes")[:PRUNED_AT_ONCE])
            outbox.publish_all(("alarm.archived", alarm.id, alarm.version, _archived(alarm)) for alarm in batch)
            Alarm.objects.filter(id__in=[alarm.id for alarm in batch]).delete()
        pruned += len(batch)
        if not batch:
            return pruned


def _archived(alarm: Alarm) -> dict[str, Any]:
    """The whole alarm: no table of ours will know it any more."""
    assert alarm.cleared_at is not None
    columns = (field for field in Alarm._meta.concrete_fields if not field.generated)  # noqa: SLF001
    record = {field.attname: getattr(alarm, field.attname) for field in columns}
    record["notes"] = [{"author": note.author, "text": note.text, "at": note.at} for note in alarm.notes.all()]
    return {
        "at": alarm.cleared_at.isoformat(),
        "managedObjectType": alarm.managed_object_type,
        "managedObjectId": str(alarm.managed_object_id),
        "faultType": alarm.fault_type,
        "severity": alarm.highest_severity,
        "raisedAt": alarm.raised_at.isoformat(),
        "record": json.loads(json.dumps(record, default=str)),
    }


def tally_compact() -> None:
    """Add the steps of the counts up. Readers see the sum before or after, and both are the same."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH gone AS (DELETE FROM faults_alarmtally RETURNING managed_object_type, severity, step)
            INSERT INTO faults_alarmtally (managed_object_type, severity, step)
            SELECT managed_object_type, severity, sum(step) FROM gone GROUP BY 1, 2 HAVING sum(step) <> 0
            """
        )
