"""Bring the alarms in line with what was observed. Runs as often as one likes: what is right stays untouched."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.faults.domain.changes import Change, Changes
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.evaluate import Key
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.subjects import Subject, load_subjects
from vnfm.faults.services import Event, alarm_tell
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.services import instances_lock, lock_batches

LOAD_BATCH = 500
"""Instances looked at together, without locking any: memory has a limit, and so has the number of queries."""


def evaluate_vim(*, vim_id: UUID, changed: Collection[UUID], now: datetime) -> int:
    """After a look at a VIM: evaluate what changed and all that is not at rest. Returns how many instances had news.

    Instances that were well and have not changed are not even loaded. What lasts too long is among the restless.
    """
    on_vim = VnfInstance.objects.filter(vim_id=vim_id)
    stacks = on_vim.filter(Q(stack_status=MISSING) | Q(stack_status__endswith="_FAILED")).values_list("id", flat=True)
    vnfcs = Vnfc.objects.filter(instance__vim_id=vim_id).exclude(status=ACTIVE).values_list("instance_id", flat=True)
    restless = Q(vif_type="binding_failed") | ~Q(status=ACTIVE)
    ports = VnfcPort.objects.filter(restless, vnfc__instance__vim_id=vim_id, vnfc__status=ACTIVE)
    alarms = Alarm.objects.filter(vim_id=vim_id, cleared_at__isnull=True).values_list("managed_object_id", flat=True)
    port_owners = ports.values_list("vnfc__instance_id", flat=True)
    return evaluate_instances(ids={*changed, *stacks, *vnfcs, *port_owners, *alarms}, now=now)


def evaluate_all(*, now: datetime) -> int:
    """Evaluate every instance, and every alarm whose instance no longer exists: the net under all quicker ways."""
    alarms = Alarm.objects.filter(cleared_at__isnull=True).values_list("managed_object_id", flat=True)
    return evaluate_instances(ids={*VnfInstance.objects.values_list("id", flat=True), *alarms}, now=now)


def evaluate_instances(*, ids: Collection[UUID], now: datetime) -> int:
    """Raise, change and clear alarms of these instances; returns how many instances had news.

    Safe to run at the same time in several processes: what differs is read again under the instance's lock, and the
    unique index lets no fault have two open alarms.
    """
    suspects = [
        subject.instance_id for batch in lock_batches(ids) for subject in load_subjects(batch) if subject.changes(now)
    ]
    corrected = 0
    for batch in lock_batches(suspects):
        with transaction.atomic():
            instances_lock(batch)
            list(Alarm.objects.select_for_update(no_key=True).filter(_open_of(batch)).order_by("id").only("id"))
            for subject in load_subjects(batch):
                news = subject.changes(now)
                _apply(subject, news, now)
                corrected += bool(news)
    return corrected


def _open_of(ids: Collection[UUID]) -> Q:
    return Q(managed_object_id__in=ids, cleared_at__isnull=True)


def _apply(subject: Subject, news: Changes, now: datetime) -> None:
    for key in news.clear:
        _clear(subject.open_alarms.pop(key), now)
    for change in news.put:
        _put(subject, change, now)
    for key, root in news.reroot.items():
        alarm = subject.open_alarms[key]
        alarm.root_cause = _root(subject, root)
        _store(alarm, "changed", now)


def _clear(alarm: Alarm, now: datetime) -> None:
    alarm.perceived_severity = Alarm.Severity.CLEARED
    alarm.cleared_at = now
    _store(alarm, "cleared", now)


def _put(subject: Subject, change: Change, now: datetime) -> None:
    alarm = subject.open_alarms.get(change.key)
    fresh = alarm is None
    if alarm is None:
        alarm = subject.open_alarms[change.key] = _new(subject, change, now)
    alarm.perceived_severity = change.after.severity
    alarm.fault_details = list(change.after.details)
    alarm.vnfc_ids = list(change.after.vnfc_ids)
    alarm.root_cause = _root(subject, change.after.root)
    alarm.suppressed_by = subject.operation_id if change.after.suppressed else None
    if change.raises:
        alarm.raised_at = alarm.event_time = now
    _store(alarm, "raised" if fresh or change.raises else "changed", now)


def _new(subject: Subject, change: Change, now: datetime) -> Alarm:
    entry = DICTIONARY[change.key.fault_type]
    return Alarm(
        managed_object_id=subject.instance_id,
        managed_object_name=subject.name,
        vim_id=subject.vim_id,
        faulty_resource=change.key.faulty_resource,
        faulty_resource_name=change.resource_name,
        faulty_resource_type=entry.resource_type,
        fault_type=entry.name,
        event_type=entry.event_type,
        probable_cause=entry.probable_cause,
        raised_at=now,
        event_time=now,
        version=0,
    )


def _root(subject: Subject, key: Key | None) -> Alarm | None:
    return subject.open_alarms.get(key) if key is not None else None


def _store(alarm: Alarm, event: Event, now: datetime) -> None:
    """Save it, and tell everyone unless a running operation explains it."""
    alarm.version += 1
    if event == "changed":
        alarm.changed_at = alarm.event_time = now
    alarm.save(force_insert=alarm._state.adding)  # noqa: SLF001 - Django documents it
    if alarm.suppressed_by is None:
        alarm_tell(alarm=alarm, event=event, now=now)
