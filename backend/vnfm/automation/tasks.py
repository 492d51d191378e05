"""Celery tasks; the rows in PostgreSQL say what to do."""

from uuid import UUID

from celery import shared_task

from vnfm.automation.reconcilers import evaluation
from vnfm.automation.services.policies import decisions_prune
from vnfm.automation.services.triggers import EVALUATE
from vnfm.kit import clock


@shared_task(name=EVALUATE)
def evaluate_instance(instance_id: str) -> None:
    evaluation.evaluate_instance(UUID(instance_id), clock.now())


@shared_task(name="automation.sweep")
def sweep() -> None:
    evaluation.sweep()


@shared_task(name="automation.prune")
def prune() -> None:
    decisions_prune(now=clock.now())
