"""Starts our processes, recognises them later, and ends them without touching any other."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SCRIPT = Path(__file__).with_name("die_with_parent.py")
_ZOMBIE = "Z"


@dataclass(frozen=True)
class Identity:
    """A process by pid and start time: the kernel reuses a pid for other processes."""

    pid: int
    started: str

    @classmethod
    def of(cls, pid: int) -> "Identity | None":
        """Return the identity of a live process; None if it does not exist or is a zombie."""
        times = _start_times(pid)
        return cls(pid, times[0]) if times else None

    @property
    def alive(self) -> bool:
        return self.started in _start_times(self.pid)

    def signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.alive:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return

    def end(self, number: int, grace: float) -> None:
        """Send a signal, wait at most `grace` seconds, then kill."""
        self.signal(number)
        if not wait_until(lambda: not self.alive, grace):
            self.signal(signal.SIGKILL)
            wait_until(lambda: not self.alive, 5)


def _start_times(pid: int) -> Sequence[str]:
    """Return the forms in which the start may be recorded: boot and clock ticks (proc(5)); elsewhere ps' date."""
    if sys.platform != "linux":
        answer = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return [answer.stdout.strip()] if answer.stdout.strip() else []
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        state, *fields = stat.rpartition(")")[2].split()
        return [] if state == _ZOMBIE else [f"{boot}/{fields[18]}" for boot in _boots()]
    except OSError:
        return []


def _boots() -> Sequence[str]:
    """Return ids of the current boot, the most reliable first. Raises OSError.

    In containers of systemd-nspawn and LXC a sandboxed unit sees the machine's boot_id, and all others the container's:
    there the id comes from a file that systemd writes at its start. Releases up to 1.0.0 recorded the boot_id.
    """
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    with suppress(FileNotFoundError):
        return str(Path("/run/systemd/container").stat().st_mtime_ns), boot_id
    return (boot_id,)


def wait_until(condition: Any, seconds: float, *, pause: float = 0.02) -> bool:
    """Wait until `condition()` is true and return True; return False after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def spawn(
    argv: Sequence[str | Path],
    *,
    log: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | str = "/",
    orphan_signal: int = signal.SIGKILL,
    user: int | None = None,
    umask: int = -1,
    fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own (Ctrl-C does not reach it), tied to our life by `orphan_signal`.

    The tie is to the calling *thread*: call from one that lives at least as long as the program. Output is appended to
    `log`. `user` is the uid to run as (root only). The program inherits the open files `fds`.
    """
    die_with_parent = [sys.executable, "-IS", str(_SCRIPT), str(int(orphan_signal)), str(os.getpid())]
    command = [*die_with_parent, str(-1 if user is None else user), *map(str, argv)]
    output: int = subprocess.DEVNULL if log is None else open_log(log)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            start_new_session=True,
            umask=umask,
            pass_fds=fds,
        )
    finally:
        if log is not None:
            os.close(output)


def open_log(log: Path) -> int:
    """Open a log for appending and return its file descriptor."""
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
