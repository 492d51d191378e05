"""200 VSR-PE at once with one worker process: all COMPLETED; wall time and the worker's peak memory are recorded."""

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.installation import Product, until

COUNT = int(os.environ.get("BENCH_CROWD", "200"))
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with Product(Path(tmp_path_factory.mktemp("crowd"))) as running:
        yield running


def test_a_crowd_of_instances(product: Product, record_property: Callable[[str, object], None]) -> None:
    vim, vnfd = product.vim_id(), product.vnfd_id()
    # Ten hosts have VFs for 80 data path VMs; the simulated cloud grows on request.
    product.control("POST", "/hosts", {"count": COUNT // 3})
    ids = [product.create(f"crowd-{number}", vnfd) for number in range(COUNT)]
    start = time.monotonic()
    for instance in ids:
        product.instantiate(instance, vim)

    def all_over() -> Counter[str] | None:
        states = Counter(op["operationState"] for op in product.operations("INSTANTIATE"))
        return None if states["STARTING"] + states["PROCESSING"] else states

    states = until(all_over, 1500, "all instantiations end", every=1.0)
    seconds = time.monotonic() - start
    worker = product.status()["services"]["worker"]
    peak = product.peak_mib("worker")
    print(f"\n{COUNT} instances: {dict(states)} in {seconds:.1f} s, worker peak {peak:.0f} MiB")
    record_property("seconds", round(seconds, 1))
    record_property("worker_peak_mib", round(peak))
    assert states == Counter(COMPLETED=COUNT)
    assert worker["restarts"] == 0
    assert peak < BUDGETS["crowd_worker_peak_mib"]
