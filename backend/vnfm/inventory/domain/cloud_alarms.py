"""What the webhook of an Aodh or Ceilometer alarm says (aodh/notifier/rest.py of Liberty). Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SEVERITIES: Mapping[str, str] = {"low": "MINOR", "moderate": "MAJOR", "critical": "CRITICAL"}
"""Aodh's severities to those of X.733."""
NOT_TOLD = "low"
"""Aodh's default; Ceilometers that are older than the severity do not send any."""
STATES = ("ok", "alarm", "insufficient data")
_LONGEST_ID = 64
_LONGEST_REASON = 2000
_LARGEST_DATA = 64 * 1024
"""Bytes of JSON; an event alarm carries a whole event. More is left out: the alarm counts, not its words."""


@dataclass(frozen=True, slots=True)
class Told:
    """One call of a webhook."""

    alarm_id: str
    name: str
    state: str
    severity: str
    reason: str
    reason_data: Mapping[str, Any]
    server_id: str


def read_webhook(body: Mapping[str, Any]) -> Told | None:
    """None for what is no such call."""
    alarm_id, state = body.get("alarm_id"), body.get("current")
    if not isinstance(alarm_id, str) or not 0 < len(alarm_id) <= _LONGEST_ID or state not in STATES:
        return None
    data = body.get("reason_data")
    reason_data = data if isinstance(data, dict) and len(json.dumps(data)) <= _LARGEST_DATA else {}
    severity = SEVERITIES.get(str(body.get("severity") or NOT_TOLD), SEVERITIES[NOT_TOLD])
    return Told(
        alarm_id=alarm_id,
        name=str(body.get("alarm_name") or "")[:255],
        state=str(state),
        severity="INDETERMINATE" if state == "insufficient data" else severity,
        reason=str(body.get("reason") or "")[:_LONGEST_REASON],
        reason_data=reason_data,
        server_id=_server_of(reason_data),
    )


def speaks_of(name: str, *, instance_id: str, stack_name: str) -> int:
    """How much of that name says that the alarm is of the instance, 0 for nothing: its stack made it, after which Heat
    names what it makes (the stack edge-2 is none of edge), or whoever made it wrote the instance's id into the name.
    """
    if instance_id in name:
        return len(name)
    return len(stack_name) if stack_name and name.startswith(f"{stack_name}-") else 0


def _server_of(reason_data: Mapping[str, Any]) -> str:
    """An event alarm carries the event that raised it, with its traits as [name, type, value]."""
    event = reason_data.get("event")
    traits = event.get("traits") if isinstance(event, dict) else None
    for trait in traits if isinstance(traits, list) else ():
        match trait:
            case ["instance_id" | "resource_id", _, str(value)] if len(value) <= _LONGEST_ID:
                return value
            case _:
                continue
    return ""
