"""Celery tasks. A message only says when to look: the rows in PostgreSQL say what to do."""

from datetime import timedelta
from uuid import UUID

from celery import shared_task

from vnfm.configuration.reconcilers import sweep as sweeper
from vnfm.configuration.reconcilers.jobs import run_job
from vnfm.configuration.services.jobs import RUN
from vnfm.configuration.services.versions import versions_prune
from vnfm.kit import clock

KEEP_JOBS = timedelta(days=90)


@shared_task(name=RUN)
def run(job_id: str) -> None:
    run_job(UUID(job_id))


@shared_task(name="configuration.sweep")
def sweep() -> None:
    sweeper.sweep(clock.now())


@shared_task(name="configuration.prune")
def prune() -> None:
    versions_prune(jobs_before=clock.now() - KEEP_JOBS)
