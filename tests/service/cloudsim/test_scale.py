"""Two thousand servers in one process: what a list costs grows with what it shows."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path

from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess

MANY = 2000
RSS_KIB = 200 * 1024


class Raw:
    """One kept connection; the client's own work would hide the server's."""

    def __init__(self, process: CloudsimProcess, token: str) -> None:
        self._connection = http.client.HTTPConnection(process.base_url.removeprefix("http://"))
        self._headers = {"X-Auth-Token": token, "Content-Type": "application/json"}

    def __call__(self, method: str, path: str, body: object = None) -> object:
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        assert response.status < 300, answer
        return json.loads(answer) if answer else None

    def best(self, path: str, times: int = 5) -> float:
        """The shortest of several times, in seconds: the one least disturbed by other work."""
        spans = []
        for _ in range(times):
            began = time.perf_counter()
            self("GET", path)
            spans.append(time.perf_counter() - began)
        return min(spans)


def test_two_thousand_servers(tmp_path):
    with CloudsimProcess(tmp_path / "state", hosts=20, boot_seconds=0) as process:
        user = connect(process)
        network = user.network.create_network(name="n")
        user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.0.0.0/16")
        raw, root = Raw(process, user.auth_token), f"/compute/v2.1/{user.current_project_id}"
        body = {
            "name": "vm",
            "imageRef": user.image.find_image("tiny").id,
            "flavorRef": user.compute.find_flavor("m1.tiny").id,
            "networks": [{"uuid": network.id}],
        }

        def make(count: int) -> float:
            began = time.perf_counter()
            for _ in range(count // 100):
                raw("POST", f"{root}/servers", {"server": {**body, "min_count": 100, "max_count": 100}})
            return time.perf_counter() - began

        def settle() -> None:
            while raw("GET", f"{root}/servers?status=BUILD&limit=1")["servers"]:
                pass

        first = min(make(200) for _ in range(2))
        settle()
        few = raw.best(f"{root}/servers/detail?limit=100")
        make(MANY - 800)
        last = min(make(200) for _ in range(2))
        settle()
        page = raw.best(f"{root}/servers/detail?limit=100")
        everything = raw.best(f"{root}/servers/detail?limit=1000")
        changed = raw.best(f"{root}/servers/detail?changes-since=2099-01-01T00:00:00Z")
        assert len(raw("GET", "/network/v2.0/ports")["ports"]) == MANY
        assert last < 4 * first, "making the last ones costs as much as the first ones"
        assert page < 4 * few, "a page costs the same among 2,000 as among 400"
        assert everything < 25 * page, "ten pages in one cost ten pages"
        assert changed < everything / 4, "nothing changed: next to nothing to do"
        servers = raw("GET", f"{root}/servers/detail")
        assert len(servers["servers"]) == 1000
        assert servers["servers_links"][0]["rel"] == "next"
        status = Path(f"/proc/{process.pid}/status").read_text()
        rss = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        assert int(rss.split()[1]) < RSS_KIB
