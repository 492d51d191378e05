"""Resources that are nested stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine import stack_ops, update
from cloudsim.heat.engine.blueprint import Blueprint
from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.engine.policy import enforce
from cloudsim.heat.engine.stack import Stack
from cloudsim.heat.engine.state import CHECK, CREATE, DELETE, FAILED, RESUME, SUSPEND, UPDATE, new_stack
from cloudsim.heat.engine.validation import validate
from cloudsim.heat.errors import (
    Error,
    HeatError,
    InvalidTemplateAttribute,
    NotFound,
    ResourceFailure,
    StackValidationFailed,
    format_error,
)
from cloudsim.heat.hot.partial import is_later
from cloudsim.heat.hot.properties import from_parameter
from cloudsim.heat.hot.template import parse_text
from hot.functions import resolve, select

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.state import Doc
    from cloudsim.heat.hot.template import Definition, Template
    from hot.functions import Json

REFERENCE = "OS::stack_id"


class NestedPlugin(Plugin):
    """Creates, updates and deletes the resource's nested stack; subclasses define its source."""

    checks = True
    nested = True

    async def child_blueprint(self, res: Handle) -> Blueprint:
        """Return the child's template and environment for the resource's current properties."""
        raise NotImplementedError

    def child(self, res: Handle) -> Stack | None:
        """Return the nested stack, None before its creation and after its deletion."""
        return res.engine.stacks.get(res.physical)

    async def create(self, res: Handle) -> None:
        blueprint = await self.child_blueprint(res)
        res.engine.count_resources(res.stack, len(blueprint.template.resources))
        doc = _child_doc(res)
        await _check(res, doc, blueprint)
        child = res.engine.add(doc, blueprint)
        res.adopt(child.id)
        await stack_ops.create(child)
        _raise_failure(child, CREATE)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        child = self.child(res)
        if child is None:
            await self.create(res)
            return
        blueprint = await self.child_blueprint(res)
        child.doc["facade"] = _facade(res)
        await _check(res, child.doc, blueprint)
        await update.update(child, blueprint)
        _raise_failure(child, UPDATE)

    async def delete(self, res: Handle) -> None:
        child = self.child(res)
        if child is not None:
            await stack_ops.delete(child)
            _raise_failure(child, DELETE)

    async def check(self, res: Handle) -> None:
        child = self.child(res)
        if child is None:
            raise Error("nested stack not found")
        await stack_ops.check(child)
        _raise_failure(child, CHECK)

    async def suspend(self, res: Handle) -> None:
        child = self.child(res)
        if child is None:
            raise Error(f"Cannot suspend {res.name}, stack not created")
        await stack_ops.suspend(child)
        _raise_failure(child, SUSPEND)

    async def resume(self, res: Handle) -> None:
        child = self.child(res)
        if child is None:
            raise Error(f"Cannot resume {res.name}, stack not created")
        await stack_ops.resume(child)
        _raise_failure(child, RESUME)

    def reference(self, res: Handle) -> Json:
        child = self.child(res)
        return child.arn if child else res.name

    def has_attribute(self, name: str) -> bool:
        return name == "show" or name.startswith("resource.") or name in self.attributes

    async def member_attribute(self, res: Handle, key: str, path: list[Json]) -> Json:
        """Return `resource.<name>[.<attribute>]` of the nested stack."""
        _, name, *attribute = key.split(".", 2)
        return await self.of_member(res, name, [*attribute, *path])

    async def of_member(self, res: Handle, name: str, path: list[Json]) -> Json:
        """Return the reference of a nested resource, or its attribute if `path` is not empty."""
        child = self.child(res)
        if child is None:
            return None
        if child.record(name) is None:
            raise NotFound(f"Member '{name}' not found in group resource '{res.name}'.")
        return await child.attribute(name, str(path[0]), path[1:]) if path else child.reference(name)


