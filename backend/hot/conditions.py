"""Conditions of HOT (heat_template_version 2016-10-14 and later): whether a resource exists, by the parameters.

A condition as the VNFD holds it has the names of other conditions written out, and refers to parameters of the root
template alone; what cannot be traced to them is `{unknown: words}`. As heat/engine/hot/functions.py of Heat 24.1.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hot.functions import at_path

UNKNOWN = "unknown"
LARGEST = 1000
"""Parts of a condition that is spelled out."""
_DEEPEST = 20
"""Levels of conditions in conditions."""


def spelled_out(written: Any, named: Mapping[str, Any], parameter: Callable[[str], Any]) -> Any:
    """The condition without names of other conditions, of which `named` are the definitions; `parameter` gives what
    stands for a parameter of the template. One that grows beyond LARGEST is unknown: names can double it at each level.
    """
    return _Names(named, parameter).spelled_out(written, 0)


class _Names:
    """The named conditions of a template, each spelled out once."""

    def __init__(self, named: Mapping[str, Any], parameter: Callable[[str], Any]) -> None:
        self._named, self._parameter = named, parameter
        self._known: dict[str, Any] = {}

    def spelled_out(self, written: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            return {UNKNOWN: "the condition is too deep"}
        if isinstance(written, str):
            return self._of_name(written, depth + 1) if written in self._named else {UNKNOWN: written}
        function, argument = _call(written)
        if function in ("and", "or", "if") and isinstance(argument, list):
            return self._bounded({function: [self.spelled_out(each, depth + 1) for each in argument]})
        if function == "not":
            return {function: self.spelled_out(argument, depth + 1)}
        return _with_parameters(written, self._parameter)

    def _of_name(self, name: str, depth: int) -> Any:
        if name not in self._known:
            self._known[name] = {UNKNOWN: "conditions refer to each other in a circle"}
            self._known[name] = self.spelled_out(self._named[name], depth)
        return self._known[name]

    def _bounded(self, condition: Any) -> Any:
        return condition if _size(condition) <= LARGEST else {UNKNOWN: "the condition is too long"}


def _size(value: Any) -> int:
    children = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, children))


def _with_parameters(value: Any, parameter: Callable[[str], Any]) -> Any:
    function, argument = _call(value)
    if function == "get_param":
        name, *path = argument if isinstance(argument, list) and argument else [argument]
        found = parameter(name) if isinstance(name, str) else {UNKNOWN: str(name)}
        root, own = _call(found)
        return {root: [own, *path]} if root == "get_param" and path else found
    if isinstance(value, Mapping):
        return {key: _with_parameters(item, parameter) for key, item in value.items()}
    return [_with_parameters(item, parameter) for item in value] if isinstance(value, list) else value


def evaluate(condition: Any, parameters: Mapping[str, Any]) -> bool | None:
    """Whether it holds with these values of the root's parameters, each in its type; None where that is not known."""
    value = _value(condition, parameters)
    return value if isinstance(value, bool) else None


def parameters_of(condition: Any) -> set[str]:
    """The parameters that it depends on."""
    function, argument = _call(condition)
    if function == "get_param":
        return {str(argument[0] if isinstance(argument, list) and argument else argument)}
    children = (
        condition.values() if isinstance(condition, Mapping) else condition if isinstance(condition, list) else ()
    )
    return {name for child in children for name in parameters_of(child)}


class _Unknown:
    """A condition uses a value that only Heat knows."""


_NOT_KNOWN = _Unknown()


def _call(value: Any) -> tuple[str, Any]:
    """Return the function and its argument; "" for a value that is not a call."""
    if isinstance(value, Mapping) and len(value) == 1:
        function, argument = next(iter(value.items()))
        return str(function), argument
    return "", None


def _value(expression: Any, parameters: Mapping[str, Any]) -> Any:
    function, argument = _call(expression)
    if function in _FUNCTIONS:
        return _FUNCTIONS[function](argument, parameters)
    if isinstance(expression, Mapping):
        return _NOT_KNOWN
    if isinstance(expression, list):
        items = [_value(item, parameters) for item in expression]
        return _NOT_KNOWN if _NOT_KNOWN in items else items
    return expression


def _parameter(argument: Any, parameters: Mapping[str, Any]) -> Any:
    name, *path = argument if isinstance(argument, list) and argument else [argument]
    value = parameters.get(name, _NOT_KNOWN) if isinstance(name, str) else _NOT_KNOWN
    value = value if value is _NOT_KNOWN else at_path(value, path)
    return _NOT_KNOWN if value is None else value


def _pair(argument: Any, parameters: Mapping[str, Any], compare: Callable[[Any, Any], bool]) -> Any:
    values = _value(argument, parameters) if isinstance(argument, list) else _NOT_KNOWN
    return compare(*values) if isinstance(values, list) and len(values) == 2 else _NOT_KNOWN  # noqa: PLR2004


def _equals(argument: Any, parameters: Mapping[str, Any]) -> Any:
    return _pair(argument, parameters, lambda one, other: bool(one == other))


def _contains(argument: Any, parameters: Mapping[str, Any]) -> Any:
    return _pair(argument, parameters, lambda one, many: one in many if isinstance(many, list | str) else False)


def _not(argument: Any, parameters: Mapping[str, Any]) -> Any:
    value = _value(argument, parameters)
    return not value if isinstance(value, bool) else _NOT_KNOWN


def _any_of(argument: Any, parameters: Mapping[str, Any], decisive: bool) -> Any:
    """One decisive value decides, whatever is not known of the others."""
    values = [_value(each, parameters) for each in argument] if isinstance(argument, list) else [_NOT_KNOWN]
    if any(value is decisive for value in values):
        return decisive
    return not decisive if all(isinstance(value, bool) for value in values) else _NOT_KNOWN


def _if(argument: Any, parameters: Mapping[str, Any]) -> Any:
    if not isinstance(argument, list) or len(argument) != 3:  # noqa: PLR2004 (condition, if true, if false)
        return _NOT_KNOWN
    condition = _value(argument[0], parameters)
    return _value(argument[1 if condition else 2], parameters) if isinstance(condition, bool) else _NOT_KNOWN


_FUNCTIONS: Mapping[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "get_param": _parameter,
    "equals": _equals,
    "contains": _contains,
    "not": _not,
    "and": lambda argument, parameters: _any_of(argument, parameters, decisive=False),
    "or": lambda argument, parameters: _any_of(argument, parameters, decisive=True),
    "if": _if,
}
