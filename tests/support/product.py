"""Processes of the product, started as the launcher starts them, for tests that need the real thing."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

BACKEND = Path(__file__).parents[2] / "backend"
PATIENCE = 180.0
CELERY = ("-m", "celery", "-A", "vnfm.config")


def worker_of(threads: int) -> tuple[str, ...]:
    """Arguments of a worker."""
    return ("manage.py", "worker", "--threads", str(threads))


class Process:
    """A child with its output; `expect` waits for a line of it, so that no test sleeps."""

    def __init__(self, arguments: tuple[str, ...], env: Mapping[str, str]) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=BACKEND,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output: list[str] = []
        self._lines: Queue[str | None] = Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            self.output.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def expect(self, pattern: str) -> str:
        """The next line in which `pattern` is found; fails with everything that was said when there is none."""
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            if re.search(pattern, line):
                return line
        raise AssertionError(f"ended without saying {pattern!r}:\n{''.join(self.output)}")

    def end(self, number: int = signal.SIGTERM) -> int:
        """The exit code after a signal."""
        self.popen.send_signal(number)
        return self.popen.wait(PATIENCE)


@contextmanager
def running(*arguments: str, env: Mapping[str, str]) -> Iterator[Process]:
    process = Process(arguments, env)
    try:
        yield process
    finally:
        if process.popen.poll() is None:
            process.popen.kill()
            process.popen.wait(PATIENCE)


@contextmanager
def web_process(env: Mapping[str, str]) -> Iterator[tuple[str, Process]]:
    """The web process on a port of its own, and its URL."""
    with running("-m", "vnfm.config.serve", "--port", "0", "--grace", "1", env=env) as process:
        line = process.expect("Uvicorn running on http")
        found = re.search(r"http://[\d.:]+", line)
        assert found is not None
        yield found[0], process


@contextmanager
def web(env: Mapping[str, str]) -> Iterator[str]:
    """The URL of a web process."""
    with web_process(env) as (url, _):
        yield url
