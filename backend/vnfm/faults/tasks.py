from celery import shared_task

from vnfm.faults.reconcilers.evaluation import evaluate_all
from vnfm.faults.reconcilers.evaluation import evaluate_manager as evaluate_own
from vnfm.faults.reconcilers.policies import apply_policies
from vnfm.faults.services.housekeeping import alarm_counts_compact, alarms_prune
from vnfm.faults.services.policies import APPLY
from vnfm.kit import clock


@shared_task(name="faults.evaluate")
def evaluate() -> None:
    """Once a minute: whatever the evaluation after each poll may have missed."""
    evaluate_all(now=clock.now())
    alarm_counts_compact()


@shared_task(name="faults.evaluate_manager")
def evaluate_manager() -> None:
    """Every few seconds, as the relay does: each notices when the other is silent."""
    evaluate_own(now=clock.now())


@shared_task(name=APPLY)
def apply_alarm_policies(_: str = "") -> None:
    """Every few seconds, and when a policy was changed: due escalations, alarms of a changed policy."""
    apply_policies(now=clock.now())


@shared_task(name="faults.prune")
def prune() -> None:
    """Once an hour: old cleared alarms move to the history."""
    alarms_prune(now=clock.now())
