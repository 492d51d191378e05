"""Doorbells: Celery wakes, PostgreSQL knows."""

from uuid import UUID

from celery import shared_task

from vnfm.clouds import registry
from vnfm.inventory.consoles import ASK
from vnfm.inventory.reconcilers import consoles


@shared_task(name=ASK)
def ask_console(trial_id: str) -> None:
    consoles.answer(UUID(trial_id), registry.provider())
