"""Required fields of alarms by type. Source: aodh/api/controllers/v2/alarms.py and alarm_rules/ at liberty-eol."""

from __future__ import annotations

from typing import Any

from cloudsim.aodh.notifier import SCHEMES
from cloudsim.core.errors import ApiFault

STATES = ("ok", "alarm", "insufficient data")
SEVERITIES = ("low", "moderate", "critical")
OPERATORS = ("lt", "le", "eq", "ne", "ge", "gt")
_GNOCCHI = {"threshold": None, "granularity": 60, "evaluation_periods": 1, "comparison_operator": "eq",
            "aggregation_method": None}  # fmt: skip
DEFAULTS: dict[str, dict[str, Any]] = {
    "threshold": {
        "meter_name": None, "query": [], "period": 60, "comparison_operator": "eq", "threshold": None,
        "statistic": "avg", "evaluation_periods": 1, "exclude_outliers": False,
    },
    "event": {"event_type": "*", "query": []},
    "combination": {"operator": "and", "alarm_ids": None},
    "gnocchi_resources_threshold": {**_GNOCCHI, "metric": None, "resource_id": None, "resource_type": None},
    "gnocchi_aggregation_by_metrics_threshold": {**_GNOCCHI, "metrics": None},
    "gnocchi_aggregation_by_resources_threshold": {**_GNOCCHI, "metric": None, "query": None, "resource_type": None},
}  # fmt: skip
_NEEDED = {"threshold": ("meter_name", "threshold"), "combination": ("alarm_ids",), "event": ()}
ACTIONS = ("ok_actions", "alarm_actions", "insufficient_data_actions")


def refused(message: str) -> ApiFault:
    return ApiFault(400, "ClientSideError", message)


def read_alarm(body: Any) -> dict[str, Any]:
    """Return the alarm's fields of a request's body with defaults; raises ApiFault 400 with Aodh's message."""
    if not isinstance(body, dict):
        raise refused("Invalid input for field/attribute data. Value: 'None'. Mandatory field missing.")
    for field in ("name", "type"):
        if not body.get(field):
            raise refused(f"Invalid input for field/attribute {field}. Value: 'None'. Mandatory field missing.")
    kind = body["type"]
    if kind not in DEFAULTS:
        raise refused(f"Invalid input for field/attribute type. Value: '{kind}'. Value should be one of: {_listed()}")
    alarm = {
        "name": str(body["name"]),
        "type": kind,
        "description": body.get("description") or f"Alarm when {_described(kind, body)}",
        "enabled": _one_of(body, "enabled", (True, False), True),
        "repeat_actions": _one_of(body, "repeat_actions", (True, False), False),
        "severity": _one_of(body, "severity", SEVERITIES, "low"),
        "state": _one_of(body, "state", STATES, "insufficient data"),
        "time_constraints": body.get("time_constraints") or [],
        f"{rule_key(kind)}": _rule(kind, body.get(rule_key(kind))),
    }
    alarm.update({field: _actions(body.get(field)) for field in ACTIONS})
    return alarm


def rule_key(kind: str) -> str:
    """Return the attribute with the rule of an alarm type: `threshold_rule` for `threshold`."""
    return f"{kind}_rule"


def _listed() -> str:
    return ", ".join(f"'{kind}'" for kind in DEFAULTS)


def _described(kind: str, body: dict[str, Any]) -> str:
    rule = body.get(rule_key(kind)) or {}
    if kind == "event":
        return f"{rule.get('event_type', '*')} event occurred."
    if kind == "combination":
        return "the combined states change"
    return f"{rule.get('meter_name') or rule.get('metric')} is {rule.get('comparison_operator', 'eq')} a threshold"


def _one_of(body: dict[str, Any], field: str, allowed: tuple[Any, ...], default: Any) -> Any:
    value = body.get(field)
    if value is None:
        return default
    if value not in allowed:
        listed = ", ".join(f"'{one}'" for one in allowed)
        raise refused(f"Invalid input for field/attribute {field}. Value: '{value}'. Value should be one of: {listed}")
    return value


def _rule(kind: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise refused(f"{rule_key(kind)} must be set for {kind} type alarm")
    for field in given:
        if field not in DEFAULTS[kind]:
            raise refused(f"Unknown attribute for argument data.{rule_key(kind)}: {field}")
    for field in _NEEDED.get(kind, ("threshold", "aggregation_method")):
        if given.get(field) is None:
            raise refused(f"Invalid input for field/attribute {field}. Value: 'None'. Mandatory field missing.")
    rule = {**DEFAULTS[kind], **given}
    operator = rule.get("comparison_operator", "eq")
    if operator not in OPERATORS:
        raise refused(f"Invalid input for field/attribute comparison_operator. Value: '{operator}'.")
    if kind == "combination" and len(rule["alarm_ids"]) < 2:  # noqa: PLR2004
        raise refused("Alarm combination rule should contain at least two different alarm ids.")
    return rule


def _actions(given: Any) -> list[str]:
    actions = list(dict.fromkeys(given or []))
    for action in actions:
        scheme, separator, _ = str(action).partition(":")
        if not separator or scheme not in SCHEMES:
            raise refused(f"Unsupported action {action}")
    return actions
