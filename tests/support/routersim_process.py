"""A routersim process for tests, on a free control port."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.support.simulator_process import SimulatorProcess


def free_udp_port() -> int:
    """Free on every address of the machine's own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as bound:
        bound.bind(("0.0.0.0", 0))
        return int(bound.getsockname()[1])


class RoutersimProcess(SimulatorProcess):
    """Running elements. They get SNMP and SSH ports of their own (0 picks free ones), so several processes can use the
    same addresses.
    """

    module = "routersim"
    port_option = "--control-port"

    def __init__(self, state_dir: Path, **options: float | str) -> None:
        ports: dict[str, float | str] = {"snmp_port": 0, "ssh_port": 0}
        super().__init__(state_dir, **ports | options)

    @property
    def _port_file(self) -> Path:
        return self.state_dir / "control-port"

    def _chosen_port(self) -> int | None:
        text = self._port_file.read_text() if self._port_file.exists() else ""
        return int(text) if text else None

    def _forget_port(self) -> None:
        self._port_file.unlink(missing_ok=True)

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
