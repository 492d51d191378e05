"""The whole product as a user starts it, for tests that look at it from outside."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import requests
from openstack.config import OpenStackConfig
from openstack.connection import Connection

from launcher import layout
from launcher.ports import free_port
from launcher.product import Endpoints
from launcher.product import Product as Processes
from launcher.record import Record
from launcher.service import Running
from launcher.status import document
from tests.support.schema_template import copy_to

ROOT = Path(__file__).parents[2]
VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3"
OVER = {"COMPLETED", "FAILED", "FAILED_TEMP", "ROLLED_BACK"}
T = TypeVar("T")


class Product:
    """`./vnfm up --detach` in a state directory of its own, and a client of its API.

    Its database is a copy with all migrations done, unless `from_nothing`. No network element is registered, unless
    `scene`. `prefix` goes before each command, such as `unshare`.
    """

    def __init__(
        self,
        state_dir: Path,
        *up_arguments: str,
        env: Mapping[str, str] | None = None,
        from_nothing: bool = False,
        scene: bool = False,
        prefix: Sequence[str] = (),
    ) -> None:
        self.state_dir = state_dir
        self._from_nothing = from_nothing
        self.port = free_port()
        self._up_arguments = up_arguments if scene else (*up_arguments, "--empty")
        self._prefix = prefix
        self._env = {**stranger_environment(), **(env or {})}
        self.session = requests.Session()

    def __enter__(self) -> Self:
        database = layout.Instance(self.state_dir).postgres
        if not (self._from_nothing or database.exists()):
            copy_to(database)
        trap_port = self.state_dir / "trap-port"
        if not trap_port.exists():  # two that start at once would both find the usual one free
            self.state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            trap_port.write_text(f"{free_port()}\n")
        self.vnfm("up", "--detach", "--port", str(self.port), *self._up_arguments)
        self.session.headers["Authorization"] = f"Bearer {self.vnfm('token').strip()}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.vnfm("down")

    def vnfm(self, *arguments: str) -> str:
        """Run the launcher; its stdout. A failure shows what it said."""
        command = [
            *self._prefix,
            sys.executable,
            str(ROOT / "vnfm"),
            arguments[0],
            "--state-dir",
            str(self.state_dir),
            *arguments[1:],
        ]
        done = subprocess.run(command, env=self._env, capture_output=True, text=True, timeout=420, check=False)
        assert done.returncode == 0, f"vnfm {arguments[0]}: {done.stdout}\n{done.stderr}"
        return done.stdout

    def status(self) -> dict[str, Any]:
        """Return the record as `./vnfm status --json` prints it."""
        return document(layout.Instance(self.state_dir))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def traps(self) -> str:
        """Where it listens for notifications of network elements, as HOST:PORT."""
        return f"127.0.0.1:{(self.state_dir / 'trap-port').read_text().strip()}"

    def get(self, path: str) -> Any:
        response = self.session.get(path if path.startswith("http") else self.url + path, timeout=60)
        assert response.ok, f"GET {path}: {response.status_code} {response.text[:500]}"
        return response.json()

    def post(self, path: str, body: Mapping[str, Any] | None = None, method: str = "POST") -> requests.Response:
        response = self.session.request(method, self.url + path, json=body, timeout=60)
        assert response.ok, f"{method} {path}: {response.status_code} {response.text[:500]}"
        return response

    def vim_id(self) -> str:
        return str(self.get("/api/v1/vims")[0]["id"])

    def vnfd_id(self, product: str = "VSR-PE") -> str:
        return str(next(v["vnfdId"] for v in self.get("/api/v1/vnfds") if v["productName"] == product))

    def create(self, name: str, vnfd_id: str) -> str:
        return str(self.post("/vnflcm/v2/vnf_instances", {"vnfdId": vnfd_id, "vnfInstanceName": name}).json()["id"])

    def instantiate(self, instance_id: str, vim_id: str, level: str = "") -> str:
        """Start it, at the flavour's default level unless one is named; the URL of the op occ."""
        vim = {"vim1": {"vimId": vim_id, "vimType": VIM_TYPE}}
        body = {"flavourId": "default", "vimConnectionInfo": vim} | ({"instantiationLevelId": level} if level else {})
        return self.post(f"/vnflcm/v2/vnf_instances/{instance_id}/instantiate", body).headers["Location"]

    def terminate(self, instance_id: str) -> str:
        path = f"/vnflcm/v2/vnf_instances/{instance_id}/terminate"
        return self.post(path, {"terminationType": "FORCEFUL"}).headers["Location"]

    def over(self, location: str, seconds: float = 300) -> dict[str, Any]:
        """The op occ once it has ended or waits for a person."""

        def look() -> dict[str, Any] | None:
            op: dict[str, Any] = self.get(location)
            return op if op["operationState"] in OVER else None

        return until(look, seconds, f"{location} ends", every=0.05)

    def onboard(self, content: bytes) -> str:
        """Onboard a package, a zip; the id of its VNFD."""
        path = "/vnfpkgm/v1/vnf_packages/" + str(self.post("/vnfpkgm/v1/vnf_packages", {}).json()["id"])
        headers = {"Content-Type": "application/zip"}
        sent = self.session.put(f"{self.url}{path}/package_content", data=content, headers=headers, timeout=60)
        assert sent.ok, f"PUT {path}: {sent.status_code} {sent.text[:500]}"

        def look() -> str | None:
            package = self.get(path)
            assert package["onboardingState"] != "ERROR", package
            return str(package["vnfdId"]) if package["onboardingState"] == "ONBOARDED" else None

        return until(look, 60, "the package is onboarded")

    def pid(self, service: str) -> int:
        """Return the process id of a service that runs; waits for one that is being started."""
        return until(lambda: self.status()["services"][service]["pid"], 60, f"{service} runs")

    def kill(self, service: str, number: int = signal.SIGKILL) -> int:
        """Send a signal; the pid that got it."""
        pid = self.pid(service)
        os.kill(pid, number)
        return pid

    def peak_mib(self, service: str) -> float:
        """The most memory that a service has had since it was started, as the kernel counts it."""
        lines = Path(f"/proc/{self.pid(service)}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

    def control(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The control API of the simulated cloud that it came up with."""
        answer = requests.request(method, f"{self._simulated}/control/v1{path}", json=body, timeout=30)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    @cached_property
    def _simulated(self) -> str:
        return str(self.get("/api/v1/vims")[0]["authUrl"]).partition("/identity")[0]

    def cloud(self) -> Connection:
        """A connection to the cloud that it came up with, by OpenStack's own client."""
        status = self.status()
        config = OpenStackConfig(config_files=[status["clouds_yaml"]])
        return Connection(config=config.get_one(status["cloud"]))

    def operations(self, operation: str) -> Iterator[dict[str, Any]]:
        """All op occs of one kind, page by page."""
        path = f"{self.url}/vnflcm/v2/vnf_lcm_op_occs?filter=(eq,operation,{operation})"
        while path:
            response = self.session.get(path, timeout=60)
            yield from response.json()
            path = response.links.get("next", {}).get("url", "")

    @contextmanager
    def another(self, service: str) -> Iterator[subprocess.Popen[bytes]]:
        """A second process of a background service, started as the launcher starts the first, and ready."""
        places = layout.Instance(self.state_dir)
        record = Record.load(places.record)
        assert record is not None
        product = Processes(layout.Checkout.here(), places)
        services = product.background(product.environment(Endpoints.of(record, places)))
        second = next(one for one in services if one.name == service)
        log = self.state_dir / f"another-{service}.log"
        with log.open("wb") as output:
            command = {"args": second.command, "cwd": second.cwd, "env": second.env}
            process = subprocess.Popen(**command, stdout=output, stderr=output)
        try:
            running = Running(process.pid, log, 0)
            until(lambda: second.ready(running) or None, 180, f"another {service} is ready")
            yield process
        finally:
            process.kill()
            process.wait()


def stranger_environment() -> dict[str, str]:
    """This process's environment without what the suite itself set for its own settings."""
    ours = ("VNFM_", "DATABASE_URL", "REDIS_URL", "OS_CLIENT_CONFIG_FILE", "DJANGO_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def until(look: Callable[[], T | None], seconds: float, what: str, every: float = 0.1) -> T:
    """Wait for a condition, not for time."""
    deadline = time.monotonic() + seconds
    while (found := look()) is None:
        assert time.monotonic() < deadline, f"{what}: not within {seconds} s"
        time.sleep(every)
    return found
