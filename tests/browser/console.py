"""The console on its mock API: built as it is shipped, with production's content security policy, and no backend."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import requests

from launcher.checks import LOCK
from launcher.console import Console as Terminal
from launcher.frontend import ensure_pages
from launcher.layout import Checkout
from launcher.ports import free_port
from tests.support.installation import ROOT, until

FRONTEND = ROOT / "frontend"
VITE = FRONTEND / "node_modules/.bin/vite"
# Node may be the one of the virtual environment.
_ENV = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


class Console:
    """Serves the pages that `vnfm up` serves, built when their sources have changed; what it says goes to `log`."""

    def __init__(self, log: Path) -> None:
        checkout = Checkout.here()
        ensure_pages(checkout, LOCK, Terminal(sys.stderr), for_checks=True)
        self.built, self._log, self._port = checkout.ui, log, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        command = [VITE, "preview", "--outDir", self.built, "--port", str(self._port), "--strictPort"]
        with self._log.open("wb") as said:
            self._process = subprocess.Popen(
                command, cwd=FRONTEND, env=_ENV, stdout=said, stderr=said, start_new_session=True
            )
        until(self._answers, 60, f"vite preview answers; it says in {self._log}")
        self.log_in()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGTERM)  # node may be started by a script of the environment
        self._process.wait(timeout=30)

    def _answers(self) -> bool | None:
        try:
            return requests.get(self.url, timeout=5).ok or None
        except requests.ConnectionError:
            return None

    def log_in(self) -> None:
        """The mock has one session for all browsers."""
        who = {"username": "admin", "password": "right"}
        assert requests.post(f"{self.url}/api/v1/session", json=who, timeout=10).ok

    def get(self, path: str, state: str = "") -> Any:
        """An answer of the API as a page in that state gets it."""
        answer = requests.get(self.url + path, headers={"Referer": f"{self.url}/?mock={state}"}, timeout=60)
        assert answer.ok, f"GET {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json()
