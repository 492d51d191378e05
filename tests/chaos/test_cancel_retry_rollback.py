"""Every operation is cancelled half-way: then retried, and rolled back. On the simulated cloud, or on the one that
VNFM_TEST_CLOUD names in VNFM_TEST_CLOUDS_YAML; the table is printed."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.operations import BY_NAME, DEFAULT, OPERATIONS, Operation, make_foreign_network, request_of
from tests.chaos.reconcile import servers_by_slot
from tests.factories.packages import NEXT_VNFD, vsr_next
from tests.support.installation import Product, until

REAL = os.environ.get("VNFM_TEST_CLOUD", "")
OVER = {"COMPLETED", "FAILED", "FAILED_TEMP", "ROLLED_BACK"}
SECONDS = 900.0
ROWS = [operation for operation in OPERATIONS if operation.product == DEFAULT]

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(3600)]


@dataclass
class Table:
    """One line an operation."""

    lines: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    filled = Table()
    yield filled
    head = f"| on {REAL or 'the simulated cloud'} | works | cancel | retry | rollback |"
    sys.stdout.write("\n".join(["", head, "| --- | --- | --- | --- | --- |", *filled.lines, ""]))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    arguments = ("--cloud", REAL) if REAL else ()
    env = {"OS_CLIENT_CONFIG_FILE": os.environ["VNFM_TEST_CLOUDS_YAML"]} if REAL else {}
    with Product(Path(tmp_path_factory.mktemp("table")), *arguments, env=env) as product:
        product.onboard(vsr_next())
        elsewhere = make_foreign_network(product.cloud())
        yield product
        product.cloud().network.delete_network(elsewhere)


class Runner:
    _numbers = count(1)

    def __init__(self, product: Product) -> None:
        self.product, self.vim = product, product.vim_id()
        self.cloud = product.cloud()
        packages = product.get("/api/v1/vnfds")
        self._vnfd = next(v["vnfdId"] for v in packages if v["productName"] == DEFAULT and v["vnfdId"] != NEXT_VNFD)
        self._instances: list[str] = []

    def start(self, operation: Operation, instance: str) -> str:
        body = request_of(operation, self.vim, instance, self.product)
        answer = self.product.post(operation.path(instance), body, operation.method)
        return answer.headers["Location"].rsplit("/", 1)[-1]

    def op_occ(self, op: str) -> dict[str, Any]:
        found: dict[str, Any] = self.product.get(f"/api/v1/vnf_lcm_op_occs/{op}")
        return found

    def over(self, op: str) -> dict[str, Any]:
        def look() -> dict[str, Any] | None:
            found = self.op_occ(op)
            return found if found["operationState"] in OVER else None

        return until(look, SECONDS, f"operation {op} ends or asks for help", every=0.1)

    def prepared(self, operation: Operation) -> str:
        """A new instance where the operation begins."""
        instance = self.product.create(f"table-{next(self._numbers)}", self._vnfd)
        self._instances.append(instance)
        for earlier in operation.after:
            self.done(BY_NAME[earlier], instance)
        for slot, action in operation.damage:
            self._damage(self.slots(instance)[slot], action)
        return instance

    def _damage(self, server: str, action: str) -> None:
        """By Nova's API, which both clouds have; a server cannot be sent to ERROR by that, so that it is stopped."""
        found = self.cloud.compute.get_server(server)
        if action == "delete":
            self.cloud.compute.delete_server(found)
            self.cloud.compute.wait_for_delete(found, interval=0.2, wait=120)
        else:
            self.cloud.compute.stop_server(found)
            self.cloud.compute.wait_for_server(found, status="SHUTOFF", interval=0.2, wait=120)

    def terminated(self) -> None:
        for instance in self._instances:
            record = self.product.get(f"/api/v1/vnf_instances/{instance}")
            if record["instantiationState"] == "INSTANTIATED":
                self.done(BY_NAME["TERMINATE"], instance)

    def done(self, operation: Operation, instance: str) -> None:
        end = self.over(self.start(operation, instance))
        assert end["operationState"] == "COMPLETED", end

    def cancel(self, operation: Operation, instance: str) -> dict[str, Any]:
        """Begun, and cancelled as soon as the cloud is at work for it; it may have been quicker."""
        op = self.start(operation, instance)

        def look() -> dict[str, Any] | None:
            found = self.op_occ(op)
            busy = any(step["state"] == "WAITING" for step in found["steps"])
            return found if busy or found["operationState"] in OVER else None

        if until(look, SECONDS, f"operation {op} is at work", every=0.02)["operationState"] not in OVER:
            path = f"{self.product.url}/vnflcm/v2/vnf_lcm_op_occs/{op}/cancel"
            self.product.session.post(path, json={"cancelMode": "FORCEFUL"}, timeout=60)
        return self.over(op)

    def handle(self, op: dict[str, Any], task: str) -> dict[str, Any]:
        self.product.post(f"/vnflcm/v2/vnf_lcm_op_occs/{op['id']}/{task}")
        return self.over(op["id"])

    def slots(self, instance: str) -> dict[str, str]:
        return servers_by_slot(self.cloud, instance)


@pytest.mark.parametrize("operation", ROWS, ids=[operation.name for operation in ROWS])
def test_cancel_retry_rollback(running: Product, table: Table, operation: Operation) -> None:
    run = Runner(running)
    rollback = _rolled_back(run, operation, run.prepared(operation))
    instance = run.prepared(operation)
    op = run.cancel(operation, instance)
    cancel, retry = "too quick", "-"
    if op["operationState"] == "FAILED_TEMP":
        op = run.handle(op, "retry")
        cancel, retry = "yes", "yes"
    assert op["operationState"] == "COMPLETED", op
    assert set(run.slots(instance)) == operation.slots
    table.lines.append(f"| {operation.name} | yes | {cancel} | {retry} | {rollback} |")
    run.terminated()


def _rolled_back(run: Runner, operation: Operation, instance: str) -> str:
    """Whether it can be taken back half-way, or why not: the same slots, and all servers that were not to go."""
    before = run.slots(instance)
    op = run.cancel(operation, instance)
    if op["operationState"] == "COMPLETED":
        return "too quick"
    action = next(a for a in op["actions"] if a["action"] == "rollback")
    if not action["enabled"]:
        end = run.handle(op, "retry")
        assert end["operationState"] == "COMPLETED", end
        return str(action["disabledReason"])
    end = run.handle(op, "rollback")
    assert end["operationState"] == "ROLLED_BACK", end
    after, stay = run.slots(instance), before.keys() & (operation.slots - operation.replaced)
    assert after.keys() == before.keys()
    assert {slot: after[slot] for slot in stay} == {slot: before[slot] for slot in stay}
    return "yes"
