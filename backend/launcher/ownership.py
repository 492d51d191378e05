"""Ensures that one supervisor at a time runs an instance, and ends processes of a dead one."""

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
    """Hold the lock of a state directory as its only supervisor; the kernel releases it when the process ends.

    Yields the lock, an open file that survives exec(2); `inherited` is one from before an exec(2).
    """
    with instance.lock.open("a") if inherited is None else os.fdopen(inherited, "a") as file:
        os.set_inheritable(file.fileno(), False)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning from None
        yield file.fileno()


def await_other(instance: Instance, seconds: float) -> Record:
    """Return the record of the supervisor that holds the directory, once ready. Raises LaunchError if it fails."""

    def settled() -> bool:
        record = Record.load(instance.record)
        return record is not None and (record.phase in (READY, STOPPING) or not record.alive)

    wait_until(settled, seconds, pause=0.2)
    record = Record.load(instance.record)
    if record is None or record.phase != READY or not record.alive:
        raise LaunchError(
            f"Another ./vnfm up uses {instance.root} but did not become ready: see ./vnfm logs supervisor."
        )
    return record


def clear_leftovers(instance: Instance, say: Callable[[str], None]) -> int:
    """End processes that a killed supervisor left, recognised by pid and start time; return their number."""
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
