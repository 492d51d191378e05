"""Watching is measured at 1,000 VNFs of 10,000 VMs, and how soon a fault is on record: by polling alone, and with push.

The cloud, its message bus and the watcher are processes of their own; calls are counted by the cloud, and processor
time by the kernel. BENCH_WATCH_VMS makes it smaller.
"""

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.product import Process, running
from tests.support.rabbitmq import RabbitMq

if TYPE_CHECKING:
    from vnfm.clouds.openstack.cloud import OpenStackCloud
    from vnfm.vims.models import Vim

VMS = int(os.environ.get("BENCH_WATCH_VMS", "10000"))
EACH = 10
WINDOW_SECONDS = 60.0
FAULTS = 15
CHANGES_PER_MINUTE = VMS // 100
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["watching"]

pytestmark = [
    pytest.mark.bench,
    pytest.mark.timeout(3600),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture(scope="module")
def sim(tmp_path_factory: pytest.TempPathFactory, rabbitmq: RabbitMq) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(tmp_path_factory.mktemp("large"), notify_url=rabbitmq.url) as process:
        yield process


@dataclass(frozen=True)
class Cost:
    calls_per_minute: float
    cpu_percent: float


@dataclass
class Scene:
    """The running watcher, and a look at the database from outside."""

    sim: CloudsimProcess
    watch: Process
    database: psycopg.Connection
    server_ids: list[str]

    def cost(self, seconds: float, busy: Callable[[], None] = lambda: None) -> Cost:
        self.sim.control("DELETE", "/stats")
        cpu, began = self._cpu_seconds(), time.monotonic()
        while time.monotonic() - began < seconds:
            busy()
            time.sleep(0.02)  # the rhythm of the measurement
        took = time.monotonic() - began
        routes = self.sim.control("GET", "/stats")["routes"]
        calls = sum(row["count"] for row in routes if row["service"] != "control")
        return Cost(round(calls * 60 / took, 1), round(100 * (self._cpu_seconds() - cpu) / took, 1))

    def _cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.watch.popen.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def seconds_to_see(self, server_id: str, action: str, status: str) -> float:
        began = time.monotonic()
        self.sim.control("POST", f"/servers/{server_id}/{action}")
        query = "SELECT status FROM inventory_vnfc WHERE server_id = %s"
        while self.database.execute(query, [server_id]).fetchone() != (status,):
            assert time.monotonic() - began < 60, f"{server_id} was not seen {status}"
            time.sleep(0.01)
        return time.monotonic() - began

    def faults_out_of_the_blue(self, count: int) -> list[float]:
        """Each when all is quiet, at a moment that has nothing to do with the looks."""
        from vnfm.inventory.domain.poll_interval import ACTIVITY_SECONDS

        results = []
        for number in range(count):
            time.sleep(ACTIVITY_SECONDS + 1 + random.random() * 3)
            action, status = ("stop", "SHUTOFF") if number % 2 == 0 else ("start", "ACTIVE")
            results.append(self.seconds_to_see(self.server_ids[number // 2], action, status))
        return results


def p95(results: list[float]) -> float:
    return sorted(results)[max(0, round(0.95 * len(results)) - 1)]


def boot(sim: CloudsimProcess, cloud: "OpenStackCloud", vim: "Vim") -> list[str]:
    """The VMs with a port each, ten to a VNF, each VNF with a stack; recorded as an operation would have done."""
    from tests.service.watching import _boot, all_active
    from tests.support.waiting import until
    from vnfm.clouds.types import StackInput
    from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
    from vnfm.kit import clock

    sim.control("POST", "/hosts", {"count": VMS // 20})
    sim.control("PUT", "/settings", {"max_stacks_per_tenant": VMS // EACH + 1})
    _boot(cloud, VMS)
    servers = until(lambda: all_active(cloud.servers.list(), VMS), "the VMs to boot", seconds=900)
    ports = {port.server_id: port for port in cloud.networks.ports()}
    template = json.dumps(
        {"heat_template_version": "2015-10-15", "resources": {"r": {"type": "OS::Heat::RandomString"}}}
    )
    stacks = [cloud.stacks.create(f"vnf-{n}", StackInput(template, {}, {}, {})) for n in range(VMS // EACH)]
    until(lambda: all(s.status == "CREATE_COMPLETE" for s in cloud.stacks.list()), "the stacks", seconds=300)
    from tests.factories.catalog import make_package

    package, now = make_package(), clock.now()
    fields = {"package": package, "vim": vim, "instantiation_state": "INSTANTIATED", "stack_status": "CREATE_COMPLETE"}
    instances = [VnfInstance(name=f"vnf-{n}", stack_id=stack, **fields) for n, stack in enumerate(stacks)]
    VnfInstance.objects.bulk_create(instances)
    seen = {"status": "ACTIVE", "status_since": now, "observed_at": now, "vdu_id": "iom"}
    vnfcs = [
        Vnfc(instance=instances[n // EACH], name=s.name, server_name=s.name, server_id=s.id, host=s.host, **seen)
        for n, s in enumerate(servers)
    ]
    Vnfc.objects.bulk_create(vnfcs)
    VnfcPort.objects.bulk_create(
        VnfcPort(vnfc=row, port_id=port.id, network_id=port.network_id, status=port.status, status_since=now)
        for row in vnfcs
        if (port := ports[row.server_id])
    )
    return [server.id for server in servers]


@pytest.fixture
def scene(sim: CloudsimProcess, product_env: dict[str, str], transactional_db: None) -> Iterator[Scene]:
    from tests.support.waiting import until
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.inventory.models import VimPollState
    from vnfm.vims.domain.clouds_yaml import connection_named
    from vnfm.vims.models import Vim
    from vnfm.vims.services import vim_register_from_clouds_yaml

    vim = vim_register_from_clouds_yaml(path=Path(sim.clouds_yaml), name="cloudsim-admin")
    Vim.objects.filter(id=vim.id).update(capabilities={"hosts": True})
    cloud = OpenStackProvider().connect(connection_named(sim.clouds_yaml.read_text(), "cloudsim-admin"))
    ids = boot(sim, cloud, vim)
    with (
        running("manage.py", "watch", env=product_env) as watch,
        psycopg.connect(product_env["DATABASE_URL"], autocommit=True) as database,
    ):
        quiet = VimPollState.objects.filter(vim=vim, interval_reason="Quiet")
        until(quiet.first, "the watcher to find all quiet", seconds=300)
        yield Scene(sim, watch, database, ids)


def busy_with(scene: Scene, pool: ThreadPoolExecutor, results: list[Any]) -> Callable[[], None]:
    """Changes VMs at the pace of CHANGES_PER_MINUTE, and measures each in a thread."""
    due = [time.monotonic()]
    numbers = iter(range(100, VMS))

    def change() -> None:
        if time.monotonic() >= due[0]:
            due[0] += 60 / CHANGES_PER_MINUTE
            server_id = scene.server_ids[next(numbers)]
            results.append(pool.submit(_measured, scene, server_id))

    return change


def _measured(scene: Scene, server_id: str) -> float:
    return scene.seconds_to_see(server_id, "pause", "PAUSED")


def measure(scene: Scene) -> dict[str, Any]:
    quiet = scene.cost(WINDOW_SECONDS)
    seen = scene.faults_out_of_the_blue(FAULTS)
    results: list[Any] = []
    with ThreadPoolExecutor(8) as pool:
        busy = scene.cost(WINDOW_SECONDS, busy_with(scene, pool, results))
        seen_when_busy = [future.result() for future in results]
    for server_id in scene.server_ids[100 : 100 + len(results)]:
        scene.sim.control("POST", f"/servers/{server_id}/start")
    return {
        "quiet": quiet.__dict__,
        "busy": busy.__dict__,
        "seen": {"p50": round(median(seen), 2), "p95": round(p95(seen), 2), "worst": round(max(seen), 2)},
        "seen_when_busy": {"p50": round(median(seen_when_busy), 2), "p95": round(p95(seen_when_busy), 2)},
    }


def test_cost_and_delay_of_watching(scene: Scene, rabbitmq: RabbitMq, record_property: "pytest.RecordProperty") -> None:
    from tests.support.waiting import until
    from vnfm.inventory.models import VimNotifications
    from vnfm.inventory.services.notifications import bus_set
    from vnfm.vims.models import Vim

    figures = {"polling": measure(scene)}
    exchanges = ("nova", "neutron", "heat")
    bus_set(
        settings=VimNotifications(vim=Vim.objects.get()),
        url=rabbitmq.url,
        exchanges=exchanges,
        topic="notifications",
        queue="",
    )
    until(VimNotifications.objects.filter(listening="True").first, "the bus to be heard")
    figures["push"] = measure(scene)
    record_property("watching", figures)
    print(f"\n{VMS} VMs: {json.dumps(figures)}")
    for way, found in figures.items():
        for state in ("quiet", "busy"):
            assert found[state]["calls_per_minute"] <= BUDGETS[f"{state}_calls_per_minute"], (way, state)
            assert found[state]["cpu_percent"] <= BUDGETS[f"{state}_cpu_percent"], (way, state)
        assert found["seen"]["p95"] <= BUDGETS["seen_p95_seconds"][way]
