"""Each process is killed, and stopped, with operations under way: all complete, and not much later than undisturbed.

A stopped process (SIGSTOP) is noticed by its heartbeat; the launcher kills it and starts it again.
"""

import logging
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.clock import Clock
from tests.chaos.harness import Harness
from tests.chaos.operations import BY_NAME, DEFAULT
from tests.support.installation import Product, until

COUNT = 5
SILENT_SECONDS, RESTART_SECONDS = 10.0, 20.0
"""Shorter than by default, so that a row is no matter of minutes."""
OF_THE_PRODUCT = ("worker", "beat", "relay", "watch", "elements", "counters", "traps", "web")
BROKER_EXTRA = 10.0
"""Seconds that a restart of the broker may cost."""

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    """A product of its own, whose processes may be silent for some seconds only."""
    env = {
        "VNFM_PROCESS_SILENT_SECONDS": str(SILENT_SECONDS),
        "VNFM_PROCESS_RESTART_SECONDS": str(RESTART_SECONDS),
    }
    with Product(Path(tmp_path_factory.mktemp("impatient")), env=env) as product:
        yield Harness(product, Clock(tmp_path_factory.mktemp("clock")))


def _started(harness: Harness) -> tuple[list[str], list[str]]:
    """Instances, and their operations, most of them in the midst."""
    ids = [harness.create(DEFAULT) for _ in range(COUNT)]
    operations = [harness.start(BY_NAME["INSTANTIATE"], instance) for instance in ids]
    until(
        lambda: any(harness.op_occ(op)["operationState"] == "PROCESSING" for op in operations) or None,
        60,
        "an operation is being processed",
    )
    return ids, operations


def _completed(harness: Harness, ids: list[str], operations: list[str]) -> None:
    assert [harness.ended(op)["operationState"] for op in operations] == ["COMPLETED"] * COUNT
    assert [len(harness.servers(instance)) for instance in ids] == [3] * COUNT
    assert harness.findings() == []
    assert harness.terminated(ids) == []


@pytest.mark.matrix(1)
@pytest.mark.parametrize("service", [*OF_THE_PRODUCT, "forkserver"])
def test_operations_survive_each_killed_process(impatient: Harness, service: str) -> None:
    ids, operations = _started(impatient)
    killed = impatient.product.kill(service)
    _completed(impatient, ids, operations)
    until(lambda: impatient.product.pid(service) != killed or None, 60, f"{service} runs again")


@pytest.mark.matrix(1)
@pytest.mark.parametrize("service", OF_THE_PRODUCT)
def test_a_stopped_process_is_noticed_and_restarted(impatient: Harness, service: str) -> None:
    product = impatient.product
    ids, operations = _started(impatient)
    stopped_at, stopped = time.monotonic(), product.kill(service, signal.SIGSTOP)
    if service != "web":
        alarm = until(lambda: _alarm(impatient, service), 60, f"an alarm about {service}")
        assert alarm["faultyResource"] == service
        log.info("%s: noticed after %.1f s", service, time.monotonic() - stopped_at)
    until(lambda: _other_pid(product, service, stopped), 120, f"{service} is started again")
    log.info("%s: restarted after %.1f s", service, time.monotonic() - stopped_at)
    _completed(impatient, ids, operations)
    log.info("%s: all done after %.1f s", service, time.monotonic() - stopped_at)
    until(lambda: _alarm(impatient, service) is None or None, 60, "the alarm clears")


def _alarm(harness: Harness, service: str) -> dict[str, str] | None:
    rows = harness.get("/api/v1/alarms?filter=(eq,faultType,ManagerProcessSilent)")
    return next((row for row in rows if row["faultyResource"] == service and not row["alarmClearedTime"]), None)


def _other_pid(product: Product, service: str, stopped: int) -> bool | None:
    pid = product.status()["services"][service]["pid"]
    return (pid is not None and pid != stopped) or None


def test_a_killed_broker_costs_little(impatient: Harness) -> None:
    """Compared with the same work on the same machine at the same time of day: undisturbed, then disturbed."""
    undisturbed = _seconds(impatient, disturbed=False)
    worker = impatient.product.pid("worker")
    disturbed = _seconds(impatient, disturbed=True)
    log.info("broker: undisturbed %.1f s, killed %.1f s", undisturbed, disturbed)
    assert impatient.product.pid("worker") == worker, "the worker survives its broker"
    assert disturbed < 2 * undisturbed + BROKER_EXTRA


def _seconds(harness: Harness, *, disturbed: bool) -> float:
    ids, operations = _started(harness)
    started = time.monotonic()
    if disturbed:
        os.kill(harness.product.pid("valkey"), signal.SIGKILL)
    assert [harness.ended(op)["operationState"] for op in operations] == ["COMPLETED"] * COUNT
    seconds = time.monotonic() - started
    assert harness.findings() == []
    assert harness.terminated(ids) == []
    return seconds
