"""Nova's states: the status by vm_state and task_state, and the states in which each action is allowed."""

from __future__ import annotations

from dataclasses import dataclass

RUNNING, PAUSED, SHUTDOWN, SUSPENDED, NOSTATE = 1, 3, 4, 7, 0
"""Power states."""

_STATUS = {
    "active": "ACTIVE",
    "building": "BUILD",
    "stopped": "SHUTOFF",
    "paused": "PAUSED",
    "suspended": "SUSPENDED",
    "resized": "VERIFY_RESIZE",
    "error": "ERROR",
    "deleted": "DELETED",
}
_REBUILDS = {"rebuilding": "REBUILD", "rebuild_spawning": "REBUILD"}
_RESIZES = {"resize_prep": "RESIZE"}
_TASK_STATUS = {
    "active": {"rebooting": "REBOOT", "rebooting_hard": "HARD_REBOOT", **_REBUILDS, **_RESIZES},
    "stopped": {**_REBUILDS, **_RESIZES},
    "error": _REBUILDS,
}
"""The status by vm_state and task; the hard reboot of a stopped server has the status SHUTOFF until it runs."""

POWER_OF = {"active": RUNNING, "paused": PAUSED, "stopped": SHUTDOWN, "suspended": SUSPENDED}


def status_of(vm_state: str, task_state: str | None) -> str:
    """Return the API's status of a server (nova/api/openstack/common.py)."""
    return _TASK_STATUS.get(vm_state, {}).get(task_state or "", _STATUS[vm_state])


@dataclass(frozen=True, slots=True)
class Move:
    """An action: its name in Nova's messages and records, its start states, its task state and its end state.

    ``to`` "" keeps the vm_state; with ``boots`` it takes the boot time, not the short time of an action.
    """

    name: str
    allowed: frozenset[str]
    task: str
    to: str
    boots: bool = False


def _states(*names: str) -> frozenset[str]:
    return frozenset(names)


MOVES = {
    "os-start": Move("start", _states("stopped"), "powering-on", "active"),
    "os-stop": Move("stop", _states("active", "error"), "powering-off", "stopped"),
    "soft": Move("reboot", _states("active"), "rebooting", "active"),
    "hard": Move("reboot", _states("active", "stopped", "paused", "suspended", "error"), "rebooting_hard", "active"),
    "pause": Move("pause", _states("active"), "pausing", "paused"),
    "unpause": Move("unpause", _states("paused"), "unpausing", "active"),
    "suspend": Move("suspend", _states("active"), "suspending", "suspended"),
    "resume": Move("resume", _states("suspended"), "resuming", "active"),
    "rebuild": Move("rebuild", _states("active", "stopped", "error"), "rebuilding", "active", boots=True),
    "evacuate": Move("evacuate", _states("active", "stopped", "error"), "rebuilding", "active", boots=True),
    "resize": Move("resize", _states("active", "stopped"), "resize_prep", "resized", boots=True),
    "createImage": Move("createImage", _states("active", "stopped", "paused", "suspended"), "image_snapshot", ""),
    "confirmResize": Move("confirmResize", _states("resized"), "", ""),
}
