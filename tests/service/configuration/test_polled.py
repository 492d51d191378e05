"""A running poller shows it: a new admin state appears in the equipment tree, and changes by others are backed up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from tests.factories.elements import make_policy
from tests.service.configuration.conftest import SSH_PORT
from tests.service.elements.conftest import poll
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.reconcilers.jobs import run_job
from vnfm.configuration.reconcilers.sweep import sweep
from vnfm.configuration.services.admin_state import admin_state_start
from vnfm.configuration.services.plans import plan_update
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget
from vnfm.elements.models import ElementFact, Equipment, NetworkElement
from vnfm.kit import clock
from vnfm.kit.patterns import pattern

__all__ = ["poll"]
pytestmark = pytest.mark.django_db(transaction=True)


def polled(router: Callable[..., NetworkElement], routersim: RoutersimProcess, kind: str) -> NetworkElement:
    element = router(kind)
    policy = make_policy(port=routersim.element(element.name)["snmpPort"])
    NetworkElement.objects.filter(id=element.id).update(snmp_policy=policy)
    return element


def run_in_thread(job: ConfigurationJob) -> None:
    """Run it as Celery's workers do."""

    def work() -> None:
        run_job(job.id)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def test_the_equipment_tree_follows_a_new_admin_state(
    router: Callable[..., NetworkElement], routersim: RoutersimProcess, poll: Callable[..., None]
) -> None:
    elements = [polled(router, routersim, kind) for kind in ("7750-SR-12", "NE9000")]
    poll()
    for element in elements:
        ports = Equipment.objects.filter(element=element, equipment_class="PORT", admin_state="UP").order_by("fdn")
        port = until(ports.first, f"the ports of {element.name}")
        element = NetworkElement.objects.get(id=element.id)  # noqa: PLW2901 - as the poller has left it
        job = admin_state_start(
            element=element,
            fdn=port.fdn,
            admin_state="DOWN",
            dry_run=False,
            by="ann",
            now=clock.now(),
            even_if_path_unknown=True,
        )
        run_in_thread(job)
        assert ConfigurationJob.objects.get(id=job.id).state == "DONE"
        down = Equipment.objects.filter(element=element, fdn=port.fdn, admin_state="DOWN")
        until(down.first, f"{port.name} of {element.name} to be down")


async def _configured(address: str) -> None:
    async with Devices().cli(SshTarget(address, SSH_PORT, "admin", "admin")) as cli:
        for line in ("system-view", "ntp unicast-server 10.0.0.9", "commit", "return"):
            await cli.say(line, until=pattern(r"[#>\]] ?$"))


def test_a_change_by_another_user_is_backed_up(
    router: Callable[..., NetworkElement], routersim: RoutersimProcess, poll: Callable[..., None]
) -> None:
    element = polled(router, routersim, "NE9000")
    poll()
    facts = ElementFact.objects.filter(element=element, name="configuration_changed")
    until(facts.first, "the time of last change")
    plan_update(element=NetworkElement.objects.get(id=element.id), changes={"on_change": True}, now=clock.now())
    assert sweep(clock.now()) == 0
    asyncio.run(_configured(element.management_address))
    until(lambda: sweep(clock.now()), "the change to be noticed")
    job = ConfigurationJob.objects.get(element=element)
    assert (job.kind, job.reason) == ("BACKUP", "CHANGE")
    ConfigurationJob.objects.filter(id=job.id).update(wake_at=clock.now() - timedelta(seconds=1))
    run_job(job.id)
    job.refresh_from_db()
    assert (job.state, job.changed) == ("DONE", True)
