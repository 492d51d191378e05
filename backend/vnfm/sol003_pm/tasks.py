"""Celery tasks; the rows in PostgreSQL say what to do. Their names are those of release 1.0.0."""

from celery import shared_task

from vnfm.kit import clock
from vnfm.notifications.selectors.indicator_notifications import WAKE
from vnfm.sol003_pm.reconcilers import reports, thresholds
from vnfm.sol003_pm.reconcilers.indicators import publish_changes


@shared_task(name="pm.sweep")
def sweep() -> None:
    now = clock.now()
    reports.report_due(now)
    thresholds.evaluate_due(now)


@shared_task(name="pm.prune")
def prune() -> None:
    reports.prune(clock.now())


@shared_task(name=WAKE)
def compare_indicators(_: str = "") -> None:
    """Run every few seconds, and after each new subscription."""
    publish_changes()
