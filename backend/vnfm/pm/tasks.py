"""Celery tasks; the rows in PostgreSQL say what to do."""

from celery import shared_task

from vnfm.kit import clock
from vnfm.pm.reconcilers import reports, thresholds


@shared_task(name="pm.sweep")
def sweep() -> None:
    now = clock.now()
    reports.report_due(now)
    thresholds.evaluate_due(now)


@shared_task(name="pm.prune")
def prune() -> None:
    reports.prune(clock.now())
