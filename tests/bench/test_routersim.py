"""A thousand elements with a hundred ports each in one process: how fast they answer, and what they weigh."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from gufo.snmp import SnmpVersion
from gufo.snmp.sync import SnmpSession

from tests.support.routersim_process import RoutersimProcess

pytestmark = pytest.mark.bench

BUDGET = json.loads((Path(__file__).parent / "budgets.json").read_text())["routersim"]
ELEMENTS, PORTS = 1000, 100
SYS_UPTIME, IF_TABLE, PORT_TABLE = "1.3.6.1.2.1.1.3.0", "1.3.6.1.2.1.2.2", "1.3.6.1.4.1.6527.3.1.2.2.4.2"
POLLED = 20
"""Elements whose tables are read as a whole."""


def _session(element: dict[str, Any]) -> SnmpSession:
    return SnmpSession(addr=element["address"], port=element["snmpPort"], version=SnmpVersion.v2c, timeout=10.0)


def test_a_thousand_elements(tmp_path: Path, record_property: pytest.RecordProperty) -> None:
    with RoutersimProcess(tmp_path) as process:
        began = time.perf_counter()
        made = process.control("POST", "/fleets", {
            "count": ELEMENTS, "kind": "7750-SR-12", "network": "127.64.0.0/16", "cards": 10, "mdas": 1,
            "ports": PORTS // 10, "sshPort": 10_022,
        })["elements"]  # fmt: skip
        figures: dict[str, float] = {"start_seconds": time.perf_counter() - began}
        agent = psutil.Process(process.pid)
        figures["mib_idle"] = agent.memory_info().rss / 2**20

        began, used = time.perf_counter(), sum(agent.cpu_times()[:2])
        for element in made:
            with _session(element) as manager:
                assert manager.get(SYS_UPTIME) is not None
        figures["gets_per_cpu_second"] = ELEMENTS / (sum(agent.cpu_times()[:2]) - used)

        cells, used = 0, sum(agent.cpu_times()[:2])
        for element in made[:POLLED]:
            with _session(element) as manager:
                for table in (IF_TABLE, PORT_TABLE):
                    cells += sum(1 for _ in manager.getbulk(table, max_repetitions=50))
        taken = sum(agent.cpu_times()[:2]) - used
        figures["cells_per_cpu_second"] = cells / taken
        figures["poll_cpu_ms_per_element"] = taken / POLLED * 1000

        for element in made:
            with _session(element) as manager:
                assert len(list(manager.getbulk(f"{IF_TABLE}.1.8", max_repetitions=100))) == PORTS
        figures["mib_polled"] = agent.memory_info().rss / 2**20
        print({name: round(value, 1) for name, value in figures.items()})
        record_property("figures", figures)
        assert cells == POLLED * PORTS * (17 + 6)
        assert figures["mib_polled"] <= BUDGET["mib"]
        assert figures["cells_per_cpu_second"] >= BUDGET["cells_per_cpu_second"]
        assert figures["gets_per_cpu_second"] >= BUDGET["gets_per_cpu_second"]
