"""A routersim process for tests, on a free control port."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

BACKEND = Path(__file__).resolve().parent.parent / "backend"
START_SECONDS = 60.0
POLL_SECONDS = 0.02


def free_udp_port() -> int:
    """Free on every address of the machine's own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as bound:
        bound.bind(("0.0.0.0", 0))
        return int(bound.getsockname()[1])


class RoutersimProcess:
    """Running elements. `start` waits until they answer; `stop` sends SIGTERM, `kill` SIGKILL.

    Options are command-line options by keyword: `trap_to="127.0.0.1:9162"` is `--trap-to 127.0.0.1:9162`. Elements get
    SNMP and SSH ports of their own (0 picks free ones), so several processes can use the same addresses.
    """

    def __init__(self, state_dir: Path, **options: float | str) -> None:
        self.state_dir = state_dir
        self._options = {"snmp_port": 0, "ssh_port": 0, **options}
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start, or restart on the same state and port. Raises RuntimeError when it does not come up."""
        port_file = self.state_dir / "control-port"
        self.state_dir.mkdir(parents=True, exist_ok=True)
        port_file.unlink(missing_ok=True)
        command = [sys.executable, "-m", "routersim", "--control-port", str(self._port)]
        command += ["--state-dir", str(self.state_dir)]
        for name, value in self._options.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        with (self.state_dir / "routersim.log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=BACKEND, stdout=log, stderr=log, env=os.environ)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers(port_file):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"routersim did not start: {(self.state_dir / 'routersim.log').read_text()}")
            time.sleep(POLL_SECONDS)  # the process has no other sign of life
        return self

    def _answers(self, port_file: Path) -> bool:
        if not port_file.exists() or not port_file.read_text():
            return False
        self._port = int(port_file.read_text())
        try:
            with urllib.request.urlopen(f"{self.base_url}/healthz", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self) -> None:
        self._end(lambda process: process.terminate())

    def kill(self) -> None:
        self._end(lambda process: process.kill())

    def _end(self, how: Any) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            how(self._process)
        self._process.wait(timeout=20)
        self._process = None

    def control(self, method: str, path: str, json_body: Any = None) -> Any:
        """Call the control API: `control("POST", "/elements", {...})`; the JSON answer. Raises on 4xx and 5xx."""
        status, answer = self.request(method, f"/control/v1{path}", json_body)
        assert status < 400, f"{method} {path}: {status} {answer}"
        return answer

    def add(self, **wish: Any) -> dict[str, Any]:
        """Add an element; returns its representation. SSH only with `sshPort`."""
        element: dict[str, Any] = self.control("POST", "/elements", wish)["elements"][0]
        return element

    def fault(self, name: str, fault: str, **body: Any) -> dict[str, Any]:
        """Inject a fault: `fault("pe1", "card-out", slot="1")`; returns the element."""
        element: dict[str, Any] = self.control("POST", f"/elements/{name}/faults/{fault}", body)
        return element

    def element(self, name: str) -> dict[str, Any]:
        """All parts of an element, and its faults."""
        element: dict[str, Any] = self.control("GET", f"/elements/{name}")
        return element

    def request(self, method: str, path: str, json_body: Any = None) -> tuple[int, Any]:
        """A bare HTTP call: status and JSON of the answer; 4xx and 5xx do not raise."""
        data = None if json_body is None else json.dumps(json_body).encode()
        request = urllib.request.Request(f"{self.base_url}{path}", data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                body = answer.read()
                return answer.status, json.loads(body) if body else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def clear(self) -> None:
        """Remove all elements; virtual systems go with their host."""
        for element in self.control("GET", "/elements")["elements"]:
            self.request("DELETE", f"/control/v1/elements/{element['name']}")
        assert self.control("GET", "/elements")["elements"] == []

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
