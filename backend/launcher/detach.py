"""Runs work in the background and returns when it is ready; notifies systemd when it is ready (sd_notify(3))."""

import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from launcher.errors import INTERRUPTED

_READY = b"r"


def run_detached(work: Callable[[Callable[[], None]], int], log: Path) -> int:
    """Call `work(on_ready)` in a new process; return 0 once it called `on_ready`, else its exit code.

    Until then it writes to our output, and Ctrl-C stops it; afterwards only its errors are kept, in `log`.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setsid()
        os._exit(_in_child(work, writer, log))
    os.close(writer)
    try:
        if os.read(reader, 1) == _READY:
            return 0
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except KeyboardInterrupt:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        return INTERRUPTED


def notify_systemd() -> None:
    """Tell systemd that a unit of Type=notify has started; do nothing elsewhere."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.sendto(b"READY=1", "\0" + address[1:] if address.startswith("@") else address)


def _in_child(work: Callable[[Callable[[], None]], int], writer: int, log: Path) -> int:
    def on_ready() -> None:
        sys.stdout.flush()
        nowhere = os.open(os.devnull, os.O_RDWR)
        errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for descriptor, target in ((nowhere, 0), (nowhere, 1), (errors, 2)):
            os.dup2(descriptor, target)
        os.write(writer, _READY)
        os.close(writer)

    try:
        return work(on_ready)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
