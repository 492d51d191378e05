"""The body of a call by an Aodh or Ceilometer alarm (aodh/notifier/rest.py of Liberty). Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SEVERITIES: Mapping[str, str] = {"low": "MINOR", "moderate": "MAJOR", "critical": "CRITICAL"}
"""Aodh's severities to those of X.733."""
DEFAULT_SEVERITY = "low"
"""Aodh's default; Ceilometers that are older than the severity do not send any."""
STATES = ("ok", "alarm", "insufficient data")
_LONGEST_ID = 64
_LONGEST_REASON = 2000
_LARGEST_DATA = 64 * 1024
"""Bytes of JSON; an event alarm carries a whole event. Larger data is dropped, the alarm is not."""


@dataclass(frozen=True, slots=True)
class AodhNotification:
    """One call of a webhook."""

    alarm_id: str
    name: str
    state: str
    severity: str
    reason: str
    reason_data: Mapping[str, Any]
    server_id: str


def parse_webhook(body: Mapping[str, Any]) -> AodhNotification | None:
    """None for any other body."""
    alarm_id, state = body.get("alarm_id"), body.get("current")
    if not isinstance(alarm_id, str) or not 0 < len(alarm_id) <= _LONGEST_ID or state not in STATES:
        return None
    data = body.get("reason_data")
    reason_data = data if isinstance(data, dict) and len(json.dumps(data)) <= _LARGEST_DATA else {}
    severity = SEVERITIES.get(str(body.get("severity") or DEFAULT_SEVERITY), SEVERITIES[DEFAULT_SEVERITY])
    return AodhNotification(
        alarm_id=alarm_id,
        name=str(body.get("alarm_name") or "")[:255],
        state=str(state),
        severity="INDETERMINATE" if state == "insufficient data" else severity,
        reason=str(body.get("reason") or "")[:_LONGEST_REASON],
        reason_data=reason_data,
        server_id=_server_of(reason_data),
    )


def match_length(name: str, *, instance_id: str, stack_name: str) -> int:
    """The number of characters of the alarm's name that name the instance: 0 for none.

    Heat starts the names of a stack's resources with the stack's name (so one of stack edge-2 matches edge, too, but
    edge-2 longer); other alarms may hold the instance's id.
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
