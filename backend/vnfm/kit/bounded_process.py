"""Functions that run in a process of their own, with an interpreter, a limit of time and one of memory of its own.

What a hostile file costs in processor time then delays neither the other requests of a web process nor the operations
of a worker. The process starts at the first call, without Django's apps and without this one's environment; it keeps
what it has imported for the next calls, and ends after IDLE_SECONDS without one, when a call takes too long, or with
the process that started it.
"""

import os
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
GRACE_SECONDS = 5.0
"""After this the process is killed that the alarm should have ended."""
MEMORY_BYTES = 512 * 1024**2
"""Of address space."""
NICENESS = 5
_BACKEND = Path(__file__).parents[2]
_INHERITED = ("PATH", "LANG", "TZ", "TMPDIR", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")


class TimeOverError(Exception):
    """The function did not return in its time; its process was ended."""


class ProcessDiedError(Exception):
    """The process ended in the middle of a call."""


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
        command = [sys.executable, "-m", __name__, str(theirs.fileno()), module]
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._popen = subprocess.Popen(  # noqa: S603 - this module
            command,
            pass_fds=[theirs.fileno()],
            env={**environment, "PYTHONPATH": str(_BACKEND)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def answer(self, call: _Call) -> tuple[bool, Any]:
        """Whether the function returned, and its value or error."""
        self.connection.send(call)
        if not self.connection.poll(call.seconds + GRACE_SECONDS):
            raise TimeOverError
        return cast("tuple[bool, Any]", self.connection.recv())

    def end(self) -> int:
        """Its exit code."""
        self.connection.close()
        self._popen.kill()
        return self._popen.wait()

    def ended(self) -> int:
        """The exit code of a process whose end of the connection is closed."""
        try:
            return self._popen.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return self.end()


class BoundedProcesses:
    """Processes that run functions of `module`, each one call at a time; the caller limits how many at once.

    The functions see the settings named in `visible` alone.
    """

    def __init__(self, module: str, visible: Sequence[str] = ()) -> None:
        self._module, self._visible = module, visible
        self._idle: list[_Process] = []

    def call(self, seconds: float, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """What the function returns; raises what it raises, and TimeOverError, ProcessDiedError and MemoryError."""
        values = {name: getattr(settings, name) for name in self._visible}
        call = _Call(function, arguments, seconds, values, clock.now())
        while True:
            process, is_new = self._take()
            answer = None
            try:
                answer = process.answer(call)
            except (EOFError, OSError) as error:
                code = process.ended()
                if code == -signal.SIGALRM:
                    raise TimeOverError from error
                if is_new:
                    raise ProcessDiedError(f"{function.__name__} ended its process with code {code}.") from error
            finally:
                if answer is None:
                    process.end()
                else:
                    self._idle.append(process)
            if answer is not None:  # else it had ended before, as no call came
                return cast("T", self._value(*answer))

    def _take(self) -> tuple[_Process, bool]:
        """A process, and whether it is new."""
        try:
            return self._idle.pop(), False
        except IndexError:
            return _Process(self._module), True

    @staticmethod
    def _value(returned: bool, value: Any) -> Any:
        if returned:
            return value
        raise value


def serve(connection: Connection) -> None:
    """Run functions, one after the other, until no call comes."""
    settings.configure()
    while connection.poll(IDLE_SECONDS):
        try:
            call: _Call = connection.recv()
        except EOFError:
            return
        for name, value in call.settings.items():
            setattr(settings, name, value)
        clock.follow(call.now, time.monotonic())
        signal.setitimer(signal.ITIMER_REAL, call.seconds)
        result = _result(call)
        signal.setitimer(signal.ITIMER_REAL, 0)
        connection.send(result)


def _result(call: _Call) -> tuple[bool, Any]:
    try:
        return True, call.function(*call.arguments)
    except Exception as error:  # noqa: BLE001 - it is raised where the function was called
        return False, error


def main() -> None:
    descriptor, module = sys.argv[1:]
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    import_module(module)
    serve(Connection(int(descriptor)))


if __name__ == "__main__":
    main()
