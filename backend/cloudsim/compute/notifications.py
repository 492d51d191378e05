"""Nova's notifications about servers (nova/notifications.py, compute/utils.py of Liberty).

They are sent at each change of state and at the end of each action (``notify_on_state_change = vm_and_task_state``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cloudsim.core.store import Doc

State = tuple[str | None, str | None]
"""The vm_state and the task_state."""

_ACTIONS = {
    "spawning": "create",
    "powering-off": "power_off",
    "powering-on": "power_on",
    "pausing": "pause",
    "unpausing": "unpause",
    "suspending": "suspend",
    "resuming": "resume",
    "rebooting": "reboot",
    "rebooting_hard": "reboot",
    "rebuilding": "rebuild",
    "resize_prep": "resize",
}
"""The action's name in event types by task_state."""


def state_of(server: Doc) -> State:
    return server["vm_state"], server["task_state"]


def events(before: State, server: Doc) -> Iterator[tuple[str, Doc, str]]:
    """Yield event type, payload and priority of the notifications after a change from the state ``before``."""
    after = state_of(server)
    if before == after:
        return
    payload = {**_payload(server), "old_state": before[0], "old_task_state": before[1], "new_task_state": after[1]}
    if after[1] in _ACTIONS:
        yield f"compute.instance.{_ACTIONS[after[1]]}.start", payload, "INFO"
    yield "compute.instance.update", payload, "INFO"
    if before[1] in _ACTIONS and after[1] != before[1]:
        failed = after[0] == "error"
        kind = f"compute.instance.{_ACTIONS[before[1]]}"
        yield f"{kind}.{'error' if failed else 'end'}", payload, "ERROR" if failed else "INFO"


def deleted(server: Doc) -> tuple[str, Doc]:
    return "compute.instance.delete.end", {**_payload(server), "state": "deleted"}


def _payload(server: Doc) -> Doc:
    flavor = server["flavor"]
    return {
        "tenant_id": server["tenant_id"],
        "user_id": server["user_id"],
        "instance_id": server["id"],
        "display_name": server["name"],
        "host": server["host"],
        "state": server["vm_state"],
        "state_description": server["task_state"] or "",
        "instance_type": flavor["name"],
        "memory_mb": flavor["ram"],
        "vcpus": flavor["vcpus"],
        "disk_gb": flavor["disk"],
        "created_at": server["created"],
        "launched_at": server["launched"] or "",
        "metadata": server["metadata"],
    }
