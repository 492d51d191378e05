"""kill -9 of the worker in the middle of running instantiations: they go on, and nothing is made twice."""

import pytest

from tests.chaos.operations import BY_NAME, DEFAULT
from tests.chaos.stage import Stage
from tests.installation import until

COUNT = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_ten_instantiations_survive_their_worker(stage: Stage) -> None:
    ids = [stage.create(DEFAULT) for _ in range(COUNT)]
    operations = [stage.start(BY_NAME["INSTANTIATE"], instance) for instance in ids]

    def half_way() -> bool | None:
        states = [stage.operation(op)["operationState"] for op in operations]
        return True if states.count("PROCESSING") >= COUNT // 2 else None

    before = stage.product.status()["services"]["worker"]["restarts"]
    until(half_way, 60, "most operations are being processed")
    killed = stage.product.kill("worker")
    assert [stage.rested(op)["operationState"] for op in operations] == ["COMPLETED"] * COUNT
    worker = stage.product.status()["services"]["worker"]
    assert worker["pid"] != killed
    assert worker["restarts"] > before
    assert [len(stage.servers(instance)) for instance in ids] == [3] * COUNT
    assert stage.findings() == []
    assert stage.cleared(ids) == []
