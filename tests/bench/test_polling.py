"""A thousand routers with a hundred ports each: what polling them costs, how old what we show is, and how soon a fault
is on record; all of them answering, and a tenth of them silent. BENCH_ELEMENTS makes it smaller.

The routers, their poller, the collector of their counters and this measurement are processes of their own.
"""

import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil
import pytest

from launcher.ports import free_port
from tests.support.product import Process, running
from tests.support.routersim_process import RoutersimProcess

ELEMENTS = int(os.environ.get("BENCH_ELEMENTS", "1000"))
CARDS, PORTS = 10, 10
WINDOW_SECONDS = 60.0
FAULTS = 15
BUDGET = json.loads((Path(__file__).parent / "budgets.json").read_text())["polling"]
SEED = 7

pytestmark = [
    pytest.mark.bench,
    pytest.mark.timeout(1800),
    pytest.mark.django_db(transaction=True),
]


@dataclass
class Scene:
    """The running poller, and a look at simulator and database from outside."""

    sim: RoutersimProcess
    poller: psutil.Process
    collector: psutil.Process
    names: list[str]

    def cost(self) -> dict[str, float]:
        both = (self.poller, self.collector)
        requests, cpu, began = self._requests(), [_cpu_seconds(process) for process in both], time.monotonic()
        time.sleep(WINDOW_SECONDS)  # the window of the measurement
        took = time.monotonic() - began
        poller, collector = (100 * (_cpu_seconds(of) - before) / took for of, before in zip(both, cpu, strict=True))
        return {
            "requests_per_second": (self._requests() - requests) / took,
            "cpu_percent": poller,
            "counters_cpu_percent": collector,
            "mib": self.poller.memory_info().rss / 2**20,
            "counters_mib": self.collector.memory_info().rss / 2**20,
        }

    def _requests(self) -> int:
        return int(self.sim.control("GET", "/stats")["requests"])

    def seconds_to_see(self, name: str, fault: str, oper_state: str) -> float:
        """Return the seconds from the fault of a port on card 2 to its row."""
        from vnfm.elements.models import Equipment

        began = time.monotonic()
        self.sim.fault(name, fault, port="2/1/1")
        port = Equipment.objects.filter(
            element__name=name, fdn__endswith=":cardSlot-2:card:daughterCardSlot-1:daughterCard:port-1"
        )
        rows = port.filter(oper_state=oper_state)
        while not rows.exists():
            assert time.monotonic() - began < 120, f"{fault} of {name} was not seen"
            time.sleep(0.02)
        return time.monotonic() - began

    def faults(self) -> list[float]:
        taken = []
        for name in random.Random(SEED).choices(self.names, k=FAULTS):
            taken.append(self.seconds_to_see(name, "port-down", "OUT_OF_SERVICE"))
            self.sim.fault(name, "port-up", port="2/1/1")
        return taken


def _ages() -> list[float]:
    from vnfm.elements.models import NetworkElement
    from vnfm.kit import clock

    now = clock.now()
    seen = NetworkElement.objects.filter(reachable="True").values_list("observed_at", flat=True)
    return [(now - at).total_seconds() for at in seen if at is not None]


@pytest.fixture
def scene(
    tmp_path: Path, product_env: dict[str, str], transactional_db: None, record_property: "pytest.RecordProperty"
) -> Iterator[Scene]:
    from tests.factories.elements import make_policy
    from tests.support.waiting import until
    from vnfm.elements.models import NetworkElement

    with RoutersimProcess(tmp_path, snmp_port=free_port()) as sim:
        made = sim.control("POST", "/fleets", {
            "count": ELEMENTS, "kind": "7750-SR-12", "network": "127.66.0.0/16", "cards": CARDS, "mdas": 1,
            "ports": PORTS, "sshPort": free_port(),
        })["elements"]  # fmt: skip
        policy = make_policy(port=made[0]["snmpPort"])
        NetworkElement.objects.bulk_create(
            NetworkElement(name=each["name"], kind="PHYSICAL", management_address=each["address"], snmp_policy=policy)
            for each in made
        )
        began = time.monotonic()
        with (
            running("manage.py", "elements", env=product_env) as poller,
            running("manage.py", "counters", env=product_env) as collector,
        ):
            unread = NetworkElement.objects.filter(first_full_resync_at=None)
            until(lambda: not unread.exists(), "all to be read", seconds=600)
            record_property("read_all_seconds", round(time.monotonic() - began, 1))
            print(f"\nall read in {time.monotonic() - began:.1f} s")
            yield Scene(sim, _process(poller), _process(collector), [each["name"] for each in made])


def _cpu_seconds(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:2])


def _process(poller: Process) -> psutil.Process:
    return psutil.Process(poller.popen.pid)


def test_a_thousand_routers(scene: Scene, record_property: "pytest.RecordProperty") -> None:
    figures: dict[str, dict[str, float]] = {}
    for state in ("all answer", "a tenth is silent"):
        if state != "all answer":
            for name in scene.names[::10]:
                scene.sim.fault(name, "silent")
            scene.names = [name for number, name in enumerate(scene.names) if number % 10]
        found = scene.cost()
        ages = _ages()
        taken = scene.faults()
        found |= {"age_p50": median(ages), "age_worst": max(ages), "seen_p50": median(taken), "seen_worst": max(taken)}
        figures[state] = {name: round(value, 2) for name, value in found.items()}
    print(f"{ELEMENTS} elements of {CARDS * PORTS} ports: {json.dumps(figures)}")
    record_property("figures", figures)
    for found in figures.values():
        assert found["cpu_percent"] <= BUDGET["cpu_percent"]
        assert found["counters_cpu_percent"] <= BUDGET["cpu_percent"]
        assert found["mib"] <= BUDGET["mib"]
        assert found["age_worst"] <= BUDGET["age_seconds"]
