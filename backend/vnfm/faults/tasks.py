from celery import shared_task

from vnfm.faults.reconcilers.alarms import evaluate_all
from vnfm.faults.services import alarms_prune
from vnfm.kit import clock


@shared_task(name="faults.evaluate")
def evaluate() -> None:
    """Once a minute: whatever the watcher's own evaluation may have missed."""
    evaluate_all(now=clock.now())


@shared_task(name="faults.prune")
def prune() -> None:
    """Once an hour: cleared alarms that are old enough leave the list."""
    alarms_prune(now=clock.now())
