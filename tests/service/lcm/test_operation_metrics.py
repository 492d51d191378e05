"""An operation is counted in the metrics: its states, its time, its steps, and the requests to the cloud."""

from collections.abc import Callable

import pytest

from tests.service.lcm.lifecycle import Lifecycle, Saboteur
from vnfm.clouds.errors import Rejected
from vnfm.lcm.domain.states import Operation
from vnfm.metrics import recorder

pytestmark = pytest.mark.django_db(transaction=True)


def _counted() -> dict[str, dict[tuple[str, ...], recorder.Increment]]:
    found: dict[str, dict[tuple[str, ...], recorder.Increment]] = {}
    for (name, labels), increment in recorder.take().items():
        found.setdefault(name, {})[labels] = increment
    return found


def test_an_operation_is_counted_by_its_states_and_steps(lifecycle: Lifecycle) -> None:
    recorder.take()
    instance = lifecycle.create()
    lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    counted = _counted()
    states = {labels[1]: each.value for labels, each in counted["vnfm_operations_total"].items()}
    assert states == {"PROCESSING": 1, "COMPLETED": 1}
    ended = counted["vnfm_operation_duration_seconds"]["INSTANTIATE", "COMPLETED"]
    assert sum(ended.buckets) == 1
    steps = counted["vnfm_step_duration_seconds"]
    assert {labels[1] for labels in steps} == {"DONE"}
    assert sum(sum(each.buckets) for each in steps.values()) == instance.operations.get().steps.count()
    requests = counted["vnfm_cloud_requests_total"]
    assert {labels[0] for labels in requests} == {"cloudsim"}
    assert ("cloudsim", "heat", "ok") in requests
    assert ("cloudsim", "keystone", "ok") in requests


def test_a_failed_step_is_counted_as_failed(lifecycle: Lifecycle, break_cloud: Callable[..., Saboteur]) -> None:
    recorder.take()
    break_cloud("stacks.create", Rejected("no", service="heat", http_status=400), after=False)
    instance = lifecycle.create()
    lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    counted = _counted()
    assert ("INSTANTIATE", "FAILED_TEMP") in counted["vnfm_operations_total"]
    assert [labels[1] for labels in counted["vnfm_step_duration_seconds"] if labels[1] != "DONE"] == ["FAILED"]
