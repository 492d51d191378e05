"""Checks of nested templates: parameters, values, cycles, depth."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from hot.language import is_call
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed, suggest
from vnfm.catalog.domain.hot.template import Parameter, ResourceDefinition, Template, normalised
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.settings import value_error
from vnfm.catalog.domain.vnfd import SettingType

MAX_DEPTH = 5
"""Default of Heat's max_nested_stack_depth."""


def parameters_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, nested in _nested(templates):
        for name in use.properties:
            if name not in nested.parameters:
                message = (
                    f"{nested.path}, which stands for {use.type}, declares no parameter {name!r}; it has "
                    f"{listed(nested.parameters, 30)}.{suggest(str(name), nested.parameters)}"
                )
                yield template.document.fault((*use.where, "properties", name), message)


def parameters_missing(templates: TemplateSet) -> Iterator[PackageFault]:
    defaults = templates.section("parameter_defaults")
    for template, use, nested in _nested(templates):
        where = (*use.where, "properties") if use.properties else use.where
        for name, parameter in nested.parameters.items():
            # A default that is left blank is asked of the operator.
            if parameter.default is None and use.properties.get(name) is None and name not in defaults:
                line = nested.document.line(("parameters", name))
                place = f"{nested.path}, line {line}"
                message = f"{use.type} needs the property {name!r}: {place}, declares it without a default."
                yield template.document.fault(where, message)


def values(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, nested in _nested(templates):
        for name, value in use.properties.items():
            parameter = nested.parameters.get(name)
            if parameter is None or value is None or _open(use, value):
                continue
            error = value_error(parameter.type, parameter.constraints, normalised(parameter.type, value))
            if error:
                message = f"{nested.path} does not take this as {name}: {error}"
                yield template.document.fault((*use.where, "properties", name), message)


def _open(use: ResourceDefinition, value: Any) -> bool:
    """Return whether only the deployment shows the value: a function's result, a member's index."""
    if is_call(value) or use.has_index(value):
        return True
    children = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(_open(use, child) for child in children)


def types_of_parameters(templates: TemplateSet) -> Iterator[PackageFault]:
    """A parameter that is passed on to one of another type."""
    for template, use, nested in _nested(templates):
        for name, value in use.properties.items():
            given = template.parameters.get(_passed_parameter(value))
            taken = nested.parameters.get(name)
            if given and taken and not _convertible(given, taken):
                message = f"Parameter {given.name} is a {given.type}, and {name} of {nested.path} is a {taken.type}."
                yield template.document.fault((*use.where, "properties", name), message)


def _passed_parameter(value: Any) -> str:
    name = value.get("get_param") if is_call(value) else None
    return name if isinstance(name, str) else ""


def _convertible(given: Parameter, taken: Parameter) -> bool:
    """Heat's conversion of a value that is passed on, with `allow_conversion` of lists and json
    (heat/engine/properties.py).
    """
    return given.type in _CONVERTED[taken.type]


_CONVERTED: Mapping[SettingType, tuple[SettingType, ...]] = {
    "string": ("string", "number", "boolean", "json"),
    "number": ("number", "string", "boolean", "json"),
    "boolean": ("boolean", "string", "json"),
    "list": ("list", "string", "json"),
    "json": ("json", "list", "string"),
}
"""Type of a parameter to the types of those that can be passed on to it; text and json, if the value fits."""


def cycles(templates: TemplateSet) -> Iterator[PackageFault]:
    needs: dict[str, set[str]] = {path: set() for path in templates.templates}
    for template, _, nested in _nested(templates):
        needs[template.path].add(nested.path)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        template = templates.templates[circle[0]]
        message = f"These templates contain each other: {' contains '.join(circle)}. Heat would never finish."
        yield template.document.fault((), message)


def too_deep(templates: TemplateSet) -> Iterator[PackageFault]:
    depths = {templates.root.path: 0}
    queue = [templates.root]
    while queue:
        template = queue.pop()
        for owner, use, nested in _nested(templates):
            below = depths[template.path] + 1 + use.member
            if owner is not template or depths.get(nested.path, 0) >= below or below > MAX_DEPTH + 2:
                continue
            depths[nested.path] = below
            queue.append(nested)
            if below > MAX_DEPTH:
                message = f"{nested.path} lies {below} stacks deep; Heat's limit is {MAX_DEPTH} unless it was raised."
                yield owner.document.fault((*use.where, "type"), message)


def _nested(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, Template]]:
    """Every resource that is a template, with each template that it may be mapped to."""
    for template in templates.templates.values():
        for use in template.resources_defined:
            yield from ((template, use, nested) for nested in templates.implementations_of(use))


CHECKS = (
    Check("NESTED_UNKNOWN", "error", "properties that the template behind a type does not declare", parameters_unknown),
    Check(
        "NESTED_MISSING",
        "error",
        "required parameters of the template behind a type that are not set",
        parameters_missing,
    ),
    Check("NESTED_VALUE", "error", "values that the template behind a type does not take", values),
    Check("NESTED_TYPE", "error", "parameters passed on to those of another type", types_of_parameters),
    Check("NESTED_CIRCLE", "error", "templates that contain each other", cycles),
    Check("NESTED_DEPTH", "warning", "templates deeper than Heat allows", too_deep),
)
