"""Removes an unclaimed resource on request. A run takes the id and reads the row again."""

from datetime import timedelta
from uuid import UUID

import structlog
from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError, Failed, NotFound, RateLimited
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import UnclaimedResource
from vnfm.kit import clock
from vnfm.kit.durable import lease, outbox, tasks
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.steps import pause
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.step_runner import is_unreachable
from vnfm.lcm.selectors.claims import is_claimed
from vnfm.lcm.services.unclaimed import REMOVE, TOPIC, claimed_problem
from vnfm.vims import selectors as vims
from vnfm.vims.domain.artefact import ArtefactKey
from vnfm.vims.services.artefacts import artefact_reserve, artefacts_release

AGAIN_SECONDS = 15.0
"""Seconds until the next try at a cloud that did not answer."""
PATIENCE = timedelta(minutes=15)
"""The time that a cloud may take for the removal."""

Kind = UnclaimedResource.Kind
Removal = UnclaimedResource.Removal

log = structlog.get_logger(__name__)


def remove_unclaimed(unclaimed_id: UUID) -> None:
    """Take the removal as far as it goes now; safe to call at any time, any number of times."""
    after = None
    with lease.hold(f"unclaimed:{unclaimed_id}") as owned:
        if owned is not None:
            after = _go_on(unclaimed_id, is_deadly=owned.is_deadly)
    if after is not None:
        tasks.enqueue_on_commit(REMOVE, unclaimed_id, after=after)


def _go_on(unclaimed_id: UUID, *, is_deadly: bool) -> float | None:
    """Seconds until the next run, or None when it is over."""
    row = UnclaimedResource.objects.select_related("vim").filter(id=unclaimed_id).first()
    if row is None or row.removal != Removal.REQUESTED:
        return None
    if is_deadly:
        return end_removal(row, Removal.FAILED, lease.worker_died(f"Removing {row.kind} {row.name}"))
    with vim_limiter.acquire(row.vim_id) as wait:
        return wait or _remove(row)


def _remove(row: UnclaimedResource) -> float | None:
    if row.removal_requested_at is None and not _reserved(row):
        return end_removal(row, Removal.FAILED, claimed_problem(row))
    try:
        gone = _gone(registry.provider().connect(vims.connection_of(row.vim)), row)
    except CloudError as error:
        log.warning("unclaimed.not_removed", resource=row.resource_id, error=error.message)
        asked = error.retry_after if isinstance(error, RateLimited) else None
        vim_limiter.record_failure(row.vim_id, asked, away=is_unreachable(error))
        problem = error.as_problem(f"Removing {row.kind} {row.name}")
        return AGAIN_SECONDS if error.retryable else end_removal(row, Removal.FAILED, problem)
    vim_limiter.record_success(row.vim_id)
    if gone:
        return end_removal(row, Removal.REMOVED)
    return _await(row)


def _reserved(row: UnclaimedResource) -> bool:
    """True if it is still unclaimed. From then on no operation uses a shared image or flavor (`ArtefactRecord`)."""
    if row.kind not in (Kind.IMAGE, Kind.FLAVOR):
        return not is_claimed(row)
    if vims.is_artefact_maker(row.id):
        return True
    if is_claimed(row):
        return False
    other = artefact_reserve(ArtefactKey(row.vim_id, row.kind, row.name), maker_id=row.id)
    return other is None or (other.ready_at is not None and other.resource_id != row.resource_id)


def _await(row: UnclaimedResource) -> float | None:
    assert row.removal_requested_at is not None, "asked for, or it would be gone"
    taken = clock.now() - row.removal_requested_at
    if taken <= PATIENCE:
        return pause(taken.total_seconds())
    detail = f"The cloud was asked to remove {row.kind} {row.name}, and still has it."
    problem = Problem(Failed.status, "NOT_REMOVED", "Not removed", detail, "Ask the cloud's operator, then retry.")
    return end_removal(row, Removal.FAILED, problem)


def _gone(cloud: Cloud, row: UnclaimedResource) -> bool:
    """Request the removal once; whether the resource is gone."""
    try:
        if row.kind == Kind.STACK:
            status = cloud.stacks.status(row.resource_id)
            if status.status == "DELETE_FAILED" and row.removal_requested_at is not None:
                raise Failed(f"{status.status}: {status.status_reason}", service="heat")
        elif row.kind == Kind.SERVER and cloud.servers.show(row.resource_id).status == "DELETED":
            return True
        if row.removal_requested_at is None:
            _ask(cloud, row)
    except NotFound:
        return True
    return row.kind in (Kind.IMAGE, Kind.FLAVOR)


def _ask(cloud: Cloud, row: UnclaimedResource) -> None:
    delete = {
        Kind.STACK: cloud.stacks.delete,
        Kind.SERVER: cloud.servers.delete,
        Kind.IMAGE: cloud.images.delete,
        Kind.FLAVOR: cloud.flavors.delete,
    }[Kind(row.kind)]
    delete(row.resource_id)
    row.removal_requested_at = clock.now()
    UnclaimedResource.objects.filter(id=row.id).update(removal_requested_at=row.removal_requested_at)


@transaction.atomic
def end_removal(row: UnclaimedResource, removal: str, problem: Problem | None = None) -> None:
    """Store, audit and publish how a removal ended."""
    stored = problem.as_json() if problem is not None else None
    UnclaimedResource.objects.filter(id=row.id).update(removal=removal, removal_problem=stored)
    artefacts_release(maker_id=row.id, removed=removal == Removal.REMOVED)
    detail = {"kind": row.kind, "resourceId": row.resource_id, "name": row.name, "vim": row.vim.name}
    audit(
        actor=row.removal_by,
        action=f"unclaimed_remove {removal}",
        target=str(row.id),
        detail=detail | ({"problem": problem.detail} if problem is not None else {}),
    )
    outbox.publish(TOPIC, row.vim_id, int(clock.now().timestamp()))
