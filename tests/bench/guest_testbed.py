"""Routers that really route, with traffic of two customers through them, for measurements: see `GuestFlow`."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cloudsim.guests.links import Links
from demo.api import Api
from demo.cloud import CloudSide
from demo.guest_flow import GuestFlow
from demo.screen import Screen
from demo.surroundings import CUSTOMER_1, CUSTOMER_2, NEIGHBOURS, Neighbour
from demo.traffic import FLOWS
from launcher import layout
from tests.support.guest_images import lacking_namespaces, require_qemu
from tests.support.installation import Product, until

IMAGE = os.environ.get("VNFM_TEST_FRR_IMAGE", "")
SETTLED_SECONDS = 300.0
QUIET_SAMPLES = 3
"""Samples of a second without loss on every flow, one after the other, that make traffic steady."""
PROBE_PORT = 9999


def require_guests() -> None:
    """Skip with a reason where no routers can run in namespaces."""
    require_qemu()
    if not IMAGE or lacking_namespaces():
        pytest.skip(lacking_namespaces() or "VNFM_TEST_FRR_IMAGE names no image")


@dataclass(frozen=True)
class Loss:
    """Packets lost and the longest interruption, in seconds, of the flows through one router, and of all others."""

    victims: int
    siblings: int
    gap: float
    sent: int


class Samples:
    """The reports of the probes, kept in order."""

    def __init__(self) -> None:
        self._rows: list[Mapping[str, Any]] = []
        self._lock = threading.Lock()

    def add(self, sample: Mapping[str, Any]) -> None:
        with self._lock:
            self._rows.append(sample)

    def since(self, mark: int) -> list[Mapping[str, Any]]:
        with self._lock:
            return self._rows[mark:]

    def mark(self) -> int:
        with self._lock:
            return len(self._rows)

    def steady(self, mark: int) -> bool:
        """Whether the newest samples of both ways, all after the mark, are without loss on every flow."""
        rows = self.since(mark)
        for path in ("customer-1 → customer-2", "customer-2 → customer-1"):
            newest = [row for row in rows if row["path"] == path][-QUIET_SAMPLES:]
            if len(newest) < QUIET_SAMPLES or any(not flow or flow["lost"] for row in newest for flow in row["flows"]):
                return False
        return True


class Testbed:
    """A product, a VNF of two routers between its neighbours, and traffic."""

    def __init__(self, product: Product, api: Api, flow: GuestFlow, samples: Samples) -> None:
        self.product, self.api, self.flow, self.samples = product, api, flow, samples
        self._usual = {_key(alarm) for alarm in api.get("/api/v1/alarms")}
        self._servers = {
            server.name.removeprefix(f"{flow.name}-"): server.id for server in flow.cloud.connection.compute.servers()
        }

    @property
    def instance_id(self) -> str:
        return self.flow.instance_id

    def vnfcs(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.api.get(f"/api/v1/vnf_instances/{self.instance_id}")["vnfcs"]
        return sorted(found, key=lambda vnfc: vnfc["slot"])

    def new_alarms(self) -> list[dict[str, Any]]:
        """Open alarms, of the VNF and of its neighbours, but for those on peers of theirs that are not deployed."""
        found: list[dict[str, Any]] = self.api.get("/api/v1/alarms")
        return [alarm for alarm in found if _key(alarm) not in self._usual]

    def has_sessions(self) -> bool:
        """Return whether each router of the VNF is read with its sessions to all neighbours."""
        routers = [one for one in self.api.get("/api/v1/elements") if one["vnfInstanceId"] == self.instance_id]
        peers = [self.api.get(f"/api/v1/elements/{one['id']}/bgp_peers") for one in routers]
        states = [[peer["state"] for peer in own if not peer["unknownSince"]] for own in peers]
        return all(own == ["ESTABLISHED"] * len(NEIGHBOURS) for own in states)

    def at_rest(self) -> None:
        """Wait until no alarm is open, no operation runs, all sessions are there, and traffic flows without loss."""

        def rests() -> bool | None:
            operations = self.api.get("/vnflcm/v2/vnf_lcm_op_occs")
            over = all(one["operationState"] in ("COMPLETED", "ROLLED_BACK") for one in operations)
            return (over and not self.new_alarms() and self.has_sessions()) or None

        until(rests, SETTLED_SECONDS, "all is well")
        mark = self.samples.mark()
        until(lambda: self.samples.steady(mark) or None, SETTLED_SECONDS, "traffic flows without loss")

    def through(self, slot: str) -> set[tuple[str, int]]:
        """The flows (path and number) that cross the router in this slot now, by the kernels of the customers."""
        found = set()
        for at, other, network in ((CUSTOMER_1, CUSTOMER_2, 1), (CUSTOMER_2, CUSTOMER_1, 2)):
            hop = f"172.16.{network}.1{slot}"
            for place in range(FLOWS):
                port = str(PROBE_PORT + place)
                query = ["route", "get", other.loopback, "from", at.loopback, "ipproto", "udp", "sport", port]
                taken = self.at_customer(at, "ip", *query, "dport", port)
                if f"via {hop} " in taken:
                    found.add((f"{at.name} → {other.name}", place))
        return found

    def at_customer(self, neighbour: Neighbour, *command: str) -> str:
        """Return what a command printed in the network namespace of a neighbour."""
        space = self.namespace(self._servers[neighbour.name])
        done = subprocess.run(["ip", "netns", "exec", space, *command], capture_output=True, text=True, check=True)
        return done.stdout

    def namespace(self, server_id: str) -> str:
        """The network namespace of a server's guest."""
        return Links(layout.Instance(self.product.state_dir).cloudsim / "guests").name("s", server_id)

    def kill_processes(self, server_id: str, names: Collection[str]) -> None:
        """SIGKILL to the processes of these names in a guest."""
        command = ["ip", "netns", "pids", self.namespace(server_id)]
        for pid in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split():
            with suppress(OSError):
                if Path(f"/proc/{pid}/comm").read_text().strip() in names:
                    os.kill(int(pid), signal.SIGKILL)

    def port_of(self, server_id: str, network: str) -> str:
        """The server's port in one of the networks: mgmt, data1 or data2."""
        cloud = self.flow.cloud.connection.network
        network_id = cloud.find_network(f"{self.flow.name}-{network}", ignore_missing=False).id
        (port,) = cloud.ports(device_id=server_id, network_id=network_id)
        return str(port.id)

    def loss(self, mark: int, victims: set[tuple[str, int]]) -> Loss:
        """Return what was lost since the mark, by flows through the router that was hit and by the others."""
        lost: dict[bool, int] = {True: 0, False: 0}
        gap, sent = 0.0, 0
        for row in self.samples.since(mark):
            for place, flow in enumerate(row["flows"]):
                if flow:
                    hit = (row["path"], place) in victims
                    lost[hit] += flow["lost"]
                    sent += flow["sent"]
                    gap = max(gap, flow["gap"])
        return Loss(lost[True], lost[False], gap, sent)


