"""Runs jobs: one at a time per element, in the order of their creation, and again after a crash.

A run gets only the job's id and reads the row: a duplicate message finds that the job runs or has ended, and a job
whose worker died is started again, which first finds out what has been done.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q

from vnfm.accounts.selectors import audit_request
from vnfm.accounts.services import audit
from vnfm.configuration.domain.jobs import BUSY_RETRY, MAX_ATTEMPTS, WORKER_GRACE, retry_delay
from vnfm.configuration.models import ConfigurationJob, seal_text, unseal_text
from vnfm.configuration.reconcilers.admin_state import set_admin_state
from vnfm.configuration.reconcilers.backup import backup
from vnfm.configuration.reconcilers.push import PushResult, push, roll_back
from vnfm.configuration.services.jobs import RUN, job_change
from vnfm.configuration.session.session import Session, open_session
from vnfm.devices.errors import Busy, DeviceError, Unreachable
from vnfm.kit import clock
from vnfm.kit.durable import lease, tasks
from vnfm.kit.problem import Problem, ProblemError

State = ConfigurationJob.State
LONGEST_REASON = 300
"""Characters of a problem in the audit trail."""
CHANGES: Mapping[str, Callable[[ConfigurationJob, Session], PushResult]] = {
    "PUSH": push,
    "ROLLBACK": roll_back,
    "ADMIN_STATE": set_admin_state,
}
ACTIVITY = {
    "BACKUP": "The backup of {0}",
    "PUSH": "The push to {0}",
    "ROLLBACK": "The rollback of {0}",
    "ADMIN_STATE": "Bringing a part of {0} up or down",
}

log = structlog.get_logger(__name__)


def _activity(job: ConfigurationJob) -> str:
    words = ACTIVITY[job.kind].format(job.element.name)
    return words.replace("The", "The dry run of the", 1) if job.dry_run else words


def run_job(job_id: UUID) -> None:
    """Run the job, unless another worker does, it has ended, or it is not its turn."""
    with lease.hold(f"configuration-job:{job_id}") as held:
        rows = ConfigurationJob.objects.select_related(
            "element__ssh_policy", "element__netconf_policy", "before__content", "target__content"
        )
        job = rows.filter(id=job_id).first() if held is not None else None
        now = clock.now()
        if job is None or job.state in (State.DONE, State.FAILED):
            return
        if job.state == State.WAITING and job.wake_at is not None and job.wake_at > now:
            return
        if _earlier(job, now):  # which enqueues this one when it ends
            ConfigurationJob.objects.filter(id=job.id).update(wake_at=now + BUSY_RETRY)
        elif held is not None and held.is_deadly:
            _fail(job, lease.worker_died(_activity(job)))
        elif job_change(
            job,
            state=State.RUNNING,
            attempts=job.attempts + 1,
            started_at=job.started_at or now,
            wake_at=now + WORKER_GRACE,
            problem=None,
        ):
            _attempt(job)


def jobs_interrupt(taken_at: datetime) -> int:
    """After a restore: fail the changes of elements that were waiting or under way in the backup; returns how many.

    Backups stay: they only read.
    """
    changes = ConfigurationJob.objects.filter(state__in=(State.WAITING, State.RUNNING)).exclude(
        kind=ConfigurationJob.Kind.BACKUP
    )
    jobs = list(changes.select_related("element"))
    for job in jobs:
        activity = _activity(job)
        words = f"{activity} was not done in the backup of {taken_at:%Y-%m-%d %H:%M} UTC, from which all was restored."
        step = "Back the element up and compare; then request it again if it is still wanted."
        _fail(job, Problem(409, "RESTORED_FROM_BACKUP", "Restored from a backup", words, step))
    return len(jobs)


def _earlier(job: ConfigurationJob, now: datetime) -> bool:
    """Whether an earlier job of the same element is not done; a backup that is not due yet does not count."""
    before = Q(created_at__lt=job.created_at) | Q(created_at=job.created_at, id__lt=job.id)
    counts = ~Q(kind=ConfigurationJob.Kind.BACKUP) | Q(state=State.RUNNING) | Q(wake_at__lte=now)
    return ConfigurationJob.objects.filter(before & counts, element=job.element, ended_at__isnull=True).exists()


def _attempt(job: ConfigurationJob) -> None:
    activity = _activity(job)
    try:
        with open_session(job.element, timeout=0) as session:
            result = _run(job, session)
    except Busy as error:
        _wait(job, BUSY_RETRY, error.as_problem(activity), attempts=job.attempts - 1)
    except Unreachable as error:
        problem = error.as_problem(activity)
        if job.attempts < MAX_ATTEMPTS:
            _wait(job, retry_delay(job.attempts), problem)
        else:
            _fail(job, problem)
    except DeviceError as error:
        _fail(job, error.as_problem(activity))
    except ProblemError as error:
        _fail(job, error.problem)
    else:
        _done(job, result)


def _run(job: ConfigurationJob, session: Session) -> PushResult:
    if job.kind == ConfigurationJob.Kind.BACKUP:
        return backup(job, session)
    with session.locked():
        return CHANGES[job.kind](job, session)


def _done(job: ConfigurationJob, result: PushResult) -> None:
    _end(
        job,
        state=State.DONE,
        after=result.version,
        changed=result.changed,
        takes_back=result.takes_back,
        sealed_diff=seal_text(result.diff) if result.diff else None,
        problem=None,
    )


def _fail(job: ConfigurationJob, problem: Problem) -> None:
    log.warning("configuration.job_failed", job=str(job.id), element=job.element.name, detail=problem.detail)
    _end(job, state=State.FAILED, problem=problem.as_json())


@transaction.atomic
def _end(job: ConfigurationJob, **columns: object) -> None:
    """Audits what may have changed the element, and enqueues the next job of the element."""
    if not job_change(job, wake_at=None, ended_at=clock.now(), **columns):
        return
    if job.kind != ConfigurationJob.Kind.BACKUP and not job.dry_run:
        audit(
            actor=job.by,
            action=f"configuration {job.kind} {job.state}",
            target=job.element.name,
            detail=_audit_detail(job),
            request=audit_request(actor=job.by, created=job.id, since=job.created_at),
        )
    now = clock.now()
    waiting = ConfigurationJob.objects.filter(element=job.element, state=State.WAITING, wake_at__lte=now + BUSY_RETRY)
    next_id = waiting.order_by("created_at", "id").values_list("id", flat=True).first()
    if next_id is not None:
        ConfigurationJob.objects.filter(id=next_id).update(wake_at=now)
        tasks.enqueue_on_commit(RUN, next_id)


def _audit_detail(job: ConfigurationJob) -> dict[str, Any]:
    """The detail that the audit trail has of a change of an element; the lines themselves are in the job."""
    detail: dict[str, Any] = {"job": str(job.id), "element": str(job.element_id), "changed": job.changed}
    if job.fdn:
        detail |= {"fdn": job.fdn, "adminState": job.admin_state}
    if job.sealed_diff:
        lines = [line for line in unseal_text(job.sealed_diff).splitlines() if not line.startswith(("---", "+++"))]
        detail |= {f"lines{word}": sum(line.startswith(sign) for line in lines) for word, sign in _SIGNS}
    if job.problem:
        detail["reason"] = Problem.from_json(job.problem).detail[:LONGEST_REASON]
    return detail


_SIGNS = (("Added", "+"), ("Removed", "-"))


@transaction.atomic
def _wait(job: ConfigurationJob, pause: timedelta, problem: Problem, **columns: object) -> None:
    """Run again after the pause; until then the problem says why it waits."""
    wake_at = clock.now() + pause
    if job_change(job, state=State.WAITING, wake_at=wake_at, problem=problem.as_json(), **columns):
        tasks.enqueue_on_commit(RUN, job.id, after=pause.total_seconds())
