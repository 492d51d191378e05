"""Validates a template with its parameters before anything is created."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.engine.dependencies import arrange
from cloudsim.heat.errors import EntityNotFound, HeatError, InvalidTemplateReference, StackValidationFailed
from cloudsim.heat.hot.checks import SnippetCheck, check_groups
from cloudsim.heat.hot.graph import check_acyclic
from cloudsim.heat.hot.partial import is_later, resolve_partly
from cloudsim.heat.hot.properties import check_constraints, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.plugin import Plugin
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.properties import Prop
    from cloudsim.heat.hot.template import Definition, Template
    from hot.functions import Json

MAX_DEPTH = 5


async def validate(stack: Stack) -> None:
    """Raise the Heat error of the first defect in the stack's template and parameters."""
    if stack.doc["depth"] > MAX_DEPTH:
        raise StackValidationFailed(f"Recursion depth exceeds {MAX_DEPTH}.")
    await stack.parameters.validate(stack.engine.lookup(stack.client), strict=stack.strict)
    template = stack.template
    check_groups(template)
    plugins = {name: plugin_of(stack, definition.type, name) for name, definition in template.resources.items()}
    _check_names_once(template)
    _check_depends(stack)
    checker = SnippetCheck(
        template, {*template.parameters, *stack.parameters.pseudo}, lambda name, key: plugins[name].has_attribute(key)
    )
    for name, definition in template.resources.items():
        _check_snippets(checker, definition)
        await _check_properties(stack, definition, plugins[name])
    check_acyclic(
        await arrange(stack),
        {name: definition.type for name, definition in template.resources.items()},
    )
    for name, output in template.outputs.items():
        checker.walk(output["value"], ["outputs", name, "value"])


def plugin_of(stack: Stack, type_name: str, resource: str) -> Plugin:
    """Return the implementation of a type. Raises StackValidationFailed if it does not exist."""
    try:
        return stack.engine.plugin_for(stack, type_name, resource)
    except EntityNotFound as missing:
        raise StackValidationFailed(str(missing)) from None


def _check_names_once(template: Template) -> None:
    if twice := sorted(template.parameters.keys() & template.resources.keys()):
        raise StackValidationFailed(f"Duplicate names set({twice})")


def _check_depends(stack: Stack) -> None:
    for definition in stack.template.resources.values():
        for need in definition.depends_on:
            if need not in stack.template.resources:
                raise InvalidTemplateReference(need, definition.name)


def _check_snippets(checker: SnippetCheck, definition: Definition) -> None:
    checker.walk(definition.properties, ["resources", definition.name, "properties"])
    checker.walk(definition.metadata, ["resources", definition.name, "metadata"])


async def _check_properties(stack: Stack, definition: Definition, plugin: Plugin) -> None:
    if not stack.strict:
        _check_names(definition, plugin)
        return
    lookup = stack.engine.lookup(stack.client)
    try:
        unchecked, schema, values = await _values(stack, definition, plugin)
        await check_constraints(schema, values, lookup)
    except StackValidationFailed as problem:
        raise problem.below("resources", definition.name, "properties", error="Property error") from None
    await plugin.validate(stack, definition, {**unchecked, **values})


async def known_values(stack: Stack, definition: Definition, plugin: Plugin) -> dict[str, Json]:
    """Return the property values that are known before anything exists, with LATER for the others."""
    unchecked, _, values = await _values(stack, definition, plugin)
    return {**unchecked, **values}


async def _values(
    stack: Stack, definition: Definition, plugin: Plugin
) -> tuple[dict[str, Json], dict[str, Prop], dict[str, Json]]:
    """Return the given values, the schema of the values known before creation, and the values by it."""
    unchecked = await _known_values(stack, plugin.translate(definition.properties))
    known = {name: value for name, value in unchecked.items() if not is_later(value)}
    schema = {name: prop for name, prop in plugin.schema.items() if name in known or name not in unchecked}
    plugin.require(unchecked)
    return unchecked, schema, values_of(schema, known)


def _check_names(definition: Definition, plugin: Plugin) -> None:
    """Check the property names of a nested template's resource; as in Heat, values are checked at creation."""
    for name in plugin.translate(definition.properties):
        if name not in plugin.schema:
            path = ["resources", definition.name, "properties"]
            raise StackValidationFailed(f"Unknown Property {name}", error="Property error", path=path)


async def _known_values(stack: Stack, snippets: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values that are known before anything exists."""
    unchecked: dict[str, Json] = {}
    for name, snippet in snippets.items():
        try:
            unchecked[name] = await resolve_partly(stack, snippet, strict=stack.strict)
        except (HeatError, KeyError, ValueError, TypeError) as problem:
            raise StackValidationFailed(str(problem), path=[name]) from None
    return unchecked


async def validate_values(stack: Stack, name: str, schema: Mapping[str, Prop], values: Mapping[str, Json]) -> None:
    """Check a resource's final values just before its creation. Raises StackValidationFailed."""
    try:
        await check_constraints(schema, values, stack.engine.lookup(stack.client))
    except StackValidationFailed as problem:
        raise problem.below("resources", name, "properties", error="Property error") from None
