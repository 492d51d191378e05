"""Operations by one, two and four workers: how many a second, and the processor's time of our own for each.

Of three VMs each, on a simulated cloud that is another process; BENCH_WORKERS_OPERATIONS at once for each number.
"""

import json
import os
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from launcher.layout import Instance
from launcher.record import Record
from tests.bench.footprint import Footprint, footprint
from tests.support.installation import Product, until

COUNT = int(os.environ.get("BENCH_WORKERS_OPERATIONS", "20"))
WORKERS = (1, 2, 4)
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["workers"]

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1800)]


def measured(product: Product, others: dict[str, int]) -> Footprint:
    record = Record.load(Instance(product.state_dir).record)
    assert record is not None
    services = {name: service.pid for name, service in record.services.items() if service.pid}
    return footprint(services | others, record.supervisor.pid)


def run(product: Product, prefix: str) -> None:
    vim, vnfd = product.vim_id(), product.vnfd_id()
    ids = [product.create(f"{prefix}-{number}", vnfd) for number in range(COUNT)]
    before = Counter(op["operationState"] for op in product.operations("INSTANTIATE"))
    for instance in ids:
        product.instantiate(instance, vim)

    def all_over() -> bool | None:
        states = Counter(op["operationState"] for op in product.operations("INSTANTIATE"))
        return states == before + Counter(COMPLETED=COUNT) or None

    until(all_over, 600, "all operations are completed", every=2.0)  # each look is a request, which counts


def test_more_workers(tmp_path: Path, record_property: "pytest.RecordProperty") -> None:
    figures: dict[int, dict[str, float]] = {}
    with Product(tmp_path) as product:
        product.control("POST", "/hosts", {"count": COUNT * len(WORKERS)})
        for workers in WORKERS:
            with ExitStack() as more:
                started = [more.enter_context(product.another("worker")) for _ in range(workers - 1)]
                others = {f"worker-{number}": process.pid for number, process in enumerate(started)}
                before, begun = measured(product, others), time.monotonic()
                run(product, f"of-{workers}")
                seconds = time.monotonic() - begun
                after = measured(product, others)
            used = after.own_core_share(before, seconds) * seconds
            print(workers, {n: round(cpu - before.cpu.get(n, 0.0), 1) for n, cpu in after.cpu.items()}, round(seconds))
            figures[workers] = {"a_second": round(COUNT / seconds, 2), "own_cpu_seconds_each": round(used / COUNT, 3)}
    print(figures)
    record_property("figures", figures)
    assert max(row["own_cpu_seconds_each"] for row in figures.values()) <= BUDGETS["own_cpu_seconds_each"]
