"""Finds jobs whose message was lost or whose worker died, and creates the backups that are due."""

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q

from vnfm.configuration.domain.change_signals import CHANGE_FACT, CHANGE_TRAPS
from vnfm.configuration.domain.jobs import SETTLE_TIME, next_due
from vnfm.configuration.models import ConfigurationJob, ConfigurationPlan
from vnfm.configuration.services.jobs import RUN, backup_start
from vnfm.configuration.services.versions import Reason
from vnfm.elements.models import ElementFact, Trap
from vnfm.kit.durable import tasks
from vnfm.kit.problem import ProblemError

SCHEDULE = "schedule"
"""The actor of scheduled backups, and of those because of a change."""

TRAP_WINDOW = timedelta(minutes=5)
"""Traps are searched so far back: a storm has a thousand a second, and a sweep runs every 5 s."""

GRACE = timedelta(seconds=2)
"""A job may be so late before it is enqueued again; a busy worker is late, too."""

log = structlog.get_logger(__name__)


def sweep(now: datetime) -> int:
    """Enqueue overdue jobs, create backups that are due; returns the number of both."""
    overdue = ConfigurationJob.objects.filter(wake_at__lt=now - GRACE)
    jobs = tasks.enqueue_due((RUN, job_id) for job_id in overdue.values_list("id", flat=True))
    return jobs + _scheduled_backups(now) + _backups_after_changes(now)


@transaction.atomic
def _scheduled_backups(now: datetime) -> int:
    plans = ConfigurationPlan.objects.select_for_update(skip_locked=True, of=("self",)).filter(due_at__lte=now)
    rows = list(plans.select_related("element"))
    for plan in rows:
        assert plan.interval_seconds is not None  # as it is due
        plan.due_at = next_due(now, plan.interval_seconds, plan.element_id)
        plan.save(update_fields=("due_at",))
        _create_backup(plan, Reason.SCHEDULE, now)
    return len(rows)


@transaction.atomic
def _backups_after_changes(now: datetime) -> int:
    """The backup waits for SETTLE_TIME: signals within it belong to the same change."""
    plans = ConfigurationPlan.objects.select_for_update(skip_locked=True, of=("self",)).filter(_has_changed(now))
    rows = list(plans.select_related("element"))
    for plan in rows:
        plan.changes_seen_at = now + SETTLE_TIME
        plan.save(update_fields=("changes_seen_at",))
        _create_backup(plan, Reason.CHANGE, now + SETTLE_TIME)
    return len(rows)


def _has_changed(now: datetime) -> Q:
    """A trap or fact of the plan's element reports a change since the last one that was handled."""
    handled_at = F("element__configuration_plan__changes_seen_at")
    recent = Trap.objects.filter(received_at__gt=now - TRAP_WINDOW, trap_oid__in=CHANGE_TRAPS)
    traps = recent.filter(received_at__gt=handled_at)
    facts = ElementFact.objects.filter(name=CHANGE_FACT, since__gt=handled_at)
    return Q(on_change=True) & (Q(element__in=traps.values("element")) | Q(element__in=facts.values("element")))


def _create_backup(plan: ConfigurationPlan, reason: str, wake_at: datetime) -> None:
    waiting = ConfigurationJob.objects.filter(
        element=plan.element, kind=ConfigurationJob.Kind.BACKUP, state=ConfigurationJob.State.WAITING
    )
    if waiting.exists():
        return
    try:
        backup_start(element=plan.element, reason=reason, by=SCHEDULE, wake_at=wake_at)
    except ProblemError as error:  # it is suspended or has no policy: it is tried again when next due
        log.info("configuration.backup_not_possible", element=plan.element.name, why=error.problem.detail)