@contextmanager
def guest_testbed(folder: Path, name: str) -> Iterator[Testbed]:
    """Deployed under this name, which ends in hexadecimal digits, with traffic, at rest."""
    require_guests()
    with Product(folder, "--guests", "namespaces") as product:
        status = product.status()
        token = product.session.headers["Authorization"].removeprefix("Bearer ")
        api, samples = Api(product.url, token), Samples()
        flow = ObservedFlow(api, CloudSide(status["cloud"], status["clouds_yaml"]), product.traps, name, samples)
        try:
            flow.deploy(IMAGE)
            testbed = Testbed(product, api, flow, samples)
            testbed.at_rest()
            yield testbed
        finally:
            flow.close()


class ObservedFlow(GuestFlow):
    """One whose samples are kept with their flows."""

    def __init__(self, api: Api, cloud: CloudSide, traps: str, name: str, samples: Samples) -> None:
        super().__init__(api, cloud, Screen(), name, traps.rpartition(":")[2])
        self._samples = samples

    def _report(self, sample: Mapping[str, Any]) -> None:
        self._samples.add(sample)
        super()._report(sample)


def _key(alarm: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what identifies an alarm, whenever it is raised."""
    return tuple(str(alarm[name]) for name in ("managedObjectId", "faultyResource", "faultType"))


def first_alarm(testbed: Testbed, began: float, seconds: float) -> tuple[float, str]:
    """Seconds until an alarm is open, and its fault type."""

    def look() -> tuple[float, str] | None:
        new = testbed.new_alarms()
        return (time.monotonic() - began, str(new[0]["faultType"])) if new else None

    return until(look, seconds, "an alarm", every=0.02)
