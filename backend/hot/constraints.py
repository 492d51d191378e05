"""Constraints of HOT's parameters and of properties. Source: heat/engine/constraints.py of Heat 5.0 and 24.1."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hot.language import CURRENT
from hot.parameters import ParameterType, convert, to_number
from hot.patterns import matches, pattern_fault

Rule = Literal["modulo", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint"]


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule for values, with `spec` as HOT writes it: {min, max}, {step, offset}, a list, a pattern, a name."""

    kind: Rule
    spec: Any
    description: str = ""
    """The template's words for a violation."""

    def as_dict(self) -> dict[str, Any]:
        """Return the constraint as HOT writes it."""
        return {**({"description": self.description} if self.description else {}), self.kind: self.spec}


class SchemaError(Exception):
    """Heat refuses the declaration; the message is Heat's own."""


@dataclass(frozen=True, slots=True)
class _Kind:
    title: str
    types: tuple[ParameterType, ...]
    """The types of parameters that it applies to (`valid_types` in Heat)."""
    keys: tuple[str, ...] = ()
    """The keys of its mapping; empty: it has none."""
    since: int = 0
    """The release of Heat whose HOT introduced it."""


_ALL_BUT_JSON: tuple[ParameterType, ...] = ("string", "number", "boolean", "comma_delimited_list")
_KINDS: Mapping[Rule, _Kind] = {
    "modulo": _Kind("Modulo", ("number",), ("step", "offset"), since=8),
    "range": _Kind("Range", ("number",), ("min", "max")),
    "length": _Kind("Length", ("string", "comma_delimited_list", "json"), ("min", "max")),
    "allowed_values": _Kind("AllowedValues", _ALL_BUT_JSON),
    "allowed_pattern": _Kind("AllowedPattern", ("string",)),
    "custom_constraint": _Kind("CustomConstraint", _ALL_BUT_JSON),
}
"""Where an item has several, Heat takes the first in this order."""


def parse_constraint(parameter: str, type_: ParameterType, raw: Any, release: int = CURRENT) -> Constraint:
    """Parse an item of a parameter's `constraints`; values become the parameter's type. Raises SchemaError."""
    if not isinstance(raw, Mapping):
        raise SchemaError("Invalid parameter constraints, expected a mapping")
    known = [kind for kind, facts in _KINDS.items() if facts.since <= release]
    for key in raw:
        if key != "description" and key not in known:
            raise SchemaError(f"Invalid key '{key}' for parameter constraints")
    kind = next((each for each in known if each in raw), None)
    if kind is None:
        raise SchemaError("No constraint expressed")
    if type_ not in _KINDS[kind].types:
        raise SchemaError(f"Parameter '{parameter}' is invalid: {_KINDS[kind].title} constraint invalid for {type_}")
    return Constraint(kind, _spec(kind, type_, raw[kind]), str(raw.get("description") or "").strip())


def _spec(kind: Rule, type_: ParameterType, body: Any) -> Any:
    if _KINDS[kind].keys:
        return _numbers(kind, body)
    if kind == "allowed_values":
        if not isinstance(body, list):
            raise SchemaError("AllowedValues must be a list")
        return body if type_ == "comma_delimited_list" else [_converted(type_, value) for value in body]
    if kind == "allowed_pattern":
        if not isinstance(body, str):
            raise SchemaError("AllowedPattern must be a string")
        if fault := pattern_fault(body):
            raise SchemaError(fault)
    return str(body)


def _converted(type_: ParameterType, value: Any) -> Any:
    try:
        return convert(type_, value)
    except (ValueError, TypeError):
        return value


def _numbers(kind: Rule, body: Any) -> dict[str, Any]:
    if not isinstance(body, Mapping):
        raise SchemaError(f"Invalid {kind} constraint, expected a mapping")
    for key in body:
        if key not in _KINDS[kind].keys:
            raise SchemaError(f"Invalid key '{key}' for {kind} constraint")
    try:
        found = {key: to_number(body[key]) for key in _KINDS[kind].keys if body.get(key) is not None}
    except (ValueError, TypeError):
        raise SchemaError(f"{'/'.join(_KINDS[kind].keys)} must be numeric") from None
    if kind == "modulo":
        if len(found) != len(_KINDS[kind].keys):
            raise SchemaError("A modulo constraint must have a step value and an offset value specified.")
        if found["step"] == 0:
            raise SchemaError("step cannot be 0.")
    elif not found:
        raise SchemaError(f"A {kind} constraint must have a min value and/or a max value specified.")
    return found


def holds(rule: Constraint, value: Any) -> bool:
    """Return whether the value, in its type, obeys the rule; only a cloud can decide a custom constraint.

    Raises PatternError.
    """
    spec = rule.spec
    if rule.kind == "modulo":
        return bool(to_number(value) % spec["step"] == spec["offset"])
    if rule.kind in ("range", "length"):
        measured, low, high = _measured(rule, value), spec.get("min"), spec.get("max")
        return (low is None or measured >= low) and (high is None or measured <= high)
    if rule.kind == "allowed_values":
        texts = [str(each) for each in spec]
        return all(one in spec or str(one) in texts for one in (value if isinstance(value, list) else [value]))
    return rule.kind != "allowed_pattern" or matches(spec, str(value))


def _measured(rule: Constraint, value: Any) -> float:
    return len(value) if rule.kind == "length" else to_number(value)


def violation(rule: Constraint, value: Any) -> str:
    """Return why the value breaks a rule that it does not obey: the template's words, else Heat's."""
    return rule.description or _VIOLATIONS[rule.kind](rule, value)


def _outside(rule: Constraint, value: Any) -> str:
    what = f"length ({len(value)})" if rule.kind == "length" else value
    return f"{what} is out of range (min: {rule.spec.get('min')}, max: {rule.spec.get('max')})"


_VIOLATIONS: Mapping[Rule, Callable[[Constraint, Any], str]] = {
    "modulo": lambda rule, value: (
        f"{value} is not a multiple of {rule.spec['step']} with an offset of {rule.spec['offset']}"
    ),
    "range": _outside,
    "length": _outside,
    "allowed_values": lambda rule, value: (
        f"{json.dumps(value)} is not an allowed value [{', '.join(map(json.dumps, rule.spec))}]"
    ),
    "allowed_pattern": lambda rule, value: f'"{value}" does not match pattern "{rule.spec}"',
}