class TemplatePlugin(NestedPlugin):
    """A provider resource: its properties are the template's parameters, its attributes the template's outputs."""

    attributes: ClassVar[Mapping[str, str]] = {}

    def __init__(self, template: Template, source: str, defaulted: Collection[str] = frozenset()) -> None:
        """`defaulted` are the names with a value in the environment's parameter_defaults."""
        super().__init__()
        self.template, self.source = template, source
        self.schema = {
            name: from_parameter(parameter, defaulted=name in defaulted)
            for name, parameter in template.parameters.items()
        }

    async def child_blueprint(self, res: Handle) -> Blueprint:
        given = {name: value for name, value in res.props.items() if value is not None}
        parent = res.stack.blueprint
        return Blueprint(self.template, parent.environment.for_nested(given, res.name), parent.files, self.source)

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        where = f"{definition.name}<{self.source}>"
        await validate_nested(stack, definition.name, self.planned(stack, definition, values), where)

    def planned(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> Blueprint:
        given = {name: value for name, value in values.items() if value is not None and not is_later(value)}
        environment = stack.blueprint.environment.for_nested(given, definition.name)
        return Blueprint(self.template, environment, stack.blueprint.files, self.source)

    def has_attribute(self, name: str) -> bool:
        return super().has_attribute(name) or name in self.template.outputs

    async def create(self, res: Handle) -> None:
        await super().create(res)
        await self._keep_reference(res)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        await super().update(res, changed)
        await self._keep_reference(res)

    async def _keep_reference(self, res: Handle) -> None:
        """Store the output OS::stack_id, if any, as the value of get_resource."""
        if REFERENCE in self.template.outputs:
            res.data[REFERENCE] = await self.attribute(res, REFERENCE)
            res.save()

    def reference(self, res: Handle) -> Json:
        return res.data[REFERENCE] if REFERENCE in res.data else super().reference(res)

    async def attribute_at(self, res: Handle, name: str, path: list[Json]) -> Json:
        if name.startswith("resource."):
            return await self.member_attribute(res, name, path)
        child = self.child(res)
        if child is None:
            return None
        output = child.template.outputs.get(name)
        if output is None:
            raise InvalidTemplateAttribute(res.name, name)
        try:
            return select(await resolve(child, output["value"]), path)
        except (KeyError, IndexError, TypeError):
            return None

    async def attribute(self, res: Handle, name: str) -> Json:
        return await self.attribute_at(res, name, [])

    async def all_attributes(self, res: Handle) -> dict[str, Json]:
        child = self.child(res)
        if child is None:
            return {}
        return {output["output_key"]: output["output_value"] for output in await child.outputs()}


async def validate_nested(parent: Stack, resource: str, blueprint: Blueprint, where: str) -> None:
    """Validate a nested template before anything is created; `where` names the resource in the error's path."""
    try:
        await validate(planned_child(parent, resource, blueprint))
    except StackValidationFailed as problem:
        raise problem.below("resources", where) from None


def planned_child(parent: Stack, resource: str, blueprint: Blueprint) -> Stack:
    """Return the nested stack as it would begin, without storing it; values may be unknown yet."""
    created, owner = parent.doc["created"], parent.doc["owner"]
    doc = new_stack(name=f"{parent.name}-{resource}", project_id=parent.project_id, owner=owner, now=created)
    doc["depth"] = parent.doc["depth"] + 1
    child = Stack(parent.engine, doc, blueprint)
    child.strict = False
    return child


async def _check(res: Handle, doc: Doc, blueprint: Blueprint) -> None:
    """Validate with the real values, as the child's own create or update does. Raises ResourceFailure."""
    child = Stack(res.engine, {**doc, "resources": {}}, blueprint)
    try:
        await validate(child)
        enforce(child)
    except StackValidationFailed as problem:
        raise ResourceFailure(format_error(problem.error, problem.path, problem.message)) from problem
    except HeatError as problem:
        raise ResourceFailure(str(problem)) from problem


def template_of(text: str, source: str) -> Template:
    """Parse a template file. Raises StackValidationFailed."""
    try:
        return parse_text(text, source)
    except ValueError as problem:
        raise StackValidationFailed(str(problem)) from None


def _child_doc(res: Handle) -> Doc:
    parent = res.stack.doc
    now = res.engine.cloud.clock.stamp()
    doc = new_stack(name=res.physical_name(), project_id=parent["project_id"], owner=parent["owner"], now=now)
    doc.update(
        owner_id=parent["id"],
        root_id=parent["root_id"],
        parent_resource=res.name,
        depth=parent["depth"] + 1,
        timeout=parent["timeout"],
        facade=_facade(res),
    )
    return doc


def _facade(res: Handle) -> Doc:
    frozen = res.record.frozen or {}
    return {key: frozen.get(key) for key in ("metadata", "deletion_policy", "update_policy")}


def _raise_failure(child: Stack, action: str) -> None:
    if child.doc["status"] == FAILED:
        raise ResourceFailure.from_reason(child.doc["reason"], action)
