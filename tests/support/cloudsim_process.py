"""A cloudsim process for tests: started on a free port, stopped with what it started."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar, Self

from tests.support.simulator_process import SimulatorProcess


class CloudsimProcess(SimulatorProcess):
    """A running cloud. Servers boot at once; a test of a cloud at work sets `boot_seconds`."""

    module = "cloudsim"
    port_option = "--port"
    running: ClassVar[dict[str, CloudsimProcess]] = {}
    """The running clouds by the URL of their identity service."""

    def __init__(self, state_dir: Path, **options: float | str) -> None:
        quick: dict[str, float | str] = {"boot_seconds": 0.02, "action_seconds": 0.01, "distinct_update_times": "yes"}
        super().__init__(state_dir, **quick | options)
        self._fresh: tuple[int, str | None] = 0, None
        """Pid of the process that has the snapshot of a fresh cloud, and the snapshot."""

    @property
    def auth_url(self) -> str:
        return f"{self.base_url}/identity/v3"

    @property
    def clouds_yaml(self) -> Path:
        return self.state_dir / "clouds.yaml"

    def _chosen_port(self) -> int | None:
        if not self.clouds_yaml.exists():
            return None
        url = next(line.split()[1] for line in self.clouds_yaml.read_text().splitlines() if "auth_url:" in line)
        return int(url.split(":")[2].split("/")[0])

    def _forget_port(self) -> None:
        self.clouds_yaml.unlink(missing_ok=True)

    def start(self) -> Self:
        super().start()
        self.running[self.auth_url] = self
        return self

    def _end(self, how: Callable[[subprocess.Popen[bytes]], Any]) -> None:
        self.running.pop(self.auth_url, None)
        super()._end(how)

    def control(self, method: str, path: str, json_body: Any = None) -> Any:
        """Call the control API: `control("POST", "/failures", {...})`; the JSON answer, or None."""
        return self.request(method, f"/control/v1{path}", json_body)[1]

    def reset(self) -> None:
        """A fresh cloud, each time the same one."""
        of_process, fresh = self._fresh
        if fresh is None or of_process != self.pid:
            self.control("POST", "/reset")
            self._fresh = self.pid, self.snapshot()
        else:
            self.restore(fresh)

    def snapshot(self) -> str | None:
        """The id of the cloud's state, see `restore`; None while anything is under way, or a failure rule is there."""
        status, answer = self.request("POST", "/control/v1/snapshots")
        return str(answer["id"]) if status == HTTPStatus.CREATED else None

    def restore(self, snapshot: str) -> None:
        """All as it was. Tokens stay valid."""
        assert self.request("POST", f"/control/v1/snapshots/{snapshot}/restore")[0] == HTTPStatus.NO_CONTENT

    def settle(self, seconds: float) -> bool:
        """Wait until no stack operation and no server action runs, `seconds` at most; whether any ran."""
        return bool(self.control("POST", "/settle", {"seconds": seconds})["worked"])

    def request(
        self, method: str, path: str, json_body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """A bare HTTP call: status and JSON (or text) of the answer; 4xx and 5xx do not raise."""
        data = None if json_body is None else json.dumps(json_body).encode()
        request = urllib.request.Request(f"{self.base_url}{path}", data=data, method=method, headers=headers or {})
        if data is not None:
            request.add_header("Content-Type", "application/json")
        opener = urllib.request.build_opener(_NoRedirect())
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, _decoded(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, _decoded(error.read())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _decoded(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
