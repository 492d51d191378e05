"""Applies alarm policies: to alarms of which an escalation is due, and to all alarms of a changed policy."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.faults.models import OPEN, Alarm, AlarmPolicy
from vnfm.faults.reconcilers.root_cause import promote_root_causes, promotions_by
from vnfm.faults.selectors import AlarmPolicies, alarm_policies
from vnfm.faults.services.lifecycle import AlarmEvent, alarm_apply_policy, alarms_publish

BATCH = 500
"""Alarms changed in one transaction."""

COLUMNS = (
    "perceived_severity",
    "previous_severity",
    "highest_severity",
    "severity_changed_at",
    "changed_at",
    "event_time",
    "due_at",
    "version",
)


def apply_policies(*, now: datetime) -> int:
    """Returns how many alarms changed severity."""
    changed = 0
    while (count := _apply_to_due(now)) is not None:
        changed += count
    for policy in AlarmPolicy.objects.filter(pending=True):
        changed += _apply_changed(policy, now)
    return changed


def _apply_to_due(now: datetime) -> int | None:
    """One batch; None when nothing is due. Locked rows are left for the next run."""
    with transaction.atomic():
        rows = Alarm.objects.select_for_update(no_key=True, skip_locked=True).filter(OPEN, due_at__lte=now)
        batch = list(rows.order_by("due_at")[:BATCH])
        changed = _apply(batch, alarm_policies(), now)
    promote_root_causes(promotions_by(changed), now)
    return len(changed) if batch else None


def _apply_changed(policy: AlarmPolicy, now: datetime) -> int:
    """All open alarms of the policy, in batches by id, so that it ends."""
    special = AlarmPolicy.objects.exclude(fault_type="").values("fault_type")
    concerned = Q(fault_type=policy.fault_type) if policy.fault_type else ~Q(fault_type__in=special)
    number, last = 0, UUID(int=0)
    while True:
        with transaction.atomic():
            rows = Alarm.objects.select_for_update(no_key=True).filter(OPEN, concerned, id__gt=last)
            batch = list(rows.order_by("id")[:BATCH])
            changed = _apply(batch, alarm_policies(), now)
        promote_root_causes(promotions_by(changed), now)
        number += len(changed)
        if len(batch) < BATCH:
            break
        last = batch[-1].id
    AlarmPolicy.objects.filter(id=policy.id, version=policy.version).update(pending=False)
    return number


def _apply(batch: list[Alarm], policies: AlarmPolicies, now: datetime) -> list[Alarm]:
    """Those whose severity changed; of the others `due_at` may have."""
    changed: list[tuple[Alarm, AlarmEvent]] = []
    rows = []
    for alarm in batch:
        due_at = alarm.due_at
        if alarm_apply_policy(alarm=alarm, policy=policies.of(alarm.fault_type), now=now):
            alarm.version += 1
            alarm.changed_at = alarm.event_time = now
            changed.append((alarm, "changed"))
        elif alarm.due_at == due_at:
            continue
        rows.append(alarm)
    Alarm.objects.bulk_update(rows, COLUMNS)
    alarms_publish(changed, now=now)
    return [alarm for alarm, _ in changed]
