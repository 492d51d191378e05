"""A process that imports code once and forks others from it, which share that memory (ADR-0052).

    python -m launcher.fork_server FD COMMANDS MODULE ...

It imports the modules, then takes requests from the socket FD (launcher/forks.py). Each request names a Python program
as on the command line of `python`; a child of the requesting process runs it. It is forked twice, since an orphan
becomes a child of the nearest subreaper: so the requesting process can watch it even if this server dies. Commands of
the terminal come over the socket file COMMANDS (launcher/forked_command.py).
"""

import ctypes
import fcntl
import gc
import importlib
import os
import runpy
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from launcher.die_with_parent import tie
from launcher.forked_command import GO, LARGEST_REQUEST, MOST_FILES, Request, keep, listen

READY = "fork server ready"
DONE = b"done"
PR_SET_NAME = 15
_ASIDE = 100
"""Received file descriptors are moved above this number before they get the numbers that the program expects."""


@dataclass(frozen=True)
class Fork:
    """A forked process before it runs its program."""

    request: Request
    received: Sequence[int]
    channel: socket.socket | None = None
    """The channel with the order to begin a service; None for a command."""

    def run(self) -> None:
        """Run the program once the requesting process allows it; end if that has given up waiting."""
        request = self.request
        if self.channel is not None:
            if self.channel.recv(len(GO)) != GO:
                sys.exit(0)
            self.channel.close()
        os.setsid()
        tie(request.orphan_signal, request.parent)
        if request.umask >= 0:
            os.umask(request.umask)
        _renumber(self.received, request.files)
        os.chdir(request.cwd)
        os.environ.clear()
        os.environ.update(request.env)
        set_title(f"vnfm {request.name}")
        gc.enable()
        if request.arguments[0] == "-m":
            sys.argv = list(request.arguments[1:])
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = list(request.arguments)
            runpy.run_path(sys.argv[0], run_name="__main__")


def _renumber(files: Sequence[int], numbers: Sequence[int]) -> None:
    aside = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, _ASIDE) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(aside, numbers, strict=True):
        os.dup2(file, number)
        os.close(file)


def set_title(title: str) -> None:
    """Set the title that `ps` shows, by overwriting the command line's memory, of which Python has a copy."""
    ctypes.CDLL(None).prctl(PR_SET_NAME, title.replace(" ", "-").encode()[:15], 0, 0, 0)
    start, end = (int(word) for word in Path("/proc/self/stat").read_text().rpartition(")")[2].split()[45:47])
    text = title.encode()[: max(0, end - start - 1)]
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, text, len(text))


def serve(requests: socket.socket, commands: socket.socket) -> Fork | None:
    """Fork for each request; return in each forked process, and with None when the requests' socket is closed."""
    keepers: set[int] = set()
    while True:
        ready, _, _ = select.select([requests, commands], [], [])
        keepers = {pid for pid in keepers if os.waitpid(pid, os.WNOHANG) == (0, 0)}
        if commands in ready:
            connection, _ = commands.accept()
            if (keeper := os.fork()) == 0:
                requests.close()
                commands.close()
                return _command(connection)
            keepers.add(keeper)
            connection.close()
        if requests in ready:
            message, files, _, _ = socket.recv_fds(requests, LARGEST_REQUEST, MOST_FILES)
            if not message:
                return None
            if (fork := _service(message, files)) is not None:
                requests.close()
                commands.close()
                return fork


def _service(message: bytes, files: Sequence[int]) -> Fork | None:
    """Fork a service; return None in the server."""
    channel = socket.socket(fileno=files[0])
    middle = os.fork()
    if middle == 0:
        if (child := os.fork()) == 0:
            return Fork(Request.decode(message), files[1:], channel)
        with suppress(OSError):
            channel.send(str(child).encode())
        os._exit(0)
    os.waitpid(middle, 0)
    with suppress(OSError):  # the requesting process has ended
        channel.send(DONE)
    channel.close()
    for file in files[1:]:
        os.close(file)
    return None


def _command(connection: socket.socket) -> Fork:
    """Fork a command and return in it; its keeper ends in this function."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client forwards a Ctrl-C of the terminal
    try:
        kept = keep(connection)
    except OSError:
        os._exit(1)  # the client has ended
    if kept is None:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return Fork(*kept)


def load(modules: Sequence[str]) -> None:
    """Import the modules, and freeze their memory so that it stays shared with the forks (gc.freeze).

    Raises RuntimeError if an import started a thread: a fork would have its locks, but not the thread.
    """
    gc.disable()
    for module in modules:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    if len(list(Path("/proc/self/task").iterdir())) > 1:
        raise RuntimeError(f"Importing {', '.join(modules)} started a thread: no process can be forked.")


def main() -> None:
    requests = socket.socket(fileno=int(sys.argv[1]))
    load(sys.argv[3:])
    commands = listen(Path(sys.argv[2]))
    print(READY, flush=True)
    if (fork := serve(requests, commands)) is not None:
        fork.run()


if __name__ == "__main__":
    main()
