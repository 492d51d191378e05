"""kill -9 of the worker in the middle of running instantiations: they go on, and nothing is made twice."""

import pytest

from tests.chaos.harness import Harness
from tests.chaos.operations import BY_NAME, DEFAULT
from tests.support.installation import until

COUNT = 10

pytestmark = [pytest.mark.timeout(600)]


def test_ten_instantiations_survive_their_worker(harness: Harness) -> None:
    ids = [harness.create(DEFAULT) for _ in range(COUNT)]
    operations = [harness.start(BY_NAME["INSTANTIATE"], instance) for instance in ids]

    def half_way() -> bool | None:
        states = [harness.op_occ(op)["operationState"] for op in operations]
        return True if states.count("PROCESSING") >= COUNT // 2 else None

    before = harness.product.status()["services"]["worker"]["restarts"]
    until(half_way, 60, "most operations are being processed")
    killed = harness.product.kill("worker")
    assert [harness.ended(op)["operationState"] for op in operations] == ["COMPLETED"] * COUNT

    def restarted() -> bool | None:
        worker = harness.product.status()["services"]["worker"]
        return (worker["restarts"] > before and worker["pid"] != killed) or None

    until(restarted, 30, "the worker runs again")
    assert [len(harness.servers(instance)) for instance in ids] == [3] * COUNT
    assert harness.findings() == []
    assert harness.terminated(ids) == []
