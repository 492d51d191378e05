"""Doorbells: Celery wakes, PostgreSQL knows."""

from uuid import UUID

from celery import shared_task

from vnfm.clouds import registry
from vnfm.kit import clock
from vnfm.vims.reconcilers import networks
from vnfm.vims.reconcilers import probe as prober
from vnfm.vims.services import CREATE_NETWORK, PROBE, PROBE_CONNECTION


@shared_task(name=PROBE_CONNECTION)
def probe_connection(request_id: str) -> None:
    prober.probe_connection(UUID(request_id), registry.provider())


@shared_task(name=CREATE_NETWORK)
def create_network(request_id: str) -> None:
    networks.create_network(UUID(request_id), registry.provider())


@shared_task(name=PROBE)
def probe(vim_id: str) -> None:
    prober.probe_vim(UUID(vim_id), registry.provider(), clock.now())


@shared_task(name="vims.probe_due")
def probe_due() -> None:
    prober.sweep(clock.now())
