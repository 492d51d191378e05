"""Runs a command of the terminal as a fork of the instance's fork server, which has imported the product (ADR-0052).

The client connects to the socket in the instance's `run` folder, which is private to its owner, and sends a Request
with its own input and outputs. A keeper process, forked for it, forks the command, forwards signals to it, and answers
with its exit code. The command ends with its keeper, and gets SIGTERM when the client ends.
"""

import json
import os
import select
import signal
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

GO, READY = b"go", b"ready"
LARGEST_REQUEST = 1 << 20
MOST_FILES = 16
PATIENCE = 2.0
"""Seconds to wait for a keeper; after that the client runs the command as a new program."""
_STANDARD_FILES = (0, 1, 2)
_LARGEST_WORD = 64


@dataclass(frozen=True)
class Request:
    """A program to run; `files` are its numbers for the sent file descriptors, `umask` -1 keeps the current umask."""

    name: str
    arguments: Sequence[str]
    env: dict[str, str]
    cwd: str
    umask: int
    files: Sequence[int]
    parent: int
    orphan_signal: int

    def encode(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def decode(cls, message: bytes) -> Self:
        return cls(**json.loads(message))


@contextmanager
def _address(file: Path) -> Iterator[str]:
    """Yield a short path of the socket: the kernel limits an address to 107 bytes."""
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{file.name}"
    finally:
        os.close(folder)


def listen(file: Path) -> socket.socket:
    """Listen on the socket's name, also if another fork server still uses it."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    with _address(new) as address:
        listener.bind(address)
    new.chmod(0o600)
    new.replace(file)
    listener.listen()
    return listener


def keep(connection: socket.socket) -> tuple[Request, Sequence[int]] | None:
    """Fork the command that the client requests, and wait for its end; return only in the command.

    Returns None if the client gave up before the command began.
    """
    connection.settimeout(PATIENCE)
    message, files, _, _ = socket.recv_fds(connection, LARGEST_REQUEST, MOST_FILES)
    connection.send(READY)
    if not message or connection.recv(_LARGEST_WORD) != GO:
        return None
    keeper = os.getpid()
    command = os.fork()
    if command == 0:
        connection.close()
        return replace(Request.decode(message), parent=keeper), files
    _await(command, connection)
    return None


def _await(command: int, connection: socket.socket) -> None:
    ended = os.pidfd_open(command)
    sources: list[int | socket.socket] = [ended, connection]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if ended in ready:
            _, status = os.waitpid(command, 0)
            with suppress(OSError):
                connection.send(str(os.waitstatus_to_exitcode(status)).encode())
            return
        word = connection.recv(_LARGEST_WORD)
        os.kill(command, int(word) if word else signal.SIGTERM)
        if not word:
            sources.remove(connection)


def run_forked(
    file: Path,
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    files: Sequence[int] = _STANDARD_FILES,
) -> int | None:
    """Run a Python program (`arguments` as for `python`) with these files as input and outputs; return its exit code.

    Returns None if no fork server accepted it, so that it did not run. Ctrl-C is forwarded to it.
    """
    request = Request("manage", arguments, dict(env), str(cwd), -1, _STANDARD_FILES, 0, signal.SIGTERM)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as channel:
        channel.settimeout(PATIENCE)
        try:
            with _address(file) as address:
                channel.connect(address)
            socket.send_fds(channel, [request.encode()], files)
            if channel.recv(_LARGEST_WORD) != READY:
                return None
            channel.send(GO)
        except OSError:
            return None
        channel.settimeout(None)
        return _exit_code(channel)


def _exit_code(channel: socket.socket) -> int:
    while True:
        try:
            word = channel.recv(_LARGEST_WORD)
        except KeyboardInterrupt:
            channel.send(str(int(signal.SIGINT)).encode())
            continue
        code = int(word or b"1")
        return code if code >= 0 else 128 - code
