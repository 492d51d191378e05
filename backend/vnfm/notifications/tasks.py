"""Doorbells: Celery wakes, PostgreSQL knows."""

from uuid import UUID

from celery import shared_task

from vnfm.kit import clock
from vnfm.notifications.addressing import DELIVER
from vnfm.notifications.reconcilers import deliver as delivering
from vnfm.notifications.subscription_services import TRY


@shared_task(name=TRY)
def try_endpoint(trial_id: str) -> None:
    delivering.try_endpoint(UUID(trial_id))


@shared_task(name=DELIVER)
def deliver(subscription_id: str) -> None:
    delivering.deliver(UUID(subscription_id))


@shared_task(name="notifications.sweep")
def sweep() -> None:
    delivering.sweep(clock.now())


@shared_task(name="notifications.prune")
def prune() -> None:
    delivering.prune()
