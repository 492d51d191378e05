"""Doorbells: Celery wakes, PostgreSQL knows."""

from uuid import UUID

from celery import shared_task

from vnfm.catalog.intake_services import TAKE_IN
from vnfm.catalog.reconcilers import intake


@shared_task(name=TAKE_IN)
def take_in(package_id: str) -> None:
    intake.take_in(UUID(package_id))


@shared_task(name="catalog.sweep")
def sweep() -> None:
    intake.sweep()
