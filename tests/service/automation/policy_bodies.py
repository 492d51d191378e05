"""Bodies of automation policies."""

from typing import Any

POLICIES = "/api/v1/automation_policies"


def heal(**more: Any) -> dict[str, Any]:
    return {
        "name": "heal",
        "kind": "HEAL",
        "coolDownSeconds": 300,
        "actionsPerHour": 3,
        "heal": {"forSeconds": 30},
        **more,
    }
