"""A simulator as a process of its own for tests, on a free port."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

BACKEND = Path(__file__).resolve().parents[2] / "backend"
START_SECONDS = 60.0
STOP_SECONDS = 20.0
POLL_SECONDS = 0.02


class SimulatorProcess(ABC):
    """`start` waits until it answers; `stop` sends SIGTERM, `kill` SIGKILL.

    Options are command-line options by keyword: `boot_seconds=0.1` is `--boot-seconds 0.1`.
    """

    module: ClassVar[str]
    port_option: ClassVar[str]

    def __init__(self, state_dir: Path, **options: float | str) -> None:
        self.state_dir = state_dir
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    @abstractmethod
    def _chosen_port(self) -> int | None:
        """The port that it has chosen; None while it has not said so."""

    @abstractmethod
    def _forget_port(self) -> None:
        """Remove what says which port an earlier process had."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start, or start again on the same state and port. Raises RuntimeError when it does not come up."""
        self.state_dir.mkdir(parents=True, exist_ok=True)
        self._forget_port()
        command = [sys.executable, "-m", self.module, self.port_option, str(self._port)]
        for name, value in {"state_dir": self.state_dir, **self._options}.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        log = self.state_dir / f"{self.module}.log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(command, cwd=BACKEND, stdout=output, stderr=output, env=os.environ)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"{self.module} did not start: {log.read_text()}")
            time.sleep(POLL_SECONDS)  # the process has no other sign of life
        return self

    def _answers(self) -> bool:
        port = self._chosen_port()
        if port is None:
            return False
        self._port = port
        try:
            with urllib.request.urlopen(f"{self.base_url}/healthz", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        self._end(subprocess.Popen.terminate)

    def kill(self) -> None:
        self._end(subprocess.Popen.kill)

    def _end(self, how: Callable[[subprocess.Popen[bytes]], Any]) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            how(self._process)
        self._process.wait(timeout=STOP_SECONDS)
        self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
