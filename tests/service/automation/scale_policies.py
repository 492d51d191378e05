"""Policies that scale by CPU load, and the conditions that they report."""

from typing import Any

from tests.service.automation.scenario import Scenario
from vnfm.automation.models import AutomationPolicy
from vnfm.automation.selectors.policies import condition_of, policy_get


def scaling(world: Scenario, **values: Any) -> AutomationPolicy:
    given = {
        "name": "scale",
        "kind": "SCALE",
        "heal_after_seconds": None,
        "aspect_id": "data-path",
        "source": "ELEMENT_COUNTER",
        "metric": "cpu",
        "out_above": 80.0,
        "out_after_seconds": 60,
        "in_below": 20.0,
        "in_after_seconds": 300,
        **values,
    }
    return world.policy(**given)


def condition(policy: AutomationPolicy) -> tuple[str, str, str]:
    found = condition_of(policy_get(policy_id=policy.id))
    return found.status, found.reason, found.message
