"""Two thousand servers in one simulated cloud: what a list costs grows with what it shows, in processor time."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess

pytestmark = pytest.mark.bench

BUDGET = json.loads((Path(__file__).parent / "budgets.json").read_text())["cloudsim"]
FEW, MANY, BATCH = 400, 2000, 100
TIMES = 20
"""Requests of a list, whose processor time the kernel counts in hundredths of a second."""


class Raw:
    """One kept connection; the client's own work would hide the server's."""

    def __init__(self, process: CloudsimProcess, token: str) -> None:
        self._agent = psutil.Process(process.pid)
        self._connection = http.client.HTTPConnection(process.base_url.removeprefix("http://"))
        self._headers = {"X-Auth-Token": token, "Content-Type": "application/json"}

    def __call__(self, method: str, path: str, body: object = None) -> object:
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        assert response.status < 300, answer
        return json.loads(answer) if answer else None

    def used(self, work: Callable[[], object]) -> float:
        """Return the processor seconds of the cloud."""
        before = sum(self._agent.cpu_times()[:2])
        work()
        return sum(self._agent.cpu_times()[:2]) - before

    def cost(self, path: str) -> float:
        """Return the processor seconds of a list."""
        return self.used(lambda: [self("GET", path) for _ in range(TIMES)]) / TIMES

    @property
    def mib(self) -> float:
        return float(self._agent.memory_info().rss) / 2**20


def test_two_thousand_servers(tmp_path: Path, record_property: pytest.RecordProperty) -> None:
    with CloudsimProcess(tmp_path / "state", hosts=20, boot_seconds=0) as process:
        user = connect(process)
        network = user.network.create_network(name="n")
        user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.0.0.0/16")
        raw, root = Raw(process, user.auth_token), f"/compute/v2.1/{user.current_project_id}"
        server = {
            "name": "vm",
            "imageRef": user.image.find_image("tiny").id,
            "flavorRef": user.compute.find_flavor("m1.tiny").id,
            "networks": [{"uuid": network.id}],
            "min_count": BATCH,
            "max_count": BATCH,
        }

        def make(count: int) -> None:
            """Create servers, and wait until they work."""
            for _ in range(count // BATCH):
                raw("POST", f"{root}/servers", {"server": server})
            while raw("GET", f"{root}/servers?status=BUILD&limit=1")["servers"]:
                pass

        first = raw.used(lambda: make(FEW))
        few = raw.cost(f"{root}/servers/detail?limit=100")
        make(MANY - 2 * FEW)
        last = raw.used(lambda: make(FEW))
        page = raw.cost(f"{root}/servers/detail?limit=100")
        whole = raw.cost(f"{root}/servers/detail?limit=1000")
        unchanged = raw.cost(f"{root}/servers/detail?changes-since=2099-01-01T00:00:00Z")
        figures = {
            "last_to_first": last / first,
            "page_among_many_to_few": page / few,
            "ten_pages_to_one": whole / page,
            "unchanged_to_whole": unchanged / whole,
            "mib": raw.mib,
        }
        print({name: round(value, 2) for name, value in figures.items()})
        record_property("figures", figures)
        assert {name: value for name, value in figures.items() if value > BUDGET[name]} == {}
