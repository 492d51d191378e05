"""Template parameters: schema, values, conversion, masking. Source: heat/engine/parameters.py, hot/parameters.py."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from cloudsim.heat.errors import (
    InvalidSchemaError,
    StackValidationFailed,
    UnknownUserParameter,
    UserParameterMissing,
)
from cloudsim.heat.hot.constraints import CloudLookup, first_violation
from hot.constraints import Constraint, SchemaError, parse_constraint
from hot.functions import Json
from hot.language import LIBERTY
from hot.parameters import TYPES, ParameterType, convert

KEYS = ("type", "description", "default", "constraints", "hidden", "label")


@dataclass(frozen=True)
class Parameter:
    """The schema of a parameter."""

    name: str
    type: ParameterType
    description: str
    label: str
    default: Json
    hidden: bool
    constraints: tuple[Constraint, ...]

    @classmethod
    def parse(cls, name: str, raw: Json) -> "Parameter":
        """Parse the schema of a parameter. Raises InvalidSchemaError with Heat's message."""
        if not isinstance(raw, dict):
            raise InvalidSchemaError(f"Invalid parameter ({name}), expected a mapping")
        for key in raw:
            if key not in KEYS:
                raise InvalidSchemaError(f"Invalid key '{key}' for parameter ({name})")
        if "type" not in raw:
            raise InvalidSchemaError(f"Missing parameter type for parameter: {name}")
        if raw["type"] not in TYPES:
            raise InvalidSchemaError(f"Invalid type ({raw['type']})")
        rules = raw.get("constraints") or []
        if not isinstance(rules, list):
            raise InvalidSchemaError(f"Invalid parameter constraints for parameter {name}, expected a list")
        try:
            constraints = tuple(parse_constraint(name, raw["type"], rule, LIBERTY) for rule in rules)
        except SchemaError as error:
            raise InvalidSchemaError(str(error)) from error
        return cls(
            name=name,
            type=raw["type"],
            description=str(raw.get("description") or ""),
            label=str(raw.get("label") or name),
            default=raw.get("default"),
            hidden=str(raw.get("hidden", "false")).lower() == "true",
            constraints=constraints,
        )

    def convert(self, value: Json) -> Json:
        """Convert a value to the parameter's type. Raises ValueError or TypeError."""
        return convert(self.type, value)

    def text(self, value: Json) -> str:
        """Return the text of a value in `stack show`; hidden ones are masked."""
        if self.hidden:
            return "******"
        if self.type == "comma_delimited_list":
            return ",".join(value)
        if self.type == "json":
            return json.dumps(value)
        return str(value)

    def view(self, value: Json, *, default: Json) -> dict[str, Json]:
        """Return the entry of `POST /validate`."""
        masked = "******" if self.hidden else None
        view: dict[str, Json] = {
            "Type": _capitals(self.type),
            "Description": self.description,
            "NoEcho": "true" if self.hidden else "false",
            "Label": self.label,
        }
        if default is not None:
            view["Default"] = masked or default
        if value is not None:
            view["Value"] = masked or value
        for constraint in self.constraints:
            view |= _flat(constraint.as_dict())
        return view


def _flat(constraint: dict[str, Json]) -> dict[str, Json]:
    """Return a constraint with CloudFormation's names, which validate uses."""
    named: dict[str, Json] = {}
    for kind, body in constraint.items():
        if kind == "description":
            named["ConstraintDescription"] = body
        elif kind in ("length", "range"):
            unit = "Length" if kind == "length" else "Value"
            named |= {f"{limit.capitalize()}{unit}": amount for limit, amount in body.items()}
        else:
            named[_capitals(kind)] = body
    return named


def _capitals(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


class Parameters:
    """The values of a stack's parameters: the given one, else the environment's default, else the template's."""

    def __init__(
        self,
        schema: Mapping[str, Parameter],
        given: Mapping[str, Json],
        defaults: Mapping[str, Json],
        pseudo: Mapping[str, str],
    ) -> None:
        self.schema, self.given, self.defaults, self.pseudo = schema, given, defaults, pseudo

    @cached_property
    def _values(self) -> dict[str, Json]:
        return {}

    def raw(self, name: str) -> Json:
        """Return the unconverted value, None without one."""
        if self.given.get(name) is not None:
            return self.given[name]
        return self.default(name)

    def default(self, name: str) -> Json:
        return self.defaults[name] if self.defaults.get(name) is not None else self.schema[name].default

    def value(self, name: str) -> Json:
        """Return the converted value. Raises UserParameterMissing."""
        if name in self.pseudo:
            return self.pseudo[name]
        if name not in self.schema:
            raise UserParameterMissing(name)
        if name not in self._values:
            raw = self.raw(name)
            if raw is None:
                raise UserParameterMissing(name)
            self._values[name] = self.schema[name].convert(raw)
        return self._values[name]

    async def validate(self, cloud: CloudLookup | None, *, strict: bool = True) -> None:
        """Check names and defaults and, if `strict`, values. Raises the Heat error of the first defect.

        Without `strict`, as for a template alone and for a nested one before its parent exists, values are not checked
        (`strict_validate` in heat/engine/stack.py). A default that is the value is also checked by the cloud.
        """
        for name in self.given:
            if name not in self.schema:
                raise UnknownUserParameter(name)
        for parameter in self.schema.values():
            await self._validate_default(parameter)
            if strict:
                await self._validate_value(parameter, cloud)

    async def _validate_default(self, parameter: Parameter) -> None:
        if parameter.default is None:
            return
        rules = tuple(rule for rule in parameter.constraints if rule.kind != "custom_constraint")
        try:
            problem = await first_violation(rules, parameter.convert(parameter.default), None)
        except (ValueError, TypeError) as error:
            problem = str(error)
        if problem:
            raise InvalidSchemaError(
                f"Parameter '{parameter.name}' is invalid: Invalid default {parameter.default} ({problem})"
            )

    async def _validate_value(self, parameter: Parameter, cloud: CloudLookup | None) -> None:
        raw = self.raw(parameter.name)
        if raw is None:
            raise UserParameterMissing(parameter.name)
        try:
            problem = await first_violation(parameter.constraints, parameter.convert(raw), cloud)
        except (ValueError, TypeError) as error:
            problem = str(error)
        if problem:
            raise StackValidationFailed(f"Parameter '{parameter.name}' is invalid: {problem}")

    def texts(self) -> dict[str, str]:
        """Return `parameters` of `stack show`."""
        texts = dict(self.pseudo)
        for name, parameter in self.schema.items():
            if self.raw(name) is not None:
                texts[name] = parameter.text(self.value(name))
        return texts
