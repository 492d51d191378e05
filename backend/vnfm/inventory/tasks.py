"""Celery tasks; the rows in PostgreSQL say what to do."""

from uuid import UUID

from celery import shared_task

from vnfm.clouds import registry
from vnfm.inventory.reconcilers import consoles
from vnfm.inventory.services.consoles import FETCH_CONSOLE


@shared_task(name=FETCH_CONSOLE)
def fetch_console(request_id: str) -> None:
    consoles.fetch_console(UUID(request_id), registry.provider())
