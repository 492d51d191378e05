"""Finds what nobody rang for: jobs whose ring was lost or whose worker died, backups that are due."""

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q

from vnfm.configuration.domain.changes import CHANGE_TRAPS, FACT
from vnfm.configuration.domain.jobs import SETTLE, next_due
from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan
from vnfm.configuration.services import RUN, SCHEDULE, backup_start
from vnfm.configuration.versions import Reason
from vnfm.elements.models import ElementFact, Trap
from vnfm.kit import tasks
from vnfm.kit.problem import ProblemError

HEARD = timedelta(minutes=5)
"""How far back notifications are looked through: in a storm there are a thousand a second, and a sweep each 5 s."""

GRACE = timedelta(seconds=2)
"""How late a job may be before it counts as forgotten; a busy worker is late, too."""

log = structlog.get_logger(__name__)


def sweep(now: datetime) -> int:
    """Ring for forgotten jobs, ask for the backups that are due; returns how many of both."""
    due = ConfigurationJob.objects.filter(wake_at__lt=now - GRACE)
    ids = list(due.values_list("id", flat=True))
    for job_id in ids:
        tasks.enqueue_on_commit(RUN, job_id)
    return len(ids) + _by_the_clock(now) + _by_change(now)


@transaction.atomic
def _by_the_clock(now: datetime) -> int:
    plans = ConfigurationPlan.objects.select_for_update(skip_locked=True, of=("self",)).filter(due_at__lte=now)
    rows = list(plans.select_related("element"))
    for plan in rows:
        assert plan.interval_seconds is not None  # else nothing is due
        plan.due_at = next_due(now, plan.interval_seconds, plan.element_id)
        plan.save(update_fields=("due_at",))
        _ask(plan, Reason.SCHEDULE, now)
    return len(rows)


@transaction.atomic
def _by_change(now: datetime) -> int:
    """The first sign of a change is waited out: those that follow at once belong to it."""
    plans = ConfigurationPlan.objects.select_for_update(skip_locked=True, of=("self",)).filter(_told_of_change(now))
    rows = list(plans.select_related("element"))
    for plan in rows:
        plan.changes_seen_at = now + SETTLE
        plan.save(update_fields=("changes_seen_at",))
        _ask(plan, Reason.CHANGE, now + SETTLE)
    return len(rows)


def _told_of_change(now: datetime) -> Q:
    seen = F("element__configuration_plan__changes_seen_at")
    lately = Trap.objects.filter(received_at__gt=now - HEARD, trap_oid__in=CHANGE_TRAPS)
    traps = lately.filter(received_at__gt=seen)
    facts = ElementFact.objects.filter(name=FACT, since__gt=seen)
    told = Q(element__in=traps.values("element")) | Q(element__in=facts.values("element"))
    return Q(on_change=True) & told


def _ask(plan: ConfigurationPlan, reason: str, wake_at: datetime) -> None:
    waiting = ConfigurationJob.objects.filter(
        element=plan.element, kind=ConfigurationJob.Kind.BACKUP, state=ConfigurationJob.State.WAITING
    )
    if waiting.exists():
        return
    try:
        backup_start(element=plan.element, reason=reason, by=SCHEDULE, wake_at=wake_at)
    except ProblemError as error:  # it is suspended, or its policy was taken away: its next turn will come
        log.info("configuration.backup_not_possible", element=plan.element.name, why=error.problem.detail)
