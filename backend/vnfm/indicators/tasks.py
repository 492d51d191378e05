"""Celery task; it takes no input that matters."""

from celery import shared_task

from vnfm.indicators.reconcilers.changes import publish_changes
from vnfm.notifications.selectors.indicator_notifications import WAKE


@shared_task(name=WAKE)
def sweep(_: str = "") -> None:
    """Every few seconds, and after each new subscription."""
    publish_changes()
