"""Replaces the running supervisor by that of another release with exec(2); children, lock and socket stay (ADR-0066).

`./vnfm upgrade` of the new release writes the command into a file and sends SIGNAL. The process of the supervisor keeps
its pid, so that PostgreSQL and all other children continue to run; as the new supervisor it starts new processes beside
the old ones (`Supervisor.start`).
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
"""The value in the record of a supervisor that can hand over; SIGNAL would kill one with 0."""
SECONDS = 600.0
_SIGNALS = frozenset({SIGNAL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that would end a starting program: they stay blocked until the new supervisor calls `take_signals`."""
_VARIABLE = "VNFM_HANDOVER"
_OURS = ("NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM")
"""Variables that systemd set for the supervisor, and not for the caller of `upgrade`."""


@dataclass(frozen=True)
class Order:
    """The command that replaces the supervisor; `number` identifies this order in the record."""

    number: str
    command: list[str]
    env: Mapping[str, str]


@dataclass(frozen=True)
class Inherited:
    """The open files and the record that a supervisor inherits from the one it replaced."""

    number: str
    lock: int
    web: int | None
    """The web's listening socket; None if this host does not run the web."""

    @classmethod
    def take(cls) -> "Self | None":
        """Return the inherited state, None at a fresh start; remove its variable, so that no child gets it."""
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
    """Have the running supervisor execute `command`, another release's `up`; return its record once it is ready.

    Raises LaunchError if it ended or could not be replaced.
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
        again = "" if record.alive else " The instance has stopped: start it with ./vnfm up."
        raise LaunchError(f"The new release did not take over: see ./vnfm logs supervisor.{again}")
    return after


def follow(instance: Instance, record: Record, lock: int, listener: socket.socket | None) -> str:
    """Execute the ordered command; return the reason if it cannot be run, with only `record` changed."""
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
    """Unblock the signals; call it after the handlers are set and before any child starts, which inherits the mask."""
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
