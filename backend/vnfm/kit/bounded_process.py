"""Functions that run in a process of their own, with an interpreter, a limit of time and one of memory of its own.

What a hostile file costs in processor time then delays neither the other requests of a web process nor the operations
of a worker. The process starts at the first call, without Django's apps and without this one's environment; it keeps
what it has imported for the next calls, and ends after IDLE_SECONDS without one, when a call takes too long, or with
the process that started it.

This limits cost and is not a sandbox: the functions read hostile data, and are our own code.
"""

import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple, cast

from django.conf import settings

from vnfm.kit import clock

Ts = TypeVarTuple("Ts")
T = TypeVar("T")

IDLE_SECONDS = 300.0
START_SECONDS = 60.0
"""A new process imports our code first, which takes long on a machine with much else to do."""
GRACE_SECONDS = 5.0
"""After this the process is killed that the alarm should have ended."""
MEMORY_BYTES = 512 * 1024**2
"""It bounds the address space."""
MAX_ANSWER_BYTES = 64 * 1024**2
"""It bounds the pickled value or error of a function."""
NICENESS = 5
_BACKEND = Path(__file__).parents[2]
_STARTED = b"started"
"""Sent before the function runs: a call whose process ended without it may go to another one."""
_INHERITED = ("PATH", "LANG", "TZ", "TMPDIR", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")


class TimeOverError(Exception):
    """The function did not return in its time; its process was ended."""


class ProcessDiedError(Exception):
    """The process ended in the middle of a call."""


class ResultTooLargeError(Exception):
    """The value or error of the function has more than MAX_ANSWER_BYTES."""


class UnpicklableResultError(Exception):
    """The value or error of the function cannot be sent between processes; the message says what it is."""


@dataclass(frozen=True, slots=True)
class _Call:
    function: Callable[..., Any]
    arguments: Sequence[Any]
    seconds: float
    settings: Mapping[str, Any]
    now: datetime


class _Process:
    def __init__(self, module: str) -> None:
        self.connection, theirs = Pipe()
        command = [sys.executable, "-c", f"from {__name__} import main; main()", str(theirs.fileno()), module]
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._popen = subprocess.Popen(  # noqa: S603 - this module
            command,
            pass_fds=[theirs.fileno()],
            env={**environment, "PYTHONPATH": str(_BACKEND)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def begin(self, call: _Call) -> None:
        """Send the call. Raises ProcessDiedError if the process ended before the function was called."""
        try:
            self.connection.send_bytes(pickle.dumps(call))
            self._await_message(START_SECONDS)
            self.connection.recv_bytes(len(_STARTED))
        except (EOFError, OSError) as error:
            raise self._died(call) from error

    def answer(self, call: _Call) -> tuple[bool, Any]:
        """Return True and the function's value, or False and its error."""
        self._await_message(call.seconds + GRACE_SECONDS)
        try:
            octets = self.connection.recv_bytes(MAX_ANSWER_BYTES)
        except (EOFError, OSError) as error:
            raise self._died(call) from error
        try:
            return cast("tuple[bool, Any]", pickle.loads(octets))  # noqa: S301 - of our own process
        except Exception as error:
            raise _unpicklable(call, error) from error

    def _await_message(self, seconds: float) -> None:
        if not self.connection.poll(seconds):
            raise TimeOverError

    def _died(self, call: _Call) -> Exception:
        try:
            code = self._popen.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            code = self.end()
        if code == -signal.SIGALRM:
            return TimeOverError()
        return ProcessDiedError(f"{call.function.__name__} ended its process with code {code}.")

    def end(self) -> int:
        """Its exit code."""
        self.connection.close()
        self._popen.kill()
        return self._popen.wait()


class BoundedProcesses:
    """Processes that run functions of `module`, each one call at a time; the caller limits how many at once.

    The functions see the settings named in `visible` alone.
    """

    def __init__(self, module: str, visible: Sequence[str] = ()) -> None:
        self._module, self._visible = module, visible
        self._idle: list[_Process] = []

    def call(self, seconds: float, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return the function's value; raises its errors, those of this module and MemoryError."""
        values = {name: getattr(settings, name) for name in self._visible}
        call = _Call(function, arguments, seconds, values, clock.now())
        process = self._start(call)
        answer = None
        try:
            answer = process.answer(call)
        finally:
            if answer is None:
                process.end()
            else:
                self._idle.append(process)
        returned, value = answer
        if returned:
            return cast("T", value)
        raise value

    def _start(self, call: _Call) -> _Process:
        """Return the process that runs the call: an idle one that is still alive, or a new one."""
        while True:
            process, is_new = self._take()
            started = False
            try:
                process.begin(call)
                started = True
            except ProcessDiedError:
                if is_new:
                    raise
            finally:
                if not started:
                    process.end()
            if started:
                return process

    def _take(self) -> tuple[_Process, bool]:
        """A process, and whether it is new."""
        try:
            return self._idle.pop(), False
        except IndexError:
            return _Process(self._module), True


def serve(connection: Connection) -> None:
    """Run functions, one after the other, until no call comes."""
    settings.configure()
    while connection.poll(IDLE_SECONDS):
        try:
            octets = connection.recv_bytes()
        except EOFError:
            return
        connection.send_bytes(_STARTED)
        call: _Call = pickle.loads(octets)  # noqa: S301 - of the process that started this one
        for name, value in call.settings.items():
            setattr(settings, name, value)
        clock.follow(call.now, time.monotonic())
        signal.setitimer(signal.ITIMER_REAL, call.seconds)
        answer = _answer(call)
        signal.setitimer(signal.ITIMER_REAL, 0)
        connection.send_bytes(answer)


def _answer(call: _Call) -> bytes:
    """Pickle True and the function's value, or False and its error."""
    result: tuple[bool, Any]
    try:
        result = True, call.function(*call.arguments)
    except Exception as error:  # noqa: BLE001 - it is raised where the function was called
        result = False, error
    try:
        octets = pickle.dumps(result)
    except Exception as error:  # noqa: BLE001 - as above
        return pickle.dumps((False, _unpicklable(call, error)))
    if len(octets) > MAX_ANSWER_BYTES:
        words = f"The answer of {call.function.__name__} has {len(octets)} bytes; {MAX_ANSWER_BYTES} are allowed."
        return pickle.dumps((False, ResultTooLargeError(words)))
    return octets


def _unpicklable(call: _Call, error: Exception) -> UnpicklableResultError:
    words = f"The answer of {call.function.__name__} cannot be sent between processes: {error}"
    return UnpicklableResultError(words)


def main() -> None:
    descriptor, module = sys.argv[1:]
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    import_module(module)
    serve(Connection(int(descriptor)))
