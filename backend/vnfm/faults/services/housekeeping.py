"""Moves old cleared alarms to the history, and compacts the alarm counts."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from vnfm.faults.domain.policy import KEEP_CLEARED
from vnfm.faults.models import Alarm
from vnfm.faults.selectors import alarm_policies
from vnfm.kit.durable import outbox

PRUNE_BATCH = 1000
"""Cleared alarms that move to the history in one transaction."""


def alarms_prune(*, now: datetime) -> int:
    """Archive alarms that were cleared as long ago as their policy says; returns how many."""
    policies = alarm_policies()
    keep = {fault_type: policy.keep_cleared or KEEP_CLEARED for fault_type, policy in policies.special.items()}
    pruned = _prune(now - (policies.general.keep_cleared or KEEP_CLEARED), {}, keep.keys())
    return pruned + sum(_prune(now - time, {"fault_type": name}, ()) for name, time in keep.items())


def _prune(before: datetime, only: dict[str, str], but: Collection[str]) -> int:
    pruned = 0
    rows = Alarm.objects.filter(cleared_at__lt=before, dismissed=False, **only).exclude(fault_type__in=but)
    while True:
        with transaction.atomic():
            locked = rows.select_for_update(skip_locked=True).order_by("cleared_at", "id")
            batch = list(locked.prefetch_related("notes")[:PRUNE_BATCH])
            outbox.publish_all(("alarm.archived", alarm.id, alarm.version, _archived(alarm)) for alarm in batch)
            Alarm.objects.filter(id__in=[alarm.id for alarm in batch]).delete()
        pruned += len(batch)
        if not batch:
            return pruned


def _archived(alarm: Alarm) -> dict[str, Any]:
    """All columns and notes of the alarm: its row is deleted."""
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


def alarm_counts_compact() -> None:
    """Sum up the steps of each count. Readers see the same sum before and after."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH several AS (
                SELECT managed_object_type, managed_object_id, severity FROM faults_alarmcount
                GROUP BY 1, 2, 3 HAVING count(*) > 1
            ), gone AS (
                DELETE FROM faults_alarmcount AS counted USING several
                WHERE counted.managed_object_id = several.managed_object_id
                    AND counted.managed_object_type = several.managed_object_type
                    AND counted.severity = several.severity
                RETURNING counted.managed_object_type, counted.managed_object_id, counted.severity, counted.step
            )
            INSERT INTO faults_alarmcount (managed_object_type, managed_object_id, severity, step)
            SELECT managed_object_type, managed_object_id, severity, sum(step) FROM gone
            GROUP BY 1, 2, 3 HAVING sum(step) <> 0
            """
        )
