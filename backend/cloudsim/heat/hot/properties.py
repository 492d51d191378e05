"""Property schemas of resource types: conversion, defaults and errors. Source: heat/engine/properties.py."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cloudsim.heat.errors import StackValidationFailed
from cloudsim.heat.hot.constraints import CloudLookup, first_violation
from cloudsim.heat.hot.parameters import Parameter
from hot.constraints import Constraint
from hot.functions import Json
from hot.parameters import ParameterType, convert, to_number

Kind = Literal["string", "integer", "number", "boolean", "map", "list", "any"]


@dataclass(frozen=True)
class Prop:
    """The schema of a property; without `update` a change replaces the resource."""

    type: Kind
    description: str = ""
    required: bool = False
    default: Json = None
    update: bool = False
    constraints: tuple[Constraint, ...] = ()
    schema: "Mapping[str, Prop] | None" = None  # of a map's keys
    items: "Prop | None" = None  # of a list's items
    convertible: bool = False  # lists as JSON text, text as list: provider resources
    old_names: "Mapping[str, str] | None" = None  # of a map's keys: old to new

    def convert(self, value: Json) -> Json:
        """Convert a value with its children to this type. Raises ValueError, TypeError, StackValidationFailed."""
        return _CONVERT[self.type](self, value)

    def as_dict(self) -> dict[str, Json]:
        """Return the entry of `GET /resource_types/{t}`."""
        view: dict[str, Json] = {
            "type": self.type,
            "required": self.required,
            "update_allowed": self.update,
            "immutable": False,
        }
        if self.description:
            view["description"] = self.description
        if self.default is not None:
            view["default"] = self.default
        if self.constraints:
            view["constraints"] = [rule.as_dict() for rule in self.constraints]
        if self.schema:
            view["schema"] = {name: child.as_dict() for name, child in self.schema.items()}
            view["schema"] |= {old: view["schema"][new] for old, new in (self.old_names or {}).items()}
        if self.items:
            view["schema"] = {"*": self.items.as_dict()}
        return view


def _string(_prop: Prop, value: Json) -> str:
    if isinstance(value, (bool, int)):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"Value must be a string; got {value!r}")
    return value


def _integer(_prop: Prop, value: Json) -> int:
    try:
        return int(value)
    except ValueError:
        raise TypeError(f"Value '{value}' is not an integer") from None


def _number(_prop: Prop, value: Json) -> int | float:
    return to_number(value)


def _boolean(_prop: Prop, value: Json) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.lower()
        if word in ("true", "false"):
            return word == "true"
        raise ValueError(f'"{word}" is not a valid boolean')
    raise TypeError(f'"{value}" is not a valid boolean')


def _map(prop: Prop, value: Json) -> Json:
    if not isinstance(value, dict):
        if prop.convertible and isinstance(value, str):
            return value
        if prop.convertible and isinstance(value, list):
            return json.dumps(value)
        raise TypeError(f'"{value}" is not a map')
    if prop.old_names:
        value = {prop.old_names.get(name, name): item for name, item in value.items()}
    return values_of(prop.schema, value) if prop.schema is not None else dict(value)


def _list(prop: Prop, value: Json) -> list[Json]:
    if prop.convertible and isinstance(value, str):
        value = convert("comma_delimited_list", value)
    if not isinstance(value, list):
        raise TypeError(f'"{value!r}" is not a list')
    if prop.items is None:
        return list(value)
    converted = []
    for index, item in enumerate(value):
        try:
            converted.append(None if item is None else prop.items.convert(item))
        except StackValidationFailed as problem:
            raise problem.below(str(index)) from None
        except (ValueError, TypeError) as problem:
            raise StackValidationFailed(str(problem), path=[str(index)]) from None
    return converted


def _any(_prop: Prop, value: Json) -> Json:
    return value


_CONVERT = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "map": _map,
    "list": _list,
    "any": _any,
}


def values_of(schema: Mapping[str, Prop], properties: Mapping[str, Json]) -> dict[str, Json]:
    """Return all properties with values, defaults or None. Raises StackValidationFailed with its path."""
    for name in properties:
        if name not in schema:
            raise StackValidationFailed(f"Unknown Property {name}")
    values = {}
    for name, prop in schema.items():
        try:
            values[name] = _value_of(name, prop, properties)
        except StackValidationFailed as problem:
            raise problem.below(name) from None
        except (ValueError, TypeError) as problem:
            raise StackValidationFailed(str(problem), path=[name]) from None
    return values


def _value_of(name: str, prop: Prop, given: Mapping[str, Json]) -> Json:
    if given.get(name) is not None:
        return prop.convert(given[name])
    if prop.default is not None:
        return prop.convert(prop.default)
    if prop.required and name not in given:
        raise _NotAssigned(name)
    return None


class _NotAssigned(StackValidationFailed):
    """A required property is missing; Heat's path ends at its parent."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Property {name} not assigned")

    def below(self, *_path: str, error: str = "") -> StackValidationFailed:
        return StackValidationFailed(self.message, error=error)


async def check_constraints(schema: Mapping[str, Prop], values: Mapping[str, Json], cloud: CloudLookup | None) -> None:
    """Check converted values and their children by their rules. Raises StackValidationFailed with its path."""
    for name, prop in schema.items():
        value = values.get(name)
        if value is not None:
            try:
                await _check(prop, value, cloud)
            except StackValidationFailed as problem:
                raise problem.below(name) from None


async def _check(prop: Prop, value: Json, cloud: CloudLookup | None) -> None:
    violation = await first_violation(prop.constraints, value, cloud)
    if violation:
        raise StackValidationFailed(violation)
    if prop.schema is not None and isinstance(value, dict):
        await check_constraints(prop.schema, value, cloud)
    if prop.items is not None and isinstance(value, list):
        for index, item in enumerate(value):
            try:
                if item is not None:
                    await _check(prop.items, item, cloud)
            except StackValidationFailed as problem:
                raise problem.below(str(index)) from None


_FROM_PARAMETER: dict[ParameterType, Kind] = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "json": "map",
    "comma_delimited_list": "list",
}


def from_parameter(parameter: Parameter, *, defaulted: bool = False) -> Prop:
    """Return the schema of a provider resource's property, from the template's parameter."""
    constraints = tuple(rule for rule in parameter.constraints if rule.kind != "custom_constraint")
    return Prop(
        _FROM_PARAMETER[parameter.type],
        description=parameter.description,
        required=parameter.default is None and not defaulted,
        update=True,
        constraints=constraints,
        convertible=parameter.type in ("json", "comma_delimited_list"),
    )


def one_of(*allowed: Json) -> tuple[Constraint, ...]:
    return (Constraint("allowed_values", list(allowed)),)


def known(kind: str) -> tuple[Constraint, ...]:
    """Return the constraint that the cloud must know the value, such as a `nova.flavor`."""
    return (Constraint("custom_constraint", kind),)


def between(minimum: float | None = None, maximum: float | None = None) -> tuple[Constraint, ...]:
    return (Constraint("range", _limits(minimum, maximum)),)


def length(minimum: float | None = None, maximum: float | None = None) -> tuple[Constraint, ...]:
    return (Constraint("length", _limits(minimum, maximum)),)


def _limits(minimum: float | None, maximum: float | None) -> dict[str, float]:
    return {name: limit for name, limit in (("min", minimum), ("max", maximum)) if limit is not None}
