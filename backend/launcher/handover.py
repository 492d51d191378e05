"""A supervisor becomes that of another release, by exec(2): its children, its lock and its socket stay (ADR-0066).

`./vnfm upgrade` of the new release writes what to run into a file and sends SIGNAL. The supervisor of the old one keeps
its pid, so that PostgreSQL and all others go on as its children; what it has become starts new processes beside the old
ones (`Supervisor.start`).
"""

import json
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn, Self
from uuid import uuid4

from launcher.errors import LaunchError
from launcher.keys import write_private
from launcher.layout import Instance
from launcher.processes import wait_until
from launcher.record import READY, Record

SIGNAL = signal.SIGUSR2
PROTOCOL = 1
"""What a supervisor notes that hands over; 0 is one that SIGNAL would kill."""
SECONDS = 600.0
_SIGNALS = frozenset({SIGNAL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""What would end a program that has just begun: it waits until the new supervisor takes it (`take_signals`)."""
_VARIABLE = "VNFM_HANDOVER"
_OURS = ("NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM")
"""What systemd gave the supervisor, and not the caller of `upgrade`."""


@dataclass(frozen=True)
class Order:
    """What a supervisor shall become; `number` tells this order from others in the record."""

    number: str
    command: list[str]
    env: Mapping[str, str]


@dataclass(frozen=True)
class Inherited:
    """What a supervisor has of the one that it was: open files, and the record."""

    number: str
    lock: int
    web: int | None
    """None where the web did not run."""

    @classmethod
    def take(cls) -> "Self | None":
        """None for a supervisor that begins from nothing. The variable is no child's."""
        text = os.environ.pop(_VARIABLE, "")
        return cls(**json.loads(text)) if text else None

    def listener(self) -> socket.socket | None:
        if self.web is None:
            return None
        os.set_inheritable(self.web, False)
        return socket.socket(fileno=self.web)


def _file(instance: Instance) -> Path:
    return instance.run / "handover.json"


def order(instance: Instance, record: Record, command: Sequence[str]) -> Record:
    """Have the running supervisor become `command`, another release's `up`; the record once it is ready again.

    Raises LaunchError when it ended, or did not become it.
    """
    wanted = Order(uuid4().hex, [*command], dict(os.environ))
    write_private(_file(instance), json.dumps(asdict(wanted)))
    record.supervisor.signal(SIGNAL)

    def settled() -> bool:
        now = Record.load(instance.record)
        return now is not None and (now.handover == wanted.number and now.phase == READY)

    wait_until(lambda: settled() or not record.alive, SECONDS, pause=0.1)
    after = Record.load(instance.record)
    if after is None or not settled():
        again = "" if record.alive else " All has ended: start it with ./vnfm up."
        raise LaunchError(f"The new release did not take over: see ./vnfm logs supervisor.{again}")
    return after


def follow(instance: Instance, record: Record, lock: int, listener: socket.socket | None) -> str:
    """Become what was ordered; returns only when that cannot be run, with why. Then `record` alone has changed."""
    number = ""
    try:
        document = json.loads(_file(instance).read_text())
        _file(instance).unlink()
        number = document["number"]
        _become(Order(**document), lock, listener)
    except (OSError, ValueError, TypeError, LookupError) as error:
        reason = f"the new release cannot be run ({error})"
        if number:
            record.handover, record.refusal = number, reason
        return reason


def take_signals() -> None:
    """Take what came since the order: call it once handlers are set, before any child begins, for those inherit it."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _become(wanted: Order, lock: int, listener: socket.socket | None) -> NoReturn:
    web = listener.fileno() if listener else None
    inherited = {"number": wanted.number, "lock": lock, "web": web}
    env = dict(wanted.env) | {name: os.environ[name] for name in _OURS if name in os.environ}
    env[_VARIABLE] = json.dumps(inherited)
    files = (lock,) if web is None else (lock, web)
    for file in files:
        os.set_inheritable(file, True)
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        os.execve(wanted.command[0], wanted.command, env)  # noqa: S606 - becoming the command is the purpose
    finally:
        for file in files:
            os.set_inheritable(file, False)
        take_signals()
