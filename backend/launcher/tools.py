"""Runs installers and compilers: output goes to a file, a failure is one sentence, and Ctrl-C ends them."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from launcher.errors import LaunchError, explain_output, known_cause
from launcher.processes import spawn

_running: set[subprocess.Popen[bytes]] = set()
_guard = threading.Lock()


class ToolError(LaunchError):
    """A tool failed; `cause` is one of the causes in `launcher.errors`, None for another."""

    def __init__(self, message: str, cause: str | None) -> None:
        super().__init__(message)
        self.cause = cause


def run_tool(
    title: str, argv: Sequence[str | Path], *, log: Path, cwd: Path, env: Mapping[str, str] | None = None
) -> None:
    """Run a program to its end. Raises ToolError with the known cause, else with the last lines and the log's path."""
    log.unlink(missing_ok=True)
    process = spawn(argv, log=log, cwd=cwd, env=env)
    with _guard:
        _running.add(process)
    try:
        code = process.wait()
    finally:
        with _guard:
            _running.discard(process)
        _kill(process)
    if code:
        output = log.read_text(errors="replace")
        tail = "\n".join(output.splitlines()[-12:])
        message = explain_output(output, log.parent) or f"{title} failed; {log} ends with:\n{tail}"
        raise ToolError(message, known_cause(output))


def abandon_tools() -> None:
    """End the tools that other threads wait for."""
    with _guard:
        for process in _running:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the tool and all its children, as npm has several."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
