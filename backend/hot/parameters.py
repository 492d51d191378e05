"""Parameters of HOT: types and the conversion of values. Source: heat/engine/parameters.py of Heat 5.0 and 24.1."""

import json
from typing import Any, Literal, get_args

ParameterType = Literal["string", "number", "boolean", "comma_delimited_list", "json"]
TYPES: tuple[ParameterType, ...] = get_args(ParameterType)
_TRUE = ("1", "t", "true", "on", "y", "yes")
_FALSE = ("0", "f", "false", "off", "n", "no")


def convert(type_: ParameterType, value: Any) -> Any:
    """Convert a value to the parameter's type: HOT allows "3" for a number and "a,b" for a list.

    Raises ValueError or TypeError with Heat's message.
    """
    if type_ == "number":
        return to_number(value)
    if type_ == "boolean":
        return to_boolean(value)
    if type_ == "comma_delimited_list":
        return [str(item) for item in value] if isinstance(value, list) else _split(value)
    return _parsed(value) if type_ == "json" else str(value)


def to_number(value: Any) -> int | float:
    """Return a number for text such as `"3"` or `"3.5"`. Raises ValueError or TypeError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    try:
        return int(value)
    except ValueError:
        return float(value)


def to_boolean(value: Any) -> bool:
    """Parse a boolean as strictly as Heat. Raises ValueError."""
    word = str(value).strip().lower()
    if word in _TRUE + _FALSE:
        return word in _TRUE
    allowed = ", ".join(f"'{one}'" for one in sorted(_TRUE + _FALSE))
    raise ValueError(f"Unrecognized value '{value}', acceptable values are: {allowed}")


def _split(value: Any) -> list[str]:
    if not isinstance(value, str):
        raise TypeError(
            f"Value must be a comma-delimited list string: '{type(value).__name__}' object has no attribute 'split'"
        )
    return value.split(",") if value else []


def _parsed(value: Any) -> Any:
    if value == "":
        return value
    try:
        return json.loads(value if isinstance(value, str) else json.dumps(value))
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"Value must be valid JSON: {problem}") from None
