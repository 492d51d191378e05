"""Constraints of parameters and properties, with Heat's messages. Source: heat/engine/constraints.py."""

import json
import re
from dataclasses import dataclass
from typing import Protocol

from cloudsim.heat.errors import InvalidSchemaError
from cloudsim.heat.hot.scope import Json

Number = int | float


class CloudLookup(Protocol):
    """Checks custom constraints: whether a flavor, network, image and so on exists in the cloud."""

    async def problem(self, kind: str, value: str) -> str | None:
        """Return None if `value` exists, else Heat's message. Raises KeyError for an unknown kind."""


def to_number(value: Json) -> Number:
    """Return a number for text such as `"3"` or `"3.5"`. Raises ValueError or TypeError."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    try:
        return int(value)
    except ValueError:
        return float(value)


@dataclass(frozen=True)
class Constraint:
    """A rule; the template's `description`, if any, replaces the message."""

    description: str | None = None

    def violation(self, value: Json) -> str | None:
        """Return the description or the message of a violation by `value`, or None."""
        found = self.check(value)
        return found and (self.description or found)

    def check(self, value: Json) -> str | None:
        raise NotImplementedError

    def as_dict(self) -> dict[str, Json]:
        """Return the form of `resource_types/{t}` and of validate's `Constraints`."""
        return {"description": self.description} if self.description else {}


@dataclass(frozen=True)
class Range(Constraint):
    minimum: Number | None = None
    maximum: Number | None = None

    def check(self, value: Json) -> str | None:
        if outside(to_number(value), self.minimum, self.maximum):
            return f"{value} is out of range (min: {self.minimum}, max: {self.maximum})"
        return None

    def as_dict(self) -> dict[str, Json]:
        return {**super().as_dict(), "range": _limits(self.minimum, self.maximum)}


@dataclass(frozen=True)
class Length(Constraint):
    minimum: Number | None = None
    maximum: Number | None = None

    def check(self, value: Json) -> str | None:
        if outside(len(value), self.minimum, self.maximum):
            return f"length ({len(value)}) is out of range (min: {self.minimum}, max: {self.maximum})"
        return None

    def as_dict(self) -> dict[str, Json]:
        return {**super().as_dict(), "length": _limits(self.minimum, self.maximum)}


@dataclass(frozen=True)
class AllowedValues(Constraint):
    allowed: tuple[Json, ...] = ()

    def check(self, value: Json) -> str | None:
        values = value if isinstance(value, list) else [value]
        if all(one in self.allowed for one in values):
            return None
        listed = ", ".join(json.dumps(one) for one in self.allowed)
        return f"{json.dumps(value)} is not an allowed value [{listed}]"

    def as_dict(self) -> dict[str, Json]:
        return {**super().as_dict(), "allowed_values": list(self.allowed)}


@dataclass(frozen=True)
class AllowedPattern(Constraint):
    pattern: str = ""

    def check(self, value: Json) -> str | None:
        if re.fullmatch(self.pattern, str(value)):
            return None
        return f'"{value}" does not match pattern "{self.pattern}"'

    def as_dict(self) -> dict[str, Json]:
        return {**super().as_dict(), "allowed_pattern": self.pattern}


@dataclass(frozen=True)
class Custom(Constraint):
    """A custom constraint, which the cloud checks (CloudLookup)."""

    kind: str = ""

    def check(self, value: Json) -> str | None:
        raise NotImplementedError(value)

    def as_dict(self) -> dict[str, Json]:
        return {**super().as_dict(), "custom_constraint": self.kind}

    async def violation_in(self, cloud: CloudLookup, value: Json) -> str | None:
        """Do the same as `violation`, by the cloud; an empty text violates all kinds except key pairs."""
        if value is None or (value == "" and self.kind == "nova.keypair"):
            return None
        problem = await cloud.problem(self.kind, str(value))
        return problem and (self.description or f"Error validating value '{value}': {problem}")


async def first_violation(rules: tuple[Constraint, ...], value: Json, cloud: CloudLookup | None) -> str | None:
    """Return the first violation by `value`; custom rules are skipped without a cloud."""
    for rule in rules:
        if isinstance(rule, Custom):
            found = await rule.violation_in(cloud, value) if cloud else None
        else:
            found = rule.violation(value)
        if found:
            return found
    return None


def outside(value: Number, minimum: Number | None, maximum: Number | None) -> bool:
    return (minimum is not None and value < minimum) or (maximum is not None and value > maximum)


def _limits(minimum: Number | None, maximum: Number | None) -> dict[str, Number]:
    return {name: limit for name, limit in (("min", minimum), ("max", maximum)) if limit is not None}


_APPLIES = {
    "range": ("number",),
    "length": ("string", "comma_delimited_list", "json"),
    "allowed_values": ("string", "number", "boolean", "comma_delimited_list"),
    "allowed_pattern": ("string",),
    "custom_constraint": ("string", "number", "boolean", "comma_delimited_list"),
}
_CLASS = {
    "range": "Range",
    "length": "Length",
    "allowed_values": "AllowedValues",
    "allowed_pattern": "AllowedPattern",
    "custom_constraint": "CustomConstraint",
}


def parse_constraint(parameter: str, kind: str, raw: Json) -> Constraint:
    """Parse an item of a parameter's `constraints` list. Raises InvalidSchemaError."""
    if not isinstance(raw, dict):
        raise InvalidSchemaError("Invalid parameter constraints, expected a mapping")
    for key in raw:
        if key != "description" and key not in _APPLIES:
            raise InvalidSchemaError(f"Invalid key '{key}' for parameter constraints")
    rule = next((key for key in raw if key in _APPLIES), None)
    if rule is None:
        raise InvalidSchemaError("No constraint expressed")
    if kind not in _APPLIES[rule]:
        raise InvalidSchemaError(f"Parameter '{parameter}' is invalid: {_CLASS[rule]} constraint invalid for {kind}")
    return _built(rule, raw[rule], raw.get("description"))


def _built(rule: str, body: Json, description: str | None) -> Constraint:
    if rule in ("range", "length"):
        return _limited(rule, body, description)
    if rule == "allowed_values":
        if not isinstance(body, list):
            raise InvalidSchemaError("AllowedValues must be a list")
        return AllowedValues(description, tuple(body))
    if rule == "allowed_pattern":
        if not isinstance(body, str):
            raise InvalidSchemaError("AllowedPattern must be a string")
        return AllowedPattern(description, body)
    return Custom(description, str(body))


def _limited(rule: str, body: Json, description: str | None) -> Constraint:
    if not isinstance(body, dict):
        raise InvalidSchemaError(f"Invalid {rule} constraint, expected a mapping")
    for key in body:
        if key not in ("min", "max"):
            raise InvalidSchemaError(f"Invalid key '{key}' for {rule} constraint")
    if not body:
        raise InvalidSchemaError(f"A {rule} constraint must have a min value and/or a max value specified.")
    low, high = (None if body.get(key) is None else to_number(body[key]) for key in ("min", "max"))
    return Range(description, low, high) if rule == "range" else Length(description, low, high)
