"""Alarms whose policy has something to do with them: an escalation is due, or the policy itself was changed."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import worst
from vnfm.faults.models import OPEN, Alarm, AlarmPolicy
from vnfm.faults.reconcilers.alarms import promote
from vnfm.faults.selectors import Policies, policies
from vnfm.faults.services import Event, alarm_rule, alarms_tell

BATCH = 500
"""Alarms ruled in one transaction."""

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
    """Returns how many alarms became of another severity."""
    moved = 0
    while (step := _rule_due(now)) is not None:
        moved += step
    for policy in AlarmPolicy.objects.filter(pending=True):
        moved += _rule_all(policy, now)
    return moved


def _rule_due(now: datetime) -> int | None:
    """One batch; None when nothing is due. What somebody else has locked is left for the next time."""
    with transaction.atomic():
        rows = Alarm.objects.select_for_update(no_key=True, skip_locked=True).filter(OPEN, due_at__lte=now)
        batch = list(rows.order_by("due_at")[:BATCH])
        moved = _rule(batch, policies(), now)
    promote(_causes(moved), now)
    return len(moved) if batch else None


def _rule_all(policy: AlarmPolicy, now: datetime) -> int:
    """Every open alarm that the policy concerns, in order of id, so that it ends."""
    special = AlarmPolicy.objects.exclude(fault_type="").values("fault_type")
    concerned = Q(fault_type=policy.fault_type) if policy.fault_type else ~Q(fault_type__in=special)
    number, last = 0, UUID(int=0)
    while True:
        with transaction.atomic():
            rows = Alarm.objects.select_for_update(no_key=True).filter(OPEN, concerned, id__gt=last)
            batch = list(rows.order_by("id")[:BATCH])
            moved = _rule(batch, policies(), now)
        promote(_causes(moved), now)
        number += len(moved)
        if len(batch) < BATCH:
            break
        last = batch[-1].id
    AlarmPolicy.objects.filter(id=policy.id, version=policy.version).update(pending=False)
    return number


def _rule(batch: list[Alarm], rules: Policies, now: datetime) -> list[Alarm]:
    """Those that became of another severity; the others may be due at another time."""
    moved: list[tuple[Alarm, Event]] = []
    changed = []
    for alarm in batch:
        due_at = alarm.due_at
        if alarm_rule(alarm=alarm, policy=rules.of(alarm.fault_type), now=now):
            alarm.version += 1
            alarm.changed_at = alarm.event_time = now
            moved.append((alarm, "changed"))
        elif alarm.due_at == due_at:
            continue
        changed.append(alarm)
    Alarm.objects.bulk_update(changed, COLUMNS)
    alarms_tell(moved, now=now)
    return [alarm for alarm, _ in moved]


def _causes(moved: list[Alarm]) -> dict[UUID, Severity]:
    """The root causes of alarms that became more severe."""
    found: dict[UUID, Severity] = {}
    for alarm in moved:
        if alarm.root_cause_id is not None and not alarm.silence:
            severity = Severity(alarm.perceived_severity)
            found[alarm.root_cause_id] = worst(severity, found.get(alarm.root_cause_id))
    return found
