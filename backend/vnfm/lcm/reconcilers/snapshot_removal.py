"""Removes from the cloud what deleted snapshots have there. A run takes the id and reads the row again."""

from datetime import timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F

from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError, RateLimited
from vnfm.installation.selectors import on_hold
from vnfm.inventory.services import instance_changed
from vnfm.kit import clock
from vnfm.kit.durable import lease, tasks
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.steps import pause
from vnfm.lcm.models import VnfSnapshot
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.driver import is_early
from vnfm.lcm.reconcilers.step_runner import is_unreachable
from vnfm.lcm.services.snapshots import REMOVE_SNAPSHOT
from vnfm.lcm.steps.snapshot_content import delete_content
from vnfm.vims import selectors as vims

AWAY_SECONDS = 15.0
"""Seconds until the next try at a cloud that did not answer."""
REFUSED_SECONDS = 300.0
"""Seconds until the next try after the cloud refused, such as an image from which a server boots."""
HOLD_SECONDS = 60.0
"""Seconds until the next try while on hold after a restore: no cloud is changed then."""

log = structlog.get_logger(__name__)


def remove_snapshot(snapshot_id: UUID) -> None:
    """Take the removal as far as it goes now; safe to call at any time, any number of times: before it is due, a call
    does nothing.
    """
    after = None
    with lease.hold(f"snapshot:{snapshot_id}") as owned:
        if owned is not None:
            after = _go_on(snapshot_id, is_deadly=owned.is_deadly)
    if after is not None:
        tasks.enqueue_on_commit(REMOVE_SNAPSHOT, snapshot_id, after=after)


def _go_on(snapshot_id: UUID, *, is_deadly: bool) -> float | None:
    """Seconds until the next run, or None when it is over."""
    rows = VnfSnapshot.objects.select_related("vim", "instance").filter(state=VnfSnapshot.State.DELETING)
    row = rows.filter(id=snapshot_id).first()
    if row is None or is_early(row.wake_at):
        return None
    # A worker that dies from here on is waited for no longer than for its lease.
    _later(row, lease.TTL.total_seconds())
    if row.vim is None:
        _end(row)
        return None
    if on_hold():
        return _later(row, HOLD_SECONDS)
    if is_deadly:
        _store_problem(row, lease.worker_died(f"Removing {row.name}"))
        return _later(row, REFUSED_SECONDS)
    with vim_limiter.acquire(row.vim_id) as wait:
        after = wait or _remove(row)
    return None if after is None else _later(row, after)


def _later(row: VnfSnapshot, seconds: float) -> float:
    VnfSnapshot.objects.filter(id=row.id).update(wake_at=clock.now() + timedelta(seconds=seconds))
    return seconds


def _remove(row: VnfSnapshot) -> float | None:
    assert row.vim is not None, "looked at by the caller"
    try:
        left = delete_content(registry.provider().connect(vims.connection_of(row.vim)), row.id)
    except CloudError as error:
        log.warning("snapshot.not_removed", snapshot=str(row.id), error=error.message)
        asked = error.retry_after if isinstance(error, RateLimited) else None
        vim_limiter.record_failure(row.vim_id, asked, away=is_unreachable(error))
        _store_problem(row, error.as_problem(f"Removing {row.name}"))
        return AWAY_SECONDS if error.retryable else REFUSED_SECONDS
    vim_limiter.record_success(row.vim_id)
    _store_problem(row, left.problem(f"Removing {row.name}") if left.stuck else None)
    if left.stuck:
        return REFUSED_SECONDS
    if left.pending:
        return pause((clock.now() - row.created_at).total_seconds())
    _end(row)
    return None


@transaction.atomic
def _store_problem(row: VnfSnapshot, problem: Problem | None) -> None:
    stored = problem.as_json() if problem is not None else None
    if stored == row.removal_problem:
        return
    VnfSnapshot.objects.filter(id=row.id).update(removal_problem=stored, version=F("version") + 1)
    if row.instance is not None:
        instance_changed(row.instance)


@transaction.atomic
def _end(row: VnfSnapshot) -> None:
    instance = row.instance
    log.info("snapshot.removed", snapshot=str(row.id))
    row.delete()
    if instance is not None:
        instance_changed(instance)
