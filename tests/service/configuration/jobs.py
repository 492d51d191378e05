"""Jobs at simulated routers, run to their end in the process of the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.reconcilers.jobs import run_job
from vnfm.configuration.services.admin_state import admin_state_start
from vnfm.configuration.services.jobs import backup_start
from vnfm.configuration.services.push import push_start
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.kit import clock

Router = Callable[..., NetworkElement]

KINDS = ("7750-SR-12", "NE9000")
TEXTS = {
    "7750-SR-12": '/configure port 1/1/1 description "to the core"\n/configure system snmp community "hush" r',
    "NE9000": "interface 100GE1/0/0\n description to the core\n#\nsnmp-agent community read hush\n",
}
BAD = {
    "7750-SR-12": "/configure port 1/1/1 shutdown\n/configure nonsense here",
    "NE9000": "interface 100GE1/0/0\n shutdown\ninterface 100GE9/9/9",
}


def run_once(job: ConfigurationJob) -> ConfigurationJob:
    run_job(job.id)
    job.refresh_from_db()
    return job


def complete(job: ConfigurationJob) -> ConfigurationJob:
    assert run_once(job).state == "DONE", job.problem
    return job


def backup(element: NetworkElement) -> ConfigurationJob:
    return complete(backup_start(element=element, by="ann", wake_at=clock.now()))


def start_push(element: NetworkElement, text: str, *, dry_run: bool = False) -> ConfigurationJob:
    return push_start(element=element, text=text, dry_run=dry_run, by="ann", now=clock.now())


def versions(element: NetworkElement) -> list[tuple[int, str, str]]:
    rows = ConfigurationVersion.objects.filter(element=element).order_by("number")
    return list(rows.values_list("number", "reason", "by"))


def running(element: NetworkElement) -> str:
    job = backup(element)
    assert job.after is not None
    return job.after.clear_text


def part(element: NetworkElement, kind: str, name: str, **fields: Any) -> Equipment:
    shelf = f"network:{element.management_address}:shelf-1"
    defaults = {
        "fdn": f"{shelf}:cardSlot-1:card" + (":port-1" if kind == "PORT" else ""),
        "parent_fdn": shelf,
        "slot": "1",
        "admin_state": "UP",
        "oper_state": "IN_SERVICE",
        "since": clock.now(),
    }
    return Equipment.objects.create(element=element, equipment_class=kind, name=name, **defaults | fields)


def set_admin_state(element: NetworkElement, fdn: str, state: str) -> ConfigurationJob:
    return complete(start_admin_state(element, fdn, state, even_if_path_unknown=True))


def start_admin_state(element: NetworkElement, fdn: str, state: str, **how: bool) -> ConfigurationJob:
    return admin_state_start(
        element=element, fdn=fdn, admin_state=state, dry_run=False, by="ann", now=clock.now(), **how
    )
