"""Doorbells: Celery wakes, PostgreSQL knows."""

from datetime import timedelta
from uuid import UUID

from celery import shared_task

from vnfm.configuration.reconcilers import run as runner
from vnfm.configuration.reconcilers import sweep as sweeper
from vnfm.configuration.services import RUN
from vnfm.configuration.versions import versions_prune
from vnfm.kit import clock

KEEP_JOBS = timedelta(days=90)


@shared_task(name=RUN)
def run(job_id: str) -> None:
    runner.run(UUID(job_id))


@shared_task(name="configuration.sweep")
def sweep() -> None:
    sweeper.sweep(clock.now())


@shared_task(name="configuration.prune")
def prune() -> None:
    versions_prune(jobs_before=clock.now() - KEEP_JOBS)
