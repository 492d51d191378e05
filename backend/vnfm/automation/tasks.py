"""Doorbells: Celery wakes, PostgreSQL knows."""

from uuid import UUID

from celery import shared_task

from vnfm.automation.events import CONSIDER
from vnfm.automation.reconcilers import consider as considering
from vnfm.automation.services import decisions_prune
from vnfm.kit import clock


@shared_task(name=CONSIDER)
def consider(instance_id: str) -> None:
    considering.consider(UUID(instance_id), clock.now())


@shared_task(name="automation.sweep")
def sweep() -> None:
    considering.sweep()


@shared_task(name="automation.prune")
def prune() -> None:
    decisions_prune(now=clock.now())
