"""Finds operations, previews and removals that no worker drives: it died, or the broker lost the message."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.lcm.domain.states import DRIVEN_STATES
from vnfm.lcm.domain.steps import FARTHEST
from vnfm.lcm.models import LcmOpOcc, PlanPreview, VnfSnapshot
from vnfm.lcm.services.operations import DRIVE, SETTLE, op_exclude_gap
from vnfm.lcm.services.plans import PREVIEW
from vnfm.lcm.services.snapshots import REMOVE_SNAPSHOT

GRACE = timedelta(seconds=3)
"""A due operation is enqueued again when it is this late; a busy worker is late, too."""
KEEP_PREVIEWS = timedelta(days=1)


def sweep(now: datetime) -> int:
    """Enqueue each overdue operation, at most once a GRACE, and each overdue preview; returns how many."""
    return tasks.enqueue_due(_due(now))


def _due(now: datetime) -> Iterator[tuple[str, UUID]]:
    overdue = Q(wake_at__lt=now - GRACE) | Q(wake_at__gt=now + FARTHEST)
    locked = LcmOpOcc.objects.select_for_update(skip_locked=True, no_key=True)
    rows = list(locked.filter(overdue).only("id", "state", "wake_at"))
    for row in rows:
        op_exclude_gap(op_id=row.id, wake_at=row.wake_at, now=now)
    LcmOpOcc.objects.filter(id__in=[row.id for row in rows]).update(wake_at=now)
    for row in rows:
        yield DRIVE if row.state in DRIVEN_STATES else SETTLE, row.id
    previews = PlanPreview.objects.filter(state=PlanPreview.State.PENDING, created_at__lt=now - GRACE)
    for preview_id in previews.values_list("id", flat=True):
        yield PREVIEW, preview_id
    deleted = VnfSnapshot.objects.filter(Q(wake_at__lt=now - GRACE) | Q(wake_at__gt=now + FARTHEST))
    for snapshot_id in deleted.values_list("id", flat=True):
        yield REMOVE_SNAPSHOT, snapshot_id


def maintain() -> None:
    """Delete previews that are no longer needed."""
    now = clock.now()
    PlanPreview.objects.filter(created_at__lt=now - KEEP_PREVIEWS).delete()
