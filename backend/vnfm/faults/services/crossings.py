"""Counters that are beyond a threshold: recorded and withdrawn, so that their alarms are raised and cleared."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet

from vnfm.elements.services.versioned_rows import elements_touch
from vnfm.faults.domain.threshold_faults import FAULT_TYPE, threshold_resource
from vnfm.faults.models import OPEN, Alarm, AlarmNote, ThresholdCrossing
from vnfm.faults.selectors import alarm_policies
from vnfm.faults.services.lifecycle import alarm_close, alarms_publish

_VALUES = """
UPDATE faults_thresholdcrossing AS known
SET latest_value = fresh.value, valued_at = fresh.at, expires_at = fresh.expires_at
FROM unnest(%s::bigint[], %s::float8[], %s::timestamptz[], %s::timestamptz[]) AS fresh (id, value, at, expires_at)
WHERE known.id = fresh.id
"""


@transaction.atomic
def crossings_record(
    *,
    raised: Sequence[ThresholdCrossing],
    cleared: Collection[int],
    valued: Sequence[ThresholdCrossing],
    returned: Collection[UUID],
) -> None:
    """Store new crossings, and their last values; those `cleared` go. The element's alarms follow within a second.

    `returned`: elements whose alarms say that there is no value, of which there is one again. Crossings of elements
    that have been deleted are left out.
    """
    gone = ThresholdCrossing.objects.filter(id__in=cleared)
    touched = {*(row.element_id for row in raised), *gone.values_list("element_id", flat=True), *returned}
    existing = elements_touch(touched) if touched else set()
    gone.delete()
    ThresholdCrossing.objects.bulk_create([row for row in raised if row.element_id in existing], ignore_conflicts=True)
    if valued:
        with connection.cursor() as cursor:
            columns = zip(*((row.id, row.latest_value, row.valued_at, row.expires_at) for row in valued), strict=True)
            cursor.execute(_VALUES, [list(column) for column in columns])


@transaction.atomic
def crossings_withdraw(*, rows: QuerySet[ThresholdCrossing], reason: str, by: str, now: datetime) -> int:
    """Delete crossings for another reason than a value, and clear their alarms with it as a note; returns how many.

    `by`: the user who did it; "" for none.
    """
    found = list(rows)
    if not found:
        return 0
    elements_touch({row.element_id for row in found})
    resources = {threshold_resource(str(row.element_id), str(row.rule_id), row.counter, row.object) for row in found}
    alarms = Alarm.objects.select_for_update(no_key=True).filter(
        OPEN,
        fault_type=FAULT_TYPE,
        managed_object_id__in={row.element_id for row in found},
        faulty_resource__in=resources,
    )
    closed = list(alarms.order_by("id"))
    policy = alarm_policies().of(FAULT_TYPE)
    for alarm in closed:
        alarm_close(alarm=alarm, policy=policy, now=now, by=by)
        alarm.changed_at = now
        alarm.version += 1
        alarm.save()
    AlarmNote.objects.bulk_create(
        [AlarmNote(alarm=alarm, author=by or "threshold rules", text=reason, at=now) for alarm in closed]
    )
    alarms_publish([(alarm, "cleared") for alarm in closed], now=now)
    ThresholdCrossing.objects.filter(id__in=[row.id for row in found]).delete()
    return len(found)
