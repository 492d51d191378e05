"""The product with its simulated cloud, an instance that nothing may touch, and the means to damage either."""

import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from typing import Any, TypeVar

import requests

from tests.chaos.boundaries import Boundary, changing_calls
from tests.chaos.clock import Clock
from tests.chaos.database import PATIENCE, Database
from tests.chaos.operations import BY_NAME, FRESH, Operation, fresh_package, make_foreign_network, request_of
from tests.chaos.pool import Pool
from tests.chaos.reconcile import Finding, compare, fingerprint, record_with_resources, servers_by_slot, servers_of_all
from tests.factories.packages import vsr_next
from tests.support.installation import Product, until

T = TypeVar("T")
FINAL = {"COMPLETED", "FAILED", "ROLLED_BACK"}
UNNEEDED = ("relay", "elements", "counters", "traps", "routersim")
"""Processes that no operation of the matrix waits for."""
SETTLE = 15.0
"""Seconds until record and cloud must agree after all operations have ended."""


class Harness:
    """One product for many cases."""

    def __init__(self, product: Product, clock: Clock) -> None:
        self.product = product
        self.clock = clock
        self.vim = product.vim_id()
        self.cloud = product.cloud()
        self.control = product.control
        self._numbers = count(1)
        self.database = Database(product.status()["database_url"])
        self.pool = Pool()
        self._idle: dict[str, dict[str, Any]] = {}
        """Records of instances when they came into the pool, for `findings`."""
        self.instances: set[str] = set()
        self.names: dict[str, str] = {}
        """Instance id to name, of all that there ever were."""
        self._vnfds = {"VSR-PE": product.vnfd_id(), FRESH: product.onboard(fresh_package())}
        self._boundaries: dict[str, list[Boundary]] = {}
        self.control("PUT", "/settings", {"boot_seconds": 0.2, "action_seconds": 0.1, "flavor_create_role": "member"})
        product.onboard(vsr_next())
        make_foreign_network(self.cloud)
        (self.bystander,) = self.prepared([BY_NAME["TERMINATE"]])

    def get(self, path: str) -> Any:
        """GET of the product's API; waits while the web or its database is being started again."""

        def look() -> list[Any] | None:
            try:
                answer = self.product.session.get(self.product.url + path, timeout=30)
            except requests.RequestException:
                return None
            if answer.status_code >= 500:
                return None
            assert answer.ok, f"GET {path}: {answer.status_code} {answer.text[:500]}"
            return [answer.json()]

        return until(look, PATIENCE, f"GET {path} is answered")[0]

    def create(self, product: str) -> str:
        name = f"chaos-{next(self._numbers):04}"
        instance = self.product.create(name, self._vnfds[product])
        self.instances.add(instance)
        self.names[instance] = name
        return instance

    def start(self, operation: Operation, instance: str) -> str:
        """The op occ's id."""
        body = request_of(operation, self.vim, instance, self.product)
        answer = self.product.post(operation.path(instance), body, operation.method)
        return answer.headers["Location"].rsplit("/", 1)[-1]

    def op_occ(self, op: str) -> dict[str, Any]:
        """The op occ with its steps and actions."""
        found: dict[str, Any] = self.get(f"/api/v1/vnf_lcm_op_occs/{op}")
        return found

    def ended(self, op: str) -> dict[str, Any]:
        """The op occ once it has ended, or is in FAILED_TEMP."""

        def look() -> bool | None:
            return self.database.states([op]).get(op) in FINAL | {"FAILED_TEMP"} or None

        until(look, PATIENCE, f"operation {op} ends or asks for help", every=0.1)
        return self.op_occ(op)

    def prepared(self, operations: Sequence[Operation]) -> list[str]:
        """An instance for each, from the pool or new, at once brought to where its operation begins; their ids."""
        taken = [self.pool.take(operation) for operation in operations]
        instances = [
            found or self.create(operation.product) for operation, (found, _) in zip(operations, taken, strict=True)
        ]
        for level in range(max(len(names) for _, names in taken)):
            begun = [
                self.start(_on(operation, BY_NAME[names[level]]), instance)
                for operation, (_, names), instance in zip(operations, taken, instances, strict=True)
                if level < len(names)
            ]
            for op in begun:
                end = self.ended(op)
                assert end["operationState"] == "COMPLETED", end
        return instances

    def give_back(self, operation: Operation, instance: str, end: str) -> bool:
        """Pool an instance that is whole; False when it is to be terminated instead."""
        if not self.pool.give_back(operation, instance, end):
            return False
        self._idle[instance] = record_with_resources(self.get, self.cloud, instance)
        return True

    def damage(self, operation: Operation, servers: Mapping[str, str]) -> set[str]:
        """Damage the servers (by slot) that the operation is to repair; returns the ids of lost servers and ports."""
        lost = set()
        for slot, action in operation.damage:
            server = servers[slot]
            if action == "delete":
                lost |= {server, *(port.id for port in self.cloud.network.ports(device_id=server))}
            self.control("POST", f"/servers/{server}/{action}")
        return lost

    def boundaries(self, operation: Operation) -> list[Boundary]:
        """The operation's step boundaries, found by running it once."""
        if operation.name not in self._boundaries:
            (instance,) = self.prepared([operation])
            if operation.damage:
                self.damage(operation, self.servers(instance))
            self.remove_artefacts(operation.product)
            self.control("DELETE", "/stats")
            end = self.ended(self.start(operation, instance))
            assert end["operationState"] == "COMPLETED", end
            # The first run alone has to create the shared artefacts of a shipped product that are not there.
            repeated = operation.product == FRESH
            calls = changing_calls(self.control("GET", "/stats"))
            self._boundaries[operation.name] = [call for call in calls if repeated or not call.is_shared]
            if not self.give_back(operation, instance, "COMPLETED"):
                self.terminated([instance])
        return self._boundaries[operation.name]

    def remove_artefacts(self, product: str) -> None:
        """Delete the fresh product's image and flavor from the cloud, and age their record, so that it is checked."""
        if product != FRESH:
            return
        ours = re.compile(f"vnfm-{FRESH.lower()}-")
        for image in self.cloud.image.images():
            if ours.match(image.name):
                self.cloud.image.delete_image(image)
        for flavor in self.cloud.compute.flavors():
            if ours.match(flavor.name):
                self.cloud.compute.delete_flavor(flavor)
        pattern = f"'vnfm-{FRESH.lower()}-%'"
        self.database.execute(
            f"UPDATE vims_vimartefact SET ready_at = now() - interval '1 day' WHERE key LIKE {pattern}"
        )

    def servers(self, instance: str) -> dict[str, str]:
        return servers_by_slot(self.cloud, instance)

    def all_servers(self) -> dict[str, dict[str, str]]:
        """Instance → slot → server id."""
        return servers_of_all(self.cloud)

    def fingerprint(self) -> dict[str, Any]:
        return fingerprint(self.get, self.cloud, self.bystander)

    def findings(self) -> list[Finding]:
        """Where record and cloud differ, once there has been time to agree."""
        idle = {instance: self._idle[instance] for instance in self.pool.idle}
        return _settled(lambda: compare(self.get, self.cloud, self.instances - idle.keys(), idle), [])

    def statuses(self, instance: str, wanted: dict[str, str]) -> dict[str, str]:
        """Recorded status of the server in each slot, as soon as it is as wanted, or after SETTLE seconds."""

        def look() -> dict[str, str]:
            record = self.get(f"/api/v1/vnf_instances/{instance}")
            return {vnfc["slot"]: vnfc["lastKnownStatus"] for vnfc in record["vnfcs"]}

        return _settled(look, wanted)

    def has_drifted(self, instance: str, since: datetime) -> bool:
        """Whether the product shows drift, once it has polled again; an instance that is terminated cannot drift."""

        def look() -> bool:
            record = self.get(f"/api/v1/vnf_instances/{instance}")
            if record["instantiationState"] != "INSTANTIATED":
                return True
            found = next(condition for condition in record["conditions"] if condition["type"] == "InSync")
            seen = found["observedAt"] is not None and datetime.fromisoformat(found["observedAt"]) > since
            return seen and found["status"] == "True"

        return not _settled(look, True)

    def repair(self, instance: str) -> None:
        """Repair by the API."""
        answer = self.product.post(f"/api/v1/vnf_instances/{instance}/repair")
        end = self.ended(answer.headers["Location"].rsplit("/", 1)[-1])
        assert end["operationState"] == "COMPLETED", end

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Only the processes that drive operations run: the others would need a third of the processor."""
        for service in UNNEEDED:
            self.product.kill(service, signal.SIGSTOP)
        try:
            yield
        finally:
            for service in UNNEEDED:
                self.product.kill(service, signal.SIGCONT)

    def is_busy(self, instance: str) -> bool:
        return bool(self.get(f"/api/v1/vnf_instances/{instance}")["runningOpOccId"])

    def terminated(self, instances: Iterable[str]) -> list[str]:
        """Terminate and delete; returns the ids of instances that could not be."""
        stuck = []
        begun = {}
        for instance in instances:
            record = self.get(f"/api/v1/vnf_instances/{instance}")
            if record["runningOpOccId"]:
                stuck.append(instance)
            elif record["instantiationState"] == "INSTANTIATED":
                begun[instance] = self.start(BY_NAME["TERMINATE"], instance)
            else:
                self._forget(instance)
        for instance, op in begun.items():
            if self.ended(op)["operationState"] == "COMPLETED":
                self._forget(instance)
            else:
                stuck.append(instance)
        return stuck

    def write_off(self, *instances: str) -> None:
        """Delete the stacks of instances that cannot be terminated, for the sake of the next cases."""
        self.instances -= set(instances)
        self.pool.forget(instances)
        stacks = [s for s in self.cloud.orchestration.stacks() if any(i[:8] in s.name for i in instances)]
        for stack in stacks:
            self.cloud.orchestration.delete_stack(stack)
        for stack in stacks:
            self.cloud.orchestration.wait_for_delete(stack, interval=0.5, wait=60)

    def _forget(self, instance: str) -> None:
        url = f"{self.product.url}/vnflcm/v2/vnf_instances/{instance}"
        answer = self.product.session.delete(url, timeout=60)
        assert answer.ok, answer.text
        self.instances.discard(instance)


def _settled(look: Callable[[], T], wanted: T) -> T:
    """The value as soon as it is as wanted, or after SETTLE seconds."""
    deadline = time.monotonic() + SETTLE
    while (found := look()) != wanted and time.monotonic() < deadline:
        time.sleep(0.5)
    return found


def _on(operation: Operation, earlier: Operation) -> Operation:
    """The fresh product needs its own kind of INSTANTIATE."""
    if earlier.name == "INSTANTIATE" and operation.product == FRESH:
        return BY_NAME["INSTANTIATE without artefacts"]
    return earlier
