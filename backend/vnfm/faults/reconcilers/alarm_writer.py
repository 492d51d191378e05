"""Writes the changes of many alarms with few statements, and publishes them in the same transaction."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from vnfm.faults.domain.alarm_changes import AlarmChange, AlarmChanges, Suppression
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import worst
from vnfm.faults.models import UNSUPPRESSED, Alarm
from vnfm.faults.reconcilers.evaluation_input import ObjectAlarms
from vnfm.faults.selectors import AlarmPolicies
from vnfm.faults.services.lifecycle import AlarmEvent, alarm_apply_policy, alarm_close, alarm_promote, alarms_publish

DAY = timedelta(days=1)

EVALUATED_COLUMNS = (
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
    "suppression",
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
"""The columns that an evaluation may write. The row lock keeps users' changes of the same alarm apart."""

_BATCH = 500
"""Rows per statement."""


class AlarmWriter:
    """Collects changes of alarms of the objects `ids`; use it in a transaction that has their rows locked."""

    def __init__(self, ids: Collection[UUID], now: datetime) -> None:
        self._now = now
        self._episodes = _recent_episodes(ids, now)
        self._created: list[Alarm] = []
        self._changed: dict[UUID, Alarm] = {}
        self._events: dict[UUID, tuple[Alarm, AlarmEvent]] = {}
        self.promotions: dict[UUID, Severity] = {}
        """Root causes of other objects → the highest severity of what they cause; see `promote_root_causes`."""

    def apply(self, item: ObjectAlarms, changes: AlarmChanges) -> None:
        for key in changes.clear:
            self._clear(item, item.open_alarms.pop(key))
        for change in changes.put:
            self._put(item, change)
        for change in changes.put:  # now that all its own root causes exist
            item.open_alarms[change.key].root_cause = item.root(change.after.root)
        for key, root in changes.reroot.items():
            alarm = item.open_alarms[key]
            alarm.root_cause = item.root(root)
            self._record(alarm, "changed")
        for key in changes.release:
            self._release(item.dismissed.pop(key))
        self._promote(item)

    def write(self) -> None:
        created = {alarm.id for alarm in self._created}
        Alarm.objects.bulk_create(self._created, batch_size=_BATCH)
        changed = [alarm for alarm in self._changed.values() if alarm.id not in created]
        Alarm.objects.bulk_update(changed, EVALUATED_COLUMNS, batch_size=_BATCH)
        alarms_publish(self._events.values(), now=self._now)

    def _clear(self, item: ObjectAlarms, alarm: Alarm) -> None:
        alarm_close(alarm=alarm, policy=item.policies.of(alarm.fault_type), now=self._now)
        self._record(alarm, "cleared")

    def _put(self, item: ObjectAlarms, change: AlarmChange) -> None:
        alarm = item.open_alarms.get(change.key)
        created = alarm is None
        if alarm is None:
            alarm = item.open_alarms[change.key] = self._create(item, change)
            if change.key in item.dismissed:
                self._release(item.dismissed.pop(change.key))
        alarm.managed_object_name = item.evaluation.name
        alarm.evaluated_severity = change.after.severity
        alarm.fault_details = list(change.after.details)
        alarm.vnfc_ids = list(change.after.vnfc_ids)
        alarm.suppression = change.after.suppression
        alarm.suppressed_by = _suppressor(item, change.after.suppression)
        if change.raises:
            alarm.raised_at = alarm.event_time = self._now
            alarm.first_raised_at = self._now if alarm.occurrences == 1 else alarm.first_raised_at
        alarm_apply_policy(alarm=alarm, policy=item.policies.of(alarm.fault_type), now=self._now)
        self._record(alarm, "raised" if created or change.raises else "changed")

    def _create(self, item: ObjectAlarms, change: AlarmChange) -> Alarm:
        entry = DICTIONARY[change.key.fault_type]
        alarm = Alarm(
            managed_object_type=item.evaluation.object_type,
            managed_object_id=item.evaluation.object_id,
            managed_object_name=item.evaluation.name,
            vim_id=item.evaluation.vim_id,
            faulty_resource=change.key.faulty_resource,
            faulty_resource_name=change.resource_name,
            faulty_resource_type=entry.faulty_resource_type,
            fault_type=entry.fault_type,
            event_type=entry.event_type,
            probable_cause=entry.probable_cause,
            first_raised_at=self._now,
            raised_at=self._now,
            event_time=self._now,
            version=0,
        )
        episodes = self._episodes.get((alarm.managed_object_id, alarm.faulty_resource, alarm.fault_type))
        if episodes:
            alarm.occurrences = episodes[-1].occurrences + 1
            alarm.first_raised_at = episodes[-1].first_raised_at
            alarm.occurrences_a_day = 1 + sum(row.raised_at > self._now - DAY for row in episodes)
        self._created.append(alarm)
        return alarm

    def _release(self, alarm: Alarm) -> None:
        """The fault of a dismissed alarm is gone; that is not published."""
        alarm.dismissed = False
        self._changed[alarm.id] = alarm

    def _record(self, alarm: Alarm, event: AlarmEvent) -> None:
        """Count the version once per write, and publish one event: any other takes precedence over "changed"."""
        if alarm.id not in self._events:
            alarm.version += 1
        if not alarm._state.adding:  # noqa: SLF001 - Django documents it
            self._changed[alarm.id] = alarm
            if event == "changed":
                alarm.changed_at = alarm.event_time = self._now
        if event != "changed" or alarm.id not in self._events:
            self._events[alarm.id] = (alarm, event)

    def _promote(self, item: ObjectAlarms) -> None:
        """Root causes are at least as severe as what they cause: those of this object now, others after the write."""
        own = {alarm.id: alarm for alarm in item.open_alarms.values()}
        waiting = [alarm for alarm in own.values() if not alarm.suppression and alarm.root_cause_id is not None]
        while waiting:
            alarm = waiting.pop()
            severity, root = Severity(alarm.perceived_severity), alarm.root_cause
            if root is None or worst(severity, _promoted(root)) == _promoted(root):
                continue
            if root.id not in own:
                self.promotions[root.id] = worst(severity, self.promotions.get(root.id))
            elif self._raise_to(own[root.id], severity, item.policies):
                waiting.append(own[root.id])

    def _raise_to(self, root: Alarm, severity: Severity, policies: AlarmPolicies) -> bool:
        """Return whether its perceived severity has changed."""
        if not alarm_promote(alarm=root, severity=severity, policy=policies.of(root.fault_type), now=self._now):
            self._changed.setdefault(root.id, root)
            return False
        self._record(root, "changed")
        return True


def _recent_episodes(ids: Collection[UUID], now: datetime) -> Mapping[tuple[UUID, str, str], list[Alarm]]:
    """Published alarms of these objects that cleared within a day: a new alarm may be the next episode of one."""
    found: dict[tuple[UUID, str, str], list[Alarm]] = defaultdict(list)
    rows = Alarm.objects.filter(UNSUPPRESSED, managed_object_id__in=ids, cleared_at__gt=now - DAY)
    columns = ("managed_object_id", "faulty_resource", "fault_type", "occurrences", "raised_at", "first_raised_at")
    for row in rows.only(*columns).order_by("raised_at"):
        found[row.managed_object_id, row.faulty_resource, row.fault_type].append(row)
    return found


def _promoted(alarm: Alarm) -> Severity:
    """The highest severity of what it has caused; INDETERMINATE for nothing."""
    return Severity(alarm.promoted_severity or Severity.INDETERMINATE)


def _suppressor(item: ObjectAlarms, suppression: Suppression) -> UUID | None:
    if suppression is Suppression.OPERATION:
        return item.evaluation.operation_id
    if suppression is Suppression.MAINTENANCE and item.window is not None:
        return item.window.id
    return None
