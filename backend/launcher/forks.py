"""The supervisor's side of the fork server: requests processes and watches them as its own children."""

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from launcher.fork_server import DONE, READY
from launcher.forked_command import GO, Request
from launcher.processes import open_log
from launcher.service import AFTER, Service

PATIENCE = 10.0
"""Seconds to wait for a fork; a fork server that takes longer is hanging."""
PR_SET_CHILD_SUBREAPER = 36
_LARGEST_ANSWER = 64
_OUTPUTS = (1, 2)


@dataclass
class Forked:
    """A child that the fork server forked for us, with the part of Popen's interface that the supervisor uses."""

    pid: int
    returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code as Popen does, None while the process runs."""
        return self._reap(os.WNOHANG)

    def wait(self) -> int:
        code = self._reap(0)
        assert code is not None, "waited for without WNOHANG"
        return code

    def _reap(self, options: int) -> int | None:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, options)
            except ChildProcessError:  # reaped by a call that a signal's exception ended: its code is lost, as in Popen
                self.returncode = 0
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:  # not yet reaped, so the pid cannot be another process's
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class NoForkError(Exception):
    """The fork server did not answer."""


class ForkServer:
    """Sends requests to a fork server; `service` is the server itself.

    Restarted servers use the same socket. A request that a dead or slow server left there is harmless, since its
    channel is closed.
    """

    def __init__(
        self,
        python: Path,
        modules: Sequence[str],
        *,
        commands: Path,
        cwd: Path,
        env: Mapping[str, str],
        patience: float = PATIENCE,
    ) -> None:
        """`commands` is the path of the socket for commands of the terminal."""
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._patience = patience
        self._ours.settimeout(patience)
        self.service = Service(
            "forkserver",
            (str(python), "-m", "launcher.fork_server", str(self._theirs.fileno()), str(commands), *modules),
            cwd=cwd,
            env=env,
            fds=(self._theirs.fileno(),),
            ready=lambda running: running.has_logged(READY),
            replaced=AFTER,
        )

    def fork(self, service: Service, log: Path, *, umask: int = -1) -> Forked:
        """Start a service, whose command is a Python and its arguments. Raises NoForkError if it was not started."""
        assert service.env is not None, "a fork gets an environment of its own"
        request = Request(
            service.name,
            service.command[1:],
            dict(service.env),
            str(service.cwd),
            umask,
            (0, *_OUTPUTS, *service.fds),
            os.getpid(),
            service.orphan_signal,
        )
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        nothing, output = os.open(os.devnull, os.O_RDONLY), open_log(log)
        files = [theirs.fileno(), nothing, *(output for _ in _OUTPUTS), *service.fds]
        try:
            with ours, _adopting_orphans():
                ours.settimeout(self._patience)
                socket.send_fds(self._ours, [request.encode()], files)
                theirs.close()
                pid = _answer(ours)
                ours.send(GO)
                return Forked(pid)
        except (OSError, ValueError) as error:
            raise NoForkError(str(error)) from error
        finally:
            theirs.close()
            os.close(nothing)
            os.close(output)


def _answer(channel: socket.socket) -> int:
    """Return the pid of the forked process, which is now our child. Raises NoForkError."""
    pid = int(channel.recv(_LARGEST_ANSWER) or 0)
    if channel.recv(_LARGEST_ANSWER) != DONE or pid <= 0:
        raise ValueError("it has ended")
    return pid


@contextmanager
def _adopting_orphans() -> Iterator[None]:
    """Make this process a subreaper for the time of a fork; later orphans go to init, which reaps them."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def supported() -> bool:
    """Return whether the kernel supports subreapers."""
    return sys.platform == "linux"
