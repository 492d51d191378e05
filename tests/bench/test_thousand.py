"""1,000 operations live at once on the simulated cloud with one worker process.

The servers boot so slowly that no stack has ended when the last one begins; then they end at the pace at which they
began. Recorded: how fast operations are begun and ended, the worker's peak memory, and the longest time between the end
of a stack, by Heat's own event, and our COMPLETED.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from openstack.connection import Connection

from tests.support.installation import Product, until

COUNT = int(os.environ.get("BENCH_THOUSAND", "1000"))
BOOT_SECONDS = float(os.environ.get("BENCH_BOOT_SECONDS", "480"))
"""Longer than all operations together take to begin."""
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())

pytestmark = [pytest.mark.bench, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with Product(Path(tmp_path_factory.mktemp("thousand"))) as running:
        yield running


def test_a_thousand_operations_at_once(product: Product, record_property: Callable[[str, object], None]) -> None:
    vim, vnfd = product.vim_id(), product.vnfd_id()
    product.control("POST", "/hosts", {"count": min(COUNT // 3, 1000)})
    product.control("PUT", "/settings", {"boot_seconds": BOOT_SECONDS})
    ids = [product.create(f"thousand-{number}", vnfd) for number in range(COUNT)]
    cloud = product.cloud()
    start = time.monotonic()
    for instance in ids:
        product.instantiate(instance, vim)

    def all_in_heat() -> bool | None:
        stacks = sum(1 for _ in cloud.orchestration.stacks())
        states = Counter(op["operationState"] for op in product.operations("INSTANTIATE"))
        assert not states.keys() - {"STARTING", "PROCESSING"}, f"no longer all live: {states}; boot more slowly"
        return True if stacks == COUNT else None

    until(all_in_heat, BOOT_SECONDS, "all operations have their stack", every=2.0)
    begun = time.monotonic() - start
    operations = until(lambda: _all_over(product), BOOT_SECONDS + 900, "all operations end", every=5.0)
    figures = {
        "operations": COUNT,
        "begun_per_second": round(COUNT / begun, 1),
        "ended_per_second": round(COUNT / _spread(operations), 1),
        "worker_peak_mib": round(product.peak_mib("worker")),
        "longest_delay_seconds": round(max(_delays(cloud, operations)), 1),
    }
    print(f"\n{figures}")
    record_property("thousand", figures)
    assert Counter(op["operationState"] for op in operations) == Counter(COMPLETED=COUNT)
    assert product.status()["services"]["worker"]["restarts"] == 0
    assert figures["worker_peak_mib"] < BUDGETS["thousand_worker_peak_mib"]
    assert figures["longest_delay_seconds"] < BUDGETS["thousand_longest_delay_seconds"]


def _all_over(product: Product) -> list[dict[str, Any]] | None:
    found = list(product.operations("INSTANTIATE"))
    return None if any(op["operationState"] in {"STARTING", "PROCESSING"} for op in found) else found


def _entered(op: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(op["stateEnteredTime"])


def _spread(operations: list[dict[str, Any]]) -> float:
    """Seconds between the first end and the last."""
    ends = [_entered(op) for op in operations]
    return (max(ends) - min(ends)).total_seconds()


def _delays(cloud: Connection, operations: list[dict[str, Any]]) -> list[float]:
    """Seconds between the end of each stack and the end of its operation."""
    stacks = {stack.name.rsplit("-", 2)[1]: f"{stack.name}/{stack.id}" for stack in cloud.orchestration.stacks()}

    def delay(op: dict[str, Any]) -> float:
        return (_entered(op) - _stack_end(cloud, stacks[op["vnfInstanceId"][:8]])).total_seconds()

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(delay, operations))


def _stack_end(cloud: Connection, stack: str) -> datetime:
    """By Heat's event of the root stack; its times have no fraction, so that a delay may seem a second longer."""
    query = "resource_status=COMPLETE&resource_action=CREATE"
    events = cloud.orchestration.get(f"/stacks/{stack}/events?{query}", headers={"Accept": "application/json"})
    name = stack.partition("/")[0]
    times = [
        datetime.fromisoformat(event["event_time"].rstrip("Z")).replace(tzinfo=UTC)
        for event in events.json()["events"]
        if event["resource_name"] == name and event["resource_status"] == "CREATE_COMPLETE"
    ]
    return max(times)
