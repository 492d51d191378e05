"""An installation uses little while nothing happens: memory (PSS) and processor time by service.

It has what `./vnfm up` begins with: a simulated cloud, which is polled every two seconds, and three simulated routers.
"""

import json
from pathlib import Path
from threading import Event

import pytest

from launcher.layout import Instance
from launcher.record import Record
from tests.bench.footprint import Footprint, footprint
from tests.support.installation import Product

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["footprint"]
SETTLE_SECONDS, MEASURED_SECONDS = 75.0, 40.0
"""First polls, the first run of what runs once an hour, and pools that give their connections up."""


def _measured(product: Product) -> Footprint:
    record = Record.load(Instance(product.state_dir).record)
    assert record is not None
    services = {name: service.pid for name, service in record.services.items() if service.pid}
    return footprint(services, record.supervisor.pid)


def test_an_idle_installation(tmp_path: Path, record_property: "pytest.RecordProperty") -> None:
    with Product(tmp_path, scene=True) as product:
        Event().wait(SETTLE_SECONDS)
        before = _measured(product)
        Event().wait(MEASURED_SECONDS)
        after = _measured(product)
    share = after.own_core_share(before, MEASURED_SECONDS)
    for name, mib in after.mib.items():
        used = 100 * (after.cpu[name] - before.cpu.get(name, 0.0)) / MEASURED_SECONDS
        print(f"{name:12} {mib:7.1f} MiB {used:5.2f} % of a core")
    figures = {"own_mib": after.own_mib(), "with_servers_mib": after.with_servers_mib(), "core_percent": 100 * share}
    print({name: round(value, 1) for name, value in figures.items()})
    record_property("figures", figures)
    for name, value in figures.items():
        assert value <= BUDGETS[name], name
