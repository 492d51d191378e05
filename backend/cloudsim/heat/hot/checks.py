"""Checks of a template that need no resolved values: references and the arguments of functions."""

from collections.abc import Callable, Collection

from cloudsim.heat.errors import (
    InvalidTemplateAttribute,
    InvalidTemplateReference,
    InvalidTemplateVersion,
    StackValidationFailed,
    UserParameterMissing,
)
from cloudsim.heat.hot.template import Template
from hot.functions import Json, as_call
from hot.language import is_removed

_STR_REPLACE = """str_replace:
              template: This is var1 template var2
              params:
                var1: a
                var2: string"""
_REPEAT = """repeat:
              template: This is %var%
              for_each:
                %var%: ['a', 'b', 'c']"""


class SnippetCheck:
    """Walks a snippet, and raises the Heat error of the first defect with its path."""

    def __init__(
        self, template: Template, parameters: Collection[str], has_attribute: Callable[[str, str], bool]
    ) -> None:
        self._template, self._parameters, self._has_attribute = template, parameters, has_attribute

    def walk(self, snippet: Json, path: list[str]) -> None:
        call = as_call(snippet, self._template.version)
        if call is not None:
            self._check_call(call.name, call.argument, [*path, call.name])
            self.walk(call.argument, [*path, call.name])
        elif isinstance(snippet, dict):
            for key, value in snippet.items():
                self.walk(value, [*path, str(key)])
        elif isinstance(snippet, list):
            for index, value in enumerate(snippet):
                self.walk(value, [*path, str(index)])

    def _check_call(self, name: str, argument: Json, path: list[str]) -> None:
        if is_removed(name, self._template.version):
            removed = InvalidTemplateVersion(f"The function {name} is not supported in this version of HOT.")
            raise StackValidationFailed(str(removed), path=path)
        self._check_reference(name, argument, path)
        if problem := misuse(name, argument, self._template.version):
            raise StackValidationFailed(problem, path=path)

    def _check_reference(self, name: str, argument: Json, path: list[str]) -> None:
        first = argument[0] if isinstance(argument, list) and argument else argument
        if not isinstance(first, str):
            return
        if path[0] == "outputs" and name in ("get_param", "get_resource", "Ref"):
            return  # Heat checks these when it resolves the output
        if name == "get_param" and first not in self._parameters:
            raise StackValidationFailed(str(UserParameterMissing(first)), error="Property error", path=path[:-1])
        if name in ("get_resource", "get_attr", "Ref") and first not in self._template.resources:
            if name == "Ref" and first in self._parameters:
                return
            raise InvalidTemplateReference(first, _reference_path(path[:-1]))
        if name == "get_attr" and isinstance(argument, list) and len(argument) > 1:
            attribute = argument[1]
            if isinstance(attribute, str) and not self._has_attribute(first, attribute):
                raise StackValidationFailed(str(InvalidTemplateAttribute(first, attribute)), path=path)


def check_groups(template: Template) -> None:
    """Check that a group's parameters exist and are in no other group (heat/engine/parameter_groups.py)."""
    grouped: set[str] = set()
    for group in template.raw.get("parameter_groups") or ():
        names, path = group.get("parameters"), ["parameter_groups", str(group.get("label", ""))]
        if names is None:
            raise _group_error("The parameters must be provided for each parameter group.", path)
        for name in names:
            if name in grouped:
                raise _group_error(f"The {name} parameter must be assigned to one parameter group only.", path)
            if name not in template.parameters:
                raise _group_error(f"The grouped parameter {name} does not reference a valid parameter.", path)
            grouped.add(name)


def _group_error(message: str, path: list[str]) -> StackValidationFailed:
    return StackValidationFailed(message, error="Parameter Groups error", path=path)


def _reference_path(path: list[str]) -> str:
    """Return Heat's form of the path of a bad reference, such as `vm.Properties.networks[0].port`."""
    section, name, *rest = path
    if section != "resources":
        return ".".join(path)
    text = name
    for item in rest:
        text += (
            f"[{item}]"
            if item.isdigit()
            else "." + {"properties": "Properties", "metadata": "Metadata"}.get(item, item)
        )
    return text


def misuse(name: str, argument: Json, version: str) -> str | None:
    """Return the defect in the shape of a function's argument; None if none is known."""
    check = _SHAPES.get(name)
    return check(name, argument, version) if check else None


def _str_replace(name: str, argument: Json, _version: str) -> str | None:
    if not isinstance(argument, dict):
        return f'Arguments to "{name}" must be a map'
    if "template" not in argument or "params" not in argument:
        return f'"{name}" syntax should be {_STR_REPLACE}'
    if not isinstance(argument["params"], dict):
        return f'"{name}" parameters must be a mapping'
    return None


def _repeat(name: str, argument: Json, _version: str) -> str | None:
    if not isinstance(argument, dict):
        return f'Arguments to "{name}" must be a map'
    if "template" not in argument or "for_each" not in argument:
        return f'"repeat" syntax should be {_REPEAT}'
    if not isinstance(argument["for_each"], dict):
        return f'The "for_each" argument to "{name}" must contain a map'
    return None


def _list_join(name: str, argument: Json, version: str) -> str | None:
    many = version == "2015-10-15"
    example = f'"{name}" : [ " ", [ "str1", "str2"]' + (" ...]" if many else "]")
    if not isinstance(argument, list) or len(argument) < 2 or (len(argument) != 2 and not many):  # noqa: PLR2004
        return f'Incorrect arguments to "{name}" should be: {example}'
    return None


def _get_attr(name: str, argument: Json, version: str) -> str | None:
    if isinstance(argument, str) and version == "2015-10-15":
        return None
    if not isinstance(argument, list):
        return f'Argument to "{name}" must be a list'
    if len(argument) < (1 if version == "2015-10-15" else 2):
        return f'Arguments to "{name}" must be of the form [resource_name, attribute, (path), ...]'
    return None


def _get_param(name: str, argument: Json, _version: str) -> str | None:
    if argument in ([], "", None):
        return f'Function "{name}" must have arguments'
    if not isinstance(argument, (str, list, dict)):
        return f'Argument to "{name}" must be string or list'
    return None


def _str_split(name: str, argument: Json, _version: str) -> str | None:
    if isinstance(argument, (str, dict)):
        return f'Incorrect arguments to "{name}" should be: "{name}" : [ ",", "apples,pears", <index>]'
    return None


_SHAPES: dict[str, Callable[[str, Json, str], str | None]] = {
    "str_replace": _str_replace,
    "repeat": _repeat,
    "list_join": _list_join,
    "get_attr": _get_attr,
    "get_param": _get_param,
    "str_split": _str_split,
}
