"""What people, policies and time do to alarms; faults raise and clear them in `reconcilers`."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet

from vnfm.accounts.services import audit
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import KEEP_CLEARED, Course, Policy, Ruling, rule, worst
from vnfm.faults.models import Alarm, AlarmNote
from vnfm.faults.selectors import Policies, alarm_get, policies
from vnfm.kit import outbox
from vnfm.kit.problem import Problem, ProblemError, conflict, not_found, unprocessable

PRUNED_AT_ONCE = 1000
"""Cleared alarms that become history in one transaction."""

MATCHED_AT_MOST = 5000
"""Alarms that one request handles by what it says of them, rather than by their ids."""

CHANGED_AT_ONCE = 500
"""Of those, in one transaction: whoever clears one of them meanwhile waits for no more than these."""

HANDLED = (
    "assigned_to",
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

Action = Literal["ACKNOWLEDGE", "UNACKNOWLEDGE", "CLEAR", "ASSIGN"]
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


@dataclass(frozen=True, slots=True)
class Deed:
    """What is done to many alarms, and by whom; `assigned_to` only with ASSIGN, "" takes them back."""

    action: Action
    by: str
    assigned_to: str = ""

    def to(self, alarm: Alarm, rules: Policies, now: datetime) -> list[Event]:
        """In memory; what is to be told of it. Raises a 409 problem when that cannot be, or is so already."""
        if self.action == "CLEAR":
            return _clear(alarm, rules, self.by, now)
        if self.action == "ASSIGN":
            return _assign(alarm, self.assigned_to, now)
        return _acknowledge(alarm, f"{self.action}D", rules, self.by, now)

    def audit(self, done: int, detail: dict[str, Any]) -> None:
        """One entry for all of them."""
        given = {"assignedTo": self.assigned_to} if self.action == "ASSIGN" else {}
        name = f"alarms.{self.action.lower()}"
        audit(actor=self.by, action=name, target=f"{done} alarms", detail=given | detail)


@transaction.atomic
def alarms_do(*, deed: Deed, ids: Collection[UUID], now: datetime) -> tuple[list[UUID], dict[UUID, Problem]]:
    """Do the same with many alarms: those that are done, and why the others are not."""
    missing = {alarm_id: not_found("alarm", alarm_id).problem for alarm_id in ids}
    done, refused = _do(Alarm.objects.filter(id__in=ids), deed, now)
    deed.audit(len(done), {"alarms": [str(alarm_id) for alarm_id in done]})
    rest = {alarm_id: problem for alarm_id, problem in (missing | refused).items() if alarm_id not in set(done)}
    return done, rest


def alarms_do_matching(
    *, deed: Deed, rows: QuerySet[Alarm], as_of: datetime, confirmed: int, asked: dict[str, str], now: datetime
) -> tuple[int, int]:
    """Do the same with all of `rows` that were there at `as_of`: how many are done, and how many match.

    What does not match any more when its turn comes is left as it is, as is what is so already. `asked` says for the
    audit trail what `rows` are. Raises a 422 problem when more than MATCHED_AT_MOST match, and 409 when more than were
    `confirmed`; then nothing is done.
    """
    there = rows.filter(created_at__lte=as_of)
    ids = sorted(there.order_by().values_list("id", flat=True)[: MATCHED_AT_MOST + 1])
    if len(ids) > MATCHED_AT_MOST:
        words = f"More than {MATCHED_AT_MOST} alarms match; so many at once are not changed."
        raise unprocessable("TOO_MANY_ALARMS", words, [], "Narrow the filters, and do it in several steps.")
    if len(ids) > confirmed:
        words = f"{len(ids)} alarms match by now, and {confirmed} were confirmed."
        raise conflict("MORE_ALARMS_MATCH", words, "Look at the list again, and confirm anew.", count=len(ids))
    done = 0
    try:
        for first in range(0, len(ids), CHANGED_AT_ONCE):
            with transaction.atomic():
                chunk, _ = _do(there.filter(id__in=ids[first : first + CHANGED_AT_ONCE]), deed, now)
            done += len(chunk)
    finally:  # what was done stays done, and is told of, whatever kept the rest
        deed.audit(done, {"asked": asked, "asOf": as_of.isoformat(), "matched": len(ids)})
    return done, len(ids)


def alarms_count(rows: QuerySet[Alarm], *, as_of: datetime) -> int:
    """How many of them were there then; MATCHED_AT_MOST + 1 stands for more than that."""
    return rows.filter(created_at__lte=as_of).order_by().values("id")[: MATCHED_AT_MOST + 1].count()


def _do(rows: QuerySet[Alarm], deed: Deed, now: datetime) -> tuple[list[UUID], dict[UUID, Problem]]:
    """Lock those that still are among `rows`, change them with one statement, and tell of each in turn."""
    rules = policies()
    refused: dict[UUID, Problem] = {}
    done: list[Alarm] = []
    events: list[tuple[Alarm, Event]] = []
    for alarm in rows.select_for_update(no_key=True, of=("self",)).order_by("id"):
        try:
            told = deed.to(alarm, rules, now)
        except ProblemError as error:
            refused[alarm.id] = error.problem
            continue
        done.append(alarm)
        events += [(alarm, event) for event in told]
    Alarm.objects.bulk_update(done, HANDLED, batch_size=PRUNED_AT_ONCE)
    alarms_tell(events, now=now)
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
    events = _assign(alarm, assigned_to, now)
    alarm.save()
    alarms_tell([(alarm, event) for event in events], now=now)
    audit(actor=by, action="alarm.assign", target=str(alarm.id), detail={"assignedTo": assigned_to})
    return alarm


def _assign(alarm: Alarm, assigned_to: str, now: datetime) -> list[Event]:
    """In memory; what is to be told of it. Raises a 409 problem when it is theirs already."""
    if alarm.assigned_to == assigned_to:
        whose = f"assigned to {assigned_to} already" if assigned_to else "assigned to nobody"
        raise conflict("ALARM_STATE_CONFLICT", f"The alarm is {whose}.", "Nothing to do.")
    alarm.assigned_to = assigned_to
    _touch(alarm, now)
    return ["changed"]


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
            WITH several AS (
                SELECT managed_object_type, managed_object_id, severity FROM faults_alarmtally
                GROUP BY 1, 2, 3 HAVING count(*) > 1
            ), gone AS (
                DELETE FROM faults_alarmtally AS tally USING several
                WHERE tally.managed_object_id = several.managed_object_id
                    AND tally.managed_object_type = several.managed_object_type
                    AND tally.severity = several.severity
                RETURNING tally.managed_object_type, tally.managed_object_id, tally.severity, tally.step
            )
            INSERT INTO faults_alarmtally (managed_object_type, managed_object_id, severity, step)
            SELECT managed_object_type, managed_object_id, severity, sum(step) FROM gone
            GROUP BY 1, 2, 3 HAVING sum(step) <> 0
            """
        )
