"""`./vnfm upgrade` while operations run and notifications arrive: operations that fail, and how long requests do.

BENCH_UPGRADE_OPERATIONS and BENCH_UPGRADE_TRAPS (a second) set the load; 100 and 1,000 are those of PERFORMANCE.md.
"""

import json
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
import requests

from tests.factories.notifications import trap
from tests.support.installation import Product, until

OPERATIONS = int(os.environ.get("BENCH_UPGRADE_OPERATIONS", "20"))
TRAPS_PER_SECOND = int(os.environ.get("BENCH_UPGRADE_TRAPS", "100"))
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["upgrade"]
PROBE_SECONDS = 0.05
BURSTS_PER_SECOND = 20

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1200)]


class Availability:
    """Requests one after the other; the longest time from one that was answered to the next."""

    def __init__(self, url: str) -> None:
        self.longest = 0.0
        self.failed = 0
        self._url = url
        self._answered_at = time.monotonic()

    def run(self, stop: Event) -> None:
        while not stop.wait(PROBE_SECONDS):
            try:
                answered = requests.get(self._url, timeout=5).ok
            except requests.RequestException:
                answered = False
            self.failed += not answered
            if answered:
                now = time.monotonic()
                self.longest, self._answered_at = max(self.longest, now - self._answered_at), now


def send_traps(address: str, stop: Event) -> None:
    """In bursts, also while no receiver listens."""
    host, port = address.split(":")
    message = trap()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        while not stop.wait(1 / BURSTS_PER_SECOND):
            for _ in range(TRAPS_PER_SECOND // BURSTS_PER_SECOND):
                sender.sendto(message, (host, int(port)))


@contextmanager
def load(product: Product) -> Iterator[Availability]:
    stop, availability = Event(), Availability(f"{product.url}/healthz")
    threads = [
        Thread(target=availability.run, args=(stop,), daemon=True),
        Thread(target=send_traps, args=(product.traps, stop), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        yield availability
    finally:
        stop.set()
        for thread in threads:
            thread.join(10)


def under_way(product: Product) -> Counter[str]:
    return Counter(op["operationState"] for op in product.operations("INSTANTIATE"))


def test_an_upgrade_under_load_fails_no_operation(tmp_path: Path, record_property: "pytest.RecordProperty") -> None:
    with Product(tmp_path) as product:
        product.control("POST", "/hosts", {"count": OPERATIONS})
        vim, vnfd = product.vim_id(), product.vnfd_id()
        ids = [product.create(f"upgraded-{number}", vnfd) for number in range(OPERATIONS)]
        with load(product) as availability:
            for instance in ids:
                product.instantiate(instance, vim)
            running = under_way(product)
            started = time.monotonic()
            product.vnfm("upgrade")
            seconds = time.monotonic() - started

            def all_over() -> Counter[str] | None:
                states = under_way(product)
                return None if states["STARTING"] + states["PROCESSING"] else states

            states = until(all_over, 600, "all operations end", every=1.0)
        received = sum(row["received"] for row in product.get("/api/v1/trap_receivers"))
    figures = {
        "operations_under_way": running["STARTING"] + running["PROCESSING"],
        "failed_operations": OPERATIONS - states["COMPLETED"],
        "longest_refusal_seconds": round(availability.longest, 1),
        "upgrade_seconds": round(seconds, 1),
        "traps_received_after_it": received,
    }
    print(figures)
    record_property("figures", figures)
    assert figures["operations_under_way"] > 0
    assert figures["failed_operations"] <= BUDGETS["failed_operations"], states
    assert figures["longest_refusal_seconds"] <= BUDGETS["longest_refusal_seconds"]
    assert received > 0
