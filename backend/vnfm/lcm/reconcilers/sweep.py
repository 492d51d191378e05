"""Finds operations that nobody drives: the worker died, the broker lost the message, the ring was never sent."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from vnfm.kit import clock, tasks
from vnfm.lcm.domain.states import DRIVEN_STATES
from vnfm.lcm.domain.steps import FARTHEST
from vnfm.lcm.models import LcmOpOcc, PlanPreview
from vnfm.lcm.services.operations import DRIVE, SETTLE
from vnfm.lcm.services.plans import PREVIEW

GRACE = timedelta(seconds=3)
"""How late a due operation may be before it counts as forgotten; a busy worker is late, too."""
KEEP_PREVIEWS = timedelta(days=1)


@transaction.atomic
def sweep() -> int:
    """Ring for every forgotten operation, at most once a GRACE each; returns how many."""
    now = clock.now()
    forgotten = Q(wake_at__lt=now - GRACE) | Q(wake_at__gt=now + FARTHEST)
    due = LcmOpOcc.objects.select_for_update(skip_locked=True, no_key=True).filter(forgotten)
    rows = list(due.only("id", "state"))
    LcmOpOcc.objects.filter(id__in=[row.id for row in rows]).update(wake_at=now)
    for row in rows:
        tasks.enqueue_on_commit(DRIVE if row.state in DRIVEN_STATES else SETTLE, row.id)
    for preview in PlanPreview.objects.filter(state=PlanPreview.State.PENDING, created_at__lt=now - GRACE).only("id"):
        tasks.enqueue_on_commit(PREVIEW, preview.id)
    return len(rows)


def maintain() -> None:
    """Forget what nobody will ask for again."""
    now = clock.now()
    PlanPreview.objects.filter(created_at__lt=now - KEEP_PREVIEWS).delete()
