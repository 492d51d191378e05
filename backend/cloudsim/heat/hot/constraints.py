"""Checks of values by constraints, and by the cloud."""

import re
from typing import Protocol

from hot.constraints import Constraint, holds, violation
from hot.functions import Json
from hot.patterns import UncheckedError


class CloudLookup(Protocol):
    """Checks custom constraints: whether a flavor, network, image and so on exists in the cloud."""

    async def problem(self, kind: str, value: str) -> str | None:
        """Return None if `value` exists, else Heat's message. Raises KeyError for an unknown kind."""


async def first_violation(rules: tuple[Constraint, ...], value: Json, cloud: CloudLookup | None) -> str | None:
    """Return the first violation by `value`; custom rules are skipped without a cloud."""
    for rule in rules:
        if rule.kind == "custom_constraint":
            found = await _violation_in(cloud, rule, value) if cloud else None
        else:
            found = None if _holds(rule, value) else violation(rule, value)
        if found:
            return found
    return None


def _holds(rule: Constraint, value: Json) -> bool:
    try:
        return holds(rule, value)
    except UncheckedError:  # Lookaround and the like, which Heat matches as long as it takes.
        found = re.match(rule.spec, str(value))
        return found is not None and found.end() == len(str(value))


async def _violation_in(cloud: CloudLookup, rule: Constraint, value: Json) -> str | None:
    """An empty text violates all kinds except key pairs."""
    if value is None or (value == "" and rule.spec == "nova.keypair"):
        return None
    problem = await cloud.problem(rule.spec, str(value))
    return problem and (rule.description or f"Error validating value '{value}': {problem}")
