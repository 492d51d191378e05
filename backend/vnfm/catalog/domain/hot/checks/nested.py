"""Do templates give those that they use what these ask for?"""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from vnfm.catalog.domain.errors import Fault
from vnfm.catalog.domain.hot.check import Check, listed, near
from vnfm.catalog.domain.hot.language import is_call
from vnfm.catalog.domain.hot.template import Parameter, Template, Use, normalised
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.settings import value_error

MAX_DEPTH = 5
"""Heat's max_nested_stack_depth, as it is shipped."""


def parameters_unknown(templates: TemplateSet) -> Iterator[Fault]:
    for template, use, behind in _nested(templates):
        for name in use.properties:
            if name not in behind.parameters:
                message = (
                    f"{behind.path}, which stands for {use.type}, declares no parameter {name!r}; it has "
                    f"{listed(behind.parameters, 30)}.{near(str(name), behind.parameters)}"
                )
                yield template.document.fault((*use.where, "properties", name), message)


def parameters_missing(templates: TemplateSet) -> Iterator[Fault]:
    defaults = templates.section("parameter_defaults")
    for template, use, behind in _nested(templates):
        where = (*use.where, "properties") if use.properties else use.where
        for name, parameter in behind.parameters.items():
            if parameter.default is None and use.properties.get(name) is None and defaults.get(name) is None:
                line = behind.document.line(("parameters", name))
                place = f"{behind.path}, line {line}"
                message = f"{use.type} needs the property {name!r}: {place}, declares it without a default."
                yield template.document.fault(where, message)


def values(templates: TemplateSet) -> Iterator[Fault]:
    for template, use, behind in _nested(templates):
        for name, value in use.properties.items():
            parameter = behind.parameters.get(name)
            if parameter is None or value is None or _open(value):
                continue
            error = value_error(parameter.type, parameter.constraints, normalised(parameter.type, value))
            if error:
                message = f"{behind.path} does not take this as {name}: {error}"
                yield template.document.fault((*use.where, "properties", name), message)


def _open(value: Any) -> bool:
    """Whether the value holds something that only the deployment knows: a function's result, a member's index."""
    if is_call(value) or (isinstance(value, str) and "%" in value):
        return True
    children = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(_open(child) for child in children)


def types_of_parameters(templates: TemplateSet) -> Iterator[Fault]:
    """A parameter that is handed on to one of another type."""
    for template, use, behind in _nested(templates):
        for name, value in use.properties.items():
            given = template.parameters.get(_handed_on(value))
            taken = behind.parameters.get(name)
            if given and taken and not _convertible(given, taken):
                message = f"Parameter {given.name} is a {given.type}, and {name} of {behind.path} is a {taken.type}."
                yield template.document.fault((*use.where, "properties", name), message)


def _handed_on(value: Any) -> str:
    name = value.get("get_param") if is_call(value) else None
    return name if isinstance(name, str) else ""


def _convertible(given: Parameter, taken: Parameter) -> bool:
    """What Heat makes of a parameter's value when it hands it on: any text, numbers from text, lists and json alike."""
    return taken.type in (given.type, "string") or given.type in ("string", "json")


def circles(templates: TemplateSet) -> Iterator[Fault]:
    needs: dict[str, set[str]] = {path: set() for path in templates.templates}
    for template, _, behind in _nested(templates):
        needs[template.path].add(behind.path)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        template = templates.templates[circle[0]]
        message = f"These templates contain each other: {' contains '.join(circle)}. Heat never comes to an end of it."
        yield template.document.fault((), message)


def too_deep(templates: TemplateSet) -> Iterator[Fault]:
    depths = {templates.root.path: 0}
    queue = [templates.root]
    while queue:
        template = queue.pop()
        for owner, use, behind in _nested(templates):
            below = depths[template.path] + 1 + use.member
            if owner is not template or depths.get(behind.path, 0) >= below or below > MAX_DEPTH + 2:
                continue
            depths[behind.path] = below
            queue.append(behind)
            if below > MAX_DEPTH:
                message = f"{behind.path} lies {below} stacks deep; Heat's limit is {MAX_DEPTH} unless it was raised."
                yield owner.document.fault((*use.where, "type"), message)


def _nested(templates: TemplateSet) -> Iterator[tuple[Template, Use, Template]]:
    """Every use of a template by another, with each that may stand there."""
    for template in templates.templates.values():
        for use in template.uses:
            yield from ((template, use, behind) for behind in templates.behind(use))


CHECKS = (
    Check("NESTED_UNKNOWN", "error", "properties that the template behind a type does not declare", parameters_unknown),
    Check("NESTED_MISSING", "error", "parameters of the template behind a type that nobody sets", parameters_missing),
    Check("NESTED_VALUE", "error", "values that the template behind a type does not take", values),
    Check("NESTED_TYPE", "error", "parameters handed on to those of another type", types_of_parameters),
    Check("NESTED_CIRCLE", "error", "templates that contain each other", circles),
    Check("NESTED_DEPTH", "warning", "templates deeper than Heat allows", too_deep),
)
