from celery import shared_task

from vnfm.faults.reconcilers.alarms import evaluate_all
from vnfm.faults.reconcilers.policies import apply_policies
from vnfm.faults.services import alarms_prune, tally_compact
from vnfm.kit import clock


@shared_task(name="faults.evaluate")
def evaluate() -> None:
    """Once a minute: whatever the watcher's own evaluation may have missed."""
    evaluate_all(now=clock.now())
    tally_compact()


@shared_task(name="faults.apply_policies")
def follow_policies(_: str = "") -> None:
    """Every few seconds, and when a policy was changed: escalations that are due, alarms under a changed policy."""
    apply_policies(now=clock.now())


@shared_task(name="faults.prune")
def prune() -> None:
    """Once an hour: cleared alarms that are old enough become history."""
    alarms_prune(now=clock.now())
