"""Runs jobs: one at a time at an element, in the order in which they were asked for, and again after a crash.

A run takes the job's id alone and looks at the row: a second ring finds that it runs or has ended, and a job whose
worker died is begun again, which first looks at what is there already.
"""

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q

from vnfm.accounts.services import audit
from vnfm.configuration.contact import session
from vnfm.configuration.domain.jobs import ALIVE, BUSY_AGAIN, TRIES, again_after, problem_of
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.reconcilers.work import Result, work
from vnfm.configuration.services import RUN, job_change
from vnfm.configuration.versions import sealed
from vnfm.devices.errors import Busy, DeviceError, Unreachable
from vnfm.kit import clock, lease, tasks
from vnfm.kit.problem import Problem, ProblemError

State = ConfigurationJob.State
DOING = {
    "BACKUP": "The backup of {0}",
    "PUSH": "The push to {0}",
    "ROLLBACK": "The rollback of {0}",
    "ADMIN_STATE": "Bringing a part of {0} up or down",
}

log = structlog.get_logger(__name__)


def run(job_id: UUID) -> None:
    """Do it, unless another does, it has ended, or it is not its turn."""
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
        if _earlier(job, now):  # which rings when it has ended
            ConfigurationJob.objects.filter(id=job.id).update(wake_at=now + BUSY_AGAIN)
        elif job.attempts >= TRIES:
            _fail(job, _given_up(job))
        elif job_change(
            job, state=State.RUNNING, attempts=job.attempts + 1, started_at=job.started_at or now, wake_at=now + ALIVE
        ):
            _attempt(job)


def _earlier(job: ConfigurationJob, now: datetime) -> bool:
    """Whether something was asked of the same element before it, and is not done. A backup that settles can wait."""
    before = Q(created_at__lt=job.created_at) | Q(created_at=job.created_at, id__lt=job.id)
    counts = ~Q(kind=ConfigurationJob.Kind.BACKUP) | Q(state=State.RUNNING) | Q(wake_at__lte=now)
    return ConfigurationJob.objects.filter(before & counts, element=job.element, ended_at__isnull=True).exists()


def _attempt(job: ConfigurationJob) -> None:
    doing = DOING[job.kind].format(job.element.name)
    try:
        with session(job.element, patience=0) as open_session:
            result = work(job, open_session)
    except Busy as error:
        _wait(job, BUSY_AGAIN, problem_of(error, doing), attempts=job.attempts - 1)
    except Unreachable as error:
        problem = problem_of(error, doing)
        if job.attempts < TRIES:
            _wait(job, again_after(job.attempts), problem)
        else:
            _fail(job, problem)
    except DeviceError as error:
        _fail(job, problem_of(error, doing))
    except ProblemError as error:
        _fail(job, error.problem)
    else:
        _done(job, result)


def _done(job: ConfigurationJob, result: Result) -> None:
    _end(
        job,
        state=State.DONE,
        after=result.version,
        changed=result.changed,
        takes_back=result.takes_back,
        sealed_diff=sealed(result.diff) if result.diff else None,
        problem=None,
    )


def _fail(job: ConfigurationJob, problem: Problem) -> None:
    log.warning("configuration.job_failed", job=str(job.id), element=job.element.name, detail=problem.detail)
    _end(job, state=State.FAILED, problem=problem.as_json())


@transaction.atomic
def _end(job: ConfigurationJob, **columns: object) -> None:
    """With a line of the audit trail for what may have changed something; the next one is rung for."""
    if not job_change(job, wake_at=None, ended_at=clock.now(), **columns):
        return
    if job.kind != ConfigurationJob.Kind.BACKUP and not job.dry_run:
        detail = {"job": str(job.id), "changed": job.changed, "fdn": job.fdn, "adminState": job.admin_state}
        audit(actor=job.by, action=f"configuration {job.kind} {job.state}", target=job.element.name, detail=detail)
    now = clock.now()
    waiting = ConfigurationJob.objects.filter(element=job.element, state=State.WAITING, wake_at__lte=now + BUSY_AGAIN)
    following = waiting.order_by("created_at", "id").values_list("id", flat=True).first()
    if following is not None:
        ConfigurationJob.objects.filter(id=following).update(wake_at=now)
        tasks.enqueue_on_commit(RUN, following)


@transaction.atomic
def _wait(job: ConfigurationJob, pause: timedelta, problem: Problem, **columns: object) -> None:
    """Begin again after the pause; the problem tells whoever looks why it has not begun, or not gone on."""
    wake_at = clock.now() + pause
    if job_change(job, state=State.WAITING, wake_at=wake_at, problem=problem.as_json(), **columns):
        tasks.enqueue_on_commit(RUN, job.id, after=pause.total_seconds())


def _given_up(job: ConfigurationJob) -> Problem:
    words = f"{DOING[job.kind].format(job.element.name)} was begun {job.attempts} times, and its worker died each time."
    return Problem(500, "GIVEN_UP", "Given up", words, "See the workers' logs, then ask again.")
