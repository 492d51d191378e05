"""Who runs an instance: one supervisor at a time, and nothing of a dead one."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from launcher.errors import LaunchError
from launcher.layout import Instance
from launcher.processes import wait_until
from launcher.record import READY, STOPPING, Record


class AlreadyRunning(Exception):  # noqa: N818 - not an error for the user
    """Another supervisor holds this state directory."""


@contextmanager
def hold(instance: Instance, inherited: int | None = None) -> Iterator[int]:
    """Be the one supervisor of a state directory; the kernel ends it with the process, whatever happens to that.

    Yields the lock, an open file that keeps it across exec(2); `inherited` is one that a supervisor got that way.
    """
    with instance.lock.open("a") if inherited is None else os.fdopen(inherited, "a") as file:
        os.set_inheritable(file.fileno(), False)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning from None
        yield file.fileno()


def await_other(instance: Instance, seconds: float) -> Record:
    """The record of the supervisor that holds the directory, once it is ready. Raises LaunchError if it will not be."""

    def settled() -> bool:
        record = Record.load(instance.record)
        return record is not None and (record.phase in (READY, STOPPING) or not record.alive)

    wait_until(settled, seconds, pause=0.2)
    record = Record.load(instance.record)
    if record is None or record.phase != READY or not record.alive:
        raise LaunchError(
            f"Another ./vnfm up has {instance.root} but did not become ready: see ./vnfm logs supervisor."
        )
    return record


def clear_leftovers(instance: Instance, say: Callable[[str], None]) -> int:
    """End what a killed supervisor left running, each recognised by pid and start time; returns how many there were."""
    record = Record.load(instance.record)
    if record is None or record.alive:
        return 0
    count = 0
    for name, service in reversed(record.services.items()):
        identity = service.identity
        if identity is not None and identity.alive:
            say(f"Stopping {name} (pid {identity.pid}), which a killed supervisor left.")
            identity.end(service.stop_signal, service.grace)
            count += 1
    instance.record.unlink(missing_ok=True)
    return count
