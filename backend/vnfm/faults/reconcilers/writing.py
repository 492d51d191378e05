"""Writes what was found to be different, many alarms with one statement, and tells everyone in the same transaction."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from vnfm.faults.domain.changes import Change, Changes, Silence
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import worst
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.cases import Subject
from vnfm.faults.selectors import Policies
from vnfm.faults.services import Event, alarm_over, alarm_promote, alarm_rule, alarms_tell

DAY = timedelta(days=1)

EVALUATED = (
    "managed_object_name",
    "perceived_severity",
    "evaluated_severity",
    "promoted_severity",
    "previous_severity",
    "highest_severity",
    "original_severity",
    "fault_details",
    "vnfc_ids",
    "root_cause",
    "silence",
    "suppressed_by",
    "raised_at",
    "first_raised_at",
    "changed_at",
    "severity_changed_at",
    "cleared_at",
    "event_time",
    "ack_state",
    "acked_by",
    "acked_at",
    "dismissed",
    "due_at",
    "occurrences",
    "occurrences_a_day",
    "version",
)
"""The columns that an evaluation may write; what people do to an alarm meanwhile is behind the same row lock."""

_IN_A_STATEMENT = 500


class Writer:
    """Collects what becomes of alarms, then writes it; use within a transaction that has their rows locked."""

    def __init__(self, ids: Collection[UUID], now: datetime) -> None:
        """For alarms of the objects `ids`."""
        self._now = now
        self._earlier = _episodes(ids, now)
        self._fresh: list[Alarm] = []
        self._changed: dict[UUID, Alarm] = {}
        self._events: dict[UUID, tuple[Alarm, Event]] = {}
        self.promotions: dict[UUID, Severity] = {}
        """Alarms of other objects to the highest severity of what they cause; see `promote`."""

    def apply(self, subject: Subject, news: Changes) -> None:
        for key in news.clear:
            self._clear(subject, subject.open_alarms.pop(key))
        for change in news.put:
            self._put(subject, change)
        for change in news.put:  # now that all roots of its own are there
            subject.open_alarms[change.key].root_cause = subject.root(change.after.root)
        for key, root in news.reroot.items():
            alarm = subject.open_alarms[key]
            alarm.root_cause = subject.root(root)
            self._note(alarm, "changed")
        for key in news.release:
            self._release(subject.dismissed.pop(key))
        self._promote(subject)

    def write(self) -> None:
        fresh = {alarm.id for alarm in self._fresh}
        Alarm.objects.bulk_create(self._fresh, batch_size=_IN_A_STATEMENT)
        changed = [alarm for alarm in self._changed.values() if alarm.id not in fresh]
        Alarm.objects.bulk_update(changed, EVALUATED, batch_size=_IN_A_STATEMENT)
        alarms_tell(self._events.values(), now=self._now)

    def _clear(self, subject: Subject, alarm: Alarm) -> None:
        alarm_over(alarm=alarm, policy=subject.policies.of(alarm.fault_type), now=self._now)
        self._note(alarm, "cleared")

    def _put(self, subject: Subject, change: Change) -> None:
        alarm = subject.open_alarms.get(change.key)
        fresh = alarm is None
        if alarm is None:
            alarm = subject.open_alarms[change.key] = self._new(subject, change)
            if change.key in subject.dismissed:
                self._release(subject.dismissed.pop(change.key))
        alarm.managed_object_name = subject.case.name
        alarm.evaluated_severity = change.after.severity
        alarm.fault_details = list(change.after.details)
        alarm.vnfc_ids = list(change.after.vnfc_ids)
        alarm.silence = change.after.silence
        alarm.suppressed_by = _silencer(subject, change.after.silence)
        if change.raises:
            alarm.raised_at = alarm.event_time = self._now
            alarm.first_raised_at = self._now if alarm.occurrences == 1 else alarm.first_raised_at
        alarm_rule(alarm=alarm, policy=subject.policies.of(alarm.fault_type), now=self._now)
        self._note(alarm, "raised" if fresh or change.raises else "changed")

    def _new(self, subject: Subject, change: Change) -> Alarm:
        entry = DICTIONARY[change.key.fault_type]
        alarm = Alarm(
            managed_object_type=subject.case.object_type,
            managed_object_id=subject.case.object_id,
            managed_object_name=subject.case.name,
            vim_id=subject.case.vim_id,
            faulty_resource=change.key.faulty_resource,
            faulty_resource_name=change.resource_name,
            faulty_resource_type=entry.resource_type,
            fault_type=entry.name,
            event_type=entry.event_type,
            probable_cause=entry.probable_cause,
            first_raised_at=self._now,
            raised_at=self._now,
            event_time=self._now,
            version=0,
        )
        before = self._earlier.get((alarm.managed_object_id, alarm.faulty_resource, alarm.fault_type))
        if before:
            alarm.occurrences = before[-1].occurrences + 1
            alarm.first_raised_at = before[-1].first_raised_at
            alarm.occurrences_a_day = 1 + sum(row.raised_at > self._now - DAY for row in before)
        self._fresh.append(alarm)
        return alarm

    def _release(self, alarm: Alarm) -> None:
        """A fault that somebody cleared by hand is gone: nobody needs to hear of that again."""
        alarm.dismissed = False
        self._changed[alarm.id] = alarm

    def _note(self, alarm: Alarm, event: Event) -> None:
        """Count the version once, however much of the alarm changes; tell of the weightiest that happens to it."""
        if alarm.id not in self._events:
            alarm.version += 1
        if not alarm._state.adding:  # noqa: SLF001 - Django documents it
            self._changed[alarm.id] = alarm
            if event == "changed":
                alarm.changed_at = alarm.event_time = self._now
        if event != "changed" or alarm.id not in self._events:
            self._events[alarm.id] = (alarm, event)

    def _promote(self, subject: Subject) -> None:
        """Roots are at least as severe as what they cause: of this object at once, others once it is written."""
        own = {alarm.id: alarm for alarm in subject.open_alarms.values()}
        waiting = [alarm for alarm in own.values() if not alarm.silence and alarm.root_cause_id is not None]
        while waiting:
            alarm = waiting.pop()
            severity, root = Severity(alarm.perceived_severity), alarm.root_cause
            if root is None or worst(severity, _promoted(root)) == _promoted(root):
                continue
            if root.id not in own:
                self.promotions[root.id] = worst(severity, self.promotions.get(root.id))
            elif self._raise_to(own[root.id], severity, subject.policies):
                waiting.append(own[root.id])

    def _raise_to(self, root: Alarm, severity: Severity, rules: Policies) -> bool:
        """Whether it became more severe by that."""
        if not alarm_promote(alarm=root, severity=severity, policy=rules.of(root.fault_type), now=self._now):
            self._changed.setdefault(root.id, root)
            return False
        self._note(root, "changed")
        return True


def _episodes(ids: Collection[UUID], now: datetime) -> Mapping[tuple[UUID, str, str], list[Alarm]]:
    """What people knew of the faults of these objects within a day: a new alarm may be the next episode of one."""
    found: dict[tuple[UUID, str, str], list[Alarm]] = defaultdict(list)
    told = Alarm.objects.filter(managed_object_id__in=ids, cleared_at__gt=now - DAY, silence="")
    columns = ("managed_object_id", "faulty_resource", "fault_type", "occurrences", "raised_at", "first_raised_at")
    for row in told.only(*columns).order_by("raised_at"):
        found[row.managed_object_id, row.faulty_resource, row.fault_type].append(row)
    return found


def _promoted(alarm: Alarm) -> Severity:
    """The highest severity of what it caused; the least there is when that is nothing yet."""
    return Severity(alarm.promoted_severity or Severity.INDETERMINATE)


def _silencer(subject: Subject, silence: Silence) -> UUID | None:
    if silence is Silence.OPERATION:
        return subject.case.operation_id
    if silence is Silence.MAINTENANCE and subject.window is not None:
        return subject.window.id
    return None
