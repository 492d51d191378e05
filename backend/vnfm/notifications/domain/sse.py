"""The event stream: its topics, and the format of a message."""

import json

TOPICS = (
    "vnf_instance.changed",
    "op_occ.changed",
    "alarm.changed",
    "vim.changed",
    "vnf_package.changed",
    "plan.changed",
    "unclaimed.changed",
    "network_element.changed",
    "discovery_rule.changed",
    "site.changed",
    "mediation_policy.changed",
    "management_profile.changed",
    "configuration.changed",
    "configuration_job.changed",
    "automation_policy.changed",
    "automation_policy.decided",
    "environment.changed",
    "board.changed",
    "threshold_rule.changed",
    "threshold_rule.crossed",
)
"""An event has only id and version: a client that lacks this version reads it from the API."""


def sse_frame(event_id: int, topic: str, key: object, version: int) -> bytes:
    """One message of a text/event-stream (HTML standard, 9.2.6)."""
    data = json.dumps({"topic": topic, "id": str(key), "version": version}, separators=(",", ":"))
    return f"id: {event_id}\nevent: {topic}\ndata: {data}\n\n".encode()
