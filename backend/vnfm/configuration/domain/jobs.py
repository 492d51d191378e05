"""When jobs begin, when they are tried again, and when they are given up. Times in seconds."""

from datetime import datetime, timedelta
from uuid import UUID

from vnfm.devices.errors import (
    Busy,
    CutOff,
    DeviceError,
    DeviceRejected,
    Garbled,
    Locked,
    NotSupported,
    Refused,
    Unreachable,
)
from vnfm.kit.problem import Cause, Problem

TRIES = 4
"""Beginnings of a job before it is given up: an element reboots after some changes, and workers die."""

BUSY_AGAIN = timedelta(seconds=2)
ALIVE = timedelta(seconds=20)
"""How long a worker that runs a job is left alone: its lease lasts 15 s after its death."""

SETTLE = timedelta(seconds=10)
"""From the first sign of a change to the backup: a change of many lines is told line by line."""

JITTER = 0.1

_NEXT: dict[type[DeviceError], str] = {
    Busy: "It begins when the other is done.",
    Locked: "Have whoever edits the element commit or discard, and unlock it; then ask again.",
    Unreachable: "Check that the element is up and that its SSH or NETCONF port is reached from here; then ask again.",
    Refused: "Correct the login in the element's policy, or have its host key forgotten if it was changed on purpose.",
    NotSupported: "Give the element an SSH or NETCONF policy that fits, and let it be read by SNMP first.",
    DeviceRejected: "Correct what the element refuses, and try it by a dry run.",
    CutOff: "Correct what of the change cuts the way to the element, and back it up before you try again.",
    Garbled: "See what the element shows to who logs in; a banner or a question may stand in the way.",
}


def again_after(attempts: int) -> timedelta:
    """The pause after so many beginnings in vain: 5, 20, 80 s."""
    return timedelta(seconds=5 * 4 ** (attempts - 1))


def next_due(now: datetime, interval_seconds: int, element_id: UUID) -> datetime:
    """When the next backup by the clock is due: spread by element, so that a thousand do not begin at once."""
    share = (element_id.int % 1000) / 1000
    return now + timedelta(seconds=interval_seconds * (1 - JITTER + 2 * JITTER * share))


def problem_of(error: DeviceError, doing: str) -> Problem:
    """The problem to show: `doing` is what was attempted, as in "The backup of pe1"."""
    words = getattr(error, "words", "") or error.message
    return Problem(
        status=502 if not isinstance(error, DeviceRejected) else 422,
        code=error.code,
        title="The network element reported an error"
        if isinstance(error, DeviceRejected)
        else "The network element failed",
        detail=f"{doing} failed: {error.message}",
        next_step=_NEXT.get(type(error), _NEXT[Garbled]),
        causes=(Cause("element", words),),
    )
