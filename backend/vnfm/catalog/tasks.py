"""Celery tasks: they only start work; its state is in PostgreSQL."""

from uuid import UUID

from celery import shared_task

from vnfm.catalog.reconcilers import onboarding
from vnfm.catalog.services.onboarding import ONBOARD


@shared_task(name=ONBOARD)
def onboard(package_id: str) -> None:
    onboarding.onboard(UUID(package_id))


@shared_task(name="catalog.sweep")
def sweep() -> None:
    onboarding.sweep()
