"""A cloudsim process for tests: started on a free port, stopped with what it started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

BACKEND = Path(__file__).resolve().parent.parent / "backend"
START_SECONDS = 30.0
POLL_SECONDS = 0.02


class CloudsimProcess:
    """A running cloud. `start` waits until it answers; `stop` sends SIGTERM, `kill` SIGKILL.

    Servers boot at once; a test of a cloud at work sets `boot_seconds`.

    Options are command-line options by keyword: `boot_seconds=0.1` is `--boot-seconds 0.1`.
    """

    running: ClassVar[dict[str, CloudsimProcess]] = {}
    """By the URL of their identity service."""

    def __init__(self, state_dir: Path, **options: float | str) -> None:
        self.state_dir = state_dir
        self._options = {"boot_seconds": 0.02, "action_seconds": 0.01, "distinct_update_times": "yes", **options}
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def auth_url(self) -> str:
        return f"{self.base_url}/identity/v3"

    @property
    def clouds_yaml(self) -> Path:
        return self.state_dir / "clouds.yaml"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start, or start again on the same state and port. Raises RuntimeError when it does not come up."""
        self.clouds_yaml.unlink(missing_ok=True)
        command = [sys.executable, "-m", "cloudsim", "--port", str(self._port), "--state-dir", str(self.state_dir)]
        for name, value in self._options.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        self.state_dir.mkdir(parents=True, exist_ok=True)
        with (self.state_dir / "cloudsim.log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=BACKEND, stdout=log, stderr=log, env=os.environ)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"cloudsim did not start: {(self.state_dir / 'cloudsim.log').read_text()}")
            time.sleep(POLL_SECONDS)  # the process has no other sign of life
        self.running[self.auth_url] = self
        return self

    def _answers(self) -> bool:
        if not self.clouds_yaml.exists():
            return False
        url = next(line.split()[1] for line in self.clouds_yaml.read_text().splitlines() if "auth_url:" in line)
        self._port = int(url.split(":")[2].split("/")[0])
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
        self.running.pop(self.auth_url, None)
        if self._process.poll() is None:
            how(self._process)
        self._process.wait(timeout=10)
        self._process = None

    def control(self, method: str, path: str, json_body: Any = None) -> Any:
        """Call the control API: `control("POST", "/failures", {...})`; the JSON answer, or None."""
        return self.request(method, f"/control/v1{path}", json_body)[1]

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

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


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
