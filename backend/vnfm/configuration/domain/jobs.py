"""When jobs are retried and fail for good, when backups are due, and the problem that a failure is reported as."""

from datetime import datetime, timedelta
from uuid import UUID

from vnfm.devices.errors import (
    Busy,
    CutOff,
    DeviceError,
    DeviceRejected,
    Garbled,
    Locked,
    NotReady,
    NotSupported,
    Refused,
    Unreachable,
)
from vnfm.kit.problem import Cause, Problem

MAX_ATTEMPTS = 4
"""Attempts before a job fails: elements reboot after some changes, and workers die."""

BUSY_RETRY = timedelta(seconds=2)
WORKER_GRACE = timedelta(seconds=20)
"""The sweep checks so long after the begin of an attempt that its worker lives: a lease outlives a worker by 15 s."""

SETTLE_TIME = timedelta(seconds=10)
"""The time from the first signal of a change to the backup: elements report a change of many lines line by line."""

JITTER = 0.1

_NEXT_STEPS: dict[type[DeviceError], str] = {
    Busy: "It starts when the other job is done.",
    Locked: "Have the other user of the element commit or discard, and unlock it; then try again.",
    NotReady: "Start the element's routing software, or see its log for why it does not run; then try again.",
    Unreachable: "Check that the element is up and its SSH or NETCONF port reachable from here; then try again.",
    Refused: "Correct the login in the element's policy, or have its host key forgotten if it was changed on purpose.",
    NotSupported: "Give the element an SSH or NETCONF policy that fits, and let it be polled by SNMP first.",
    DeviceRejected: "Correct what the element refuses, and try it in a dry run.",
    CutOff: "Correct the part of the change that cuts the path to the element, and back it up before you try again.",
    Garbled: "Log in to the element and look: a banner or a question may stand in the way.",
}


def retry_delay(attempts: int) -> timedelta:
    """The pause after the given number of failed attempts: 5, 20, 80 s."""
    return timedelta(seconds=5 * 4 ** (attempts - 1))


def next_due(now: datetime, interval_seconds: int, element_id: UUID) -> datetime:
    """When the next scheduled backup is due: spread by element, so that a thousand do not start at once."""
    share = (element_id.int % 1000) / 1000
    return now + timedelta(seconds=interval_seconds * (1 - JITTER + 2 * JITTER * share))


def problem_of(error: DeviceError, activity: str) -> Problem:
    """`activity` names what failed, as in "The backup of pe1"."""
    words = getattr(error, "words", "") or error.message
    return Problem(
        status=502 if not isinstance(error, DeviceRejected) else 422,
        code=error.code,
        title="The network element reported an error"
        if isinstance(error, DeviceRejected)
        else "The network element failed",
        detail=f"{activity} failed: {error.message}",
        next_step=_NEXT_STEPS.get(type(error), _NEXT_STEPS[Garbled]),
        causes=(Cause("element", words),),
    )
