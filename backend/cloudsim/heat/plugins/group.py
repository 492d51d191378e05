"""OS::Heat::ResourceGroup with Liberty's rule that removed names are never used again."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.blueprint import Blueprint
from cloudsim.heat.engine.validation import plugin_of
from cloudsim.heat.errors import InvalidTemplateAttribute
from cloudsim.heat.hot.partial import is_later
from cloudsim.heat.hot.properties import Prop, between, length
from cloudsim.heat.hot.template import Template
from cloudsim.heat.plugins.nested import NestedPlugin, validate_nested
from hot.functions import Json, select

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.template import Definition

VERSION = "2015-04-30"
_REMOVED = "name_blacklist"

RESOURCE_DEF = {
    "type": Prop("string", "The type of the resources in the group.", required=True),
    "properties": Prop("map", "Property values for the resources in the group."),
    "metadata": Prop("map", "Supplied metadata for the resources in the group."),
}
_REMOVAL = {"resource_list": Prop("list", "List of resources to be removed when doing an update.", default=[])}


class ResourceGroup(NestedPlugin):
    """A group of `count` equal members, named 0, 1, 2 and so on."""

    type_name = "OS::Heat::ResourceGroup"
    description = "Creates one or more identically configured nested resources."
    schema: Mapping[str, Prop] = {
        "count": Prop(
            "integer", "The number of resources to create.", default=1, update=True, constraints=between(0)
        ),
        "index_var": Prop(
            "string", "A variable that this resource will use to replace with the current index.",
            default="%index%", constraints=length(3),
        ),
        "resource_def": Prop(
            "map", "Resource definition for the resources in the group.", required=True, update=True,
            schema=RESOURCE_DEF,
        ),
        "removal_policies": Prop(
            "list", "Policies for removal of resources on update.", default=[], update=True,
            items=Prop("map", schema=_REMOVAL),
        ),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        "refs": "A list of resource IDs for the resources in the group.",
        "attributes": "A map of resource names to the specified attribute of each individual resource.",
    }

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that Heat can create a member, unless the group is empty."""
        body = values["resource_def"]
        if not isinstance(body, dict) or is_later(body.get("type")) or values.get("count") == 0:
            return
        blueprint = group_blueprint(stack, definition.name, _members(["0"], body, str(values["index_var"])))
        plugin_of(stack, body["type"], definition.name)
        await validate_nested(stack, definition.name, blueprint, f"{definition.name}<nested_stack>")

    def planned(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> Blueprint | None:
        count, body = values["count"], values["resource_def"]
        if is_later(count) or not isinstance(body, dict) or is_later(body.get("type")):
            return None
        names = [str(index) for index in range(count)]
        return group_blueprint(stack, definition.name, _members(names, body, str(values["index_var"])))

    async def child_blueprint(self, res: Handle) -> Blueprint:
        props = res.props
        self._remember_removed(res, props["removal_policies"] or [])
        names = member_names(props["count"], removed_names(res))
        return group_blueprint(res.stack, res.name, _members(names, props["resource_def"], props["index_var"]))

    def _remember_removed(self, res: Handle, policies: Iterable[Mapping[str, Json]]) -> None:
        child = self.child(res)
        members = {record.name: child.reference(record.name) for record in child.records} if child else {}
        wanted = [item for policy in policies for item in policy.get("resource_list") or []]
        removed = removed_names(res)
        added = {name for item in wanted if (name := _member_meant(item, members, removed)) is not None}
        if not added <= removed:
            res.data[_REMOVED] = ",".join(sorted(removed | added))
            res.save()

    def has_attribute(self, name: str) -> bool:
        return True

    async def attribute_at(self, res: Handle, name: str, path: list[Json]) -> Json:
        if name.startswith("resource."):
            return await self.member_attribute(res, name, path)
        names = member_names(res.props["count"], removed_names(res))
        if name == "refs":
            references = [await self.of_member(res, member, []) for member in names]
            return select(references, path)
        if name == "attributes":
            if not path:
                raise InvalidTemplateAttribute(res.name, name)
            return {member: await self.of_member(res, member, path) for member in names}
        return [await self.of_member(res, member, [name, *path]) for member in names]

    async def attribute(self, res: Handle, name: str) -> Json:
        return await self.attribute_at(res, name, [])


def member_names(count: int, removed: Collection[str]) -> list[str]:
    """Return the first `count` numbers that were never removed."""
    free = (name for name in map(str, itertools.count()) if name not in removed)
    return list(itertools.islice(free, count))


def removed_names(res: Handle) -> set[str]:
    """Return all names that removal policies have ever removed."""
    held = res.data.get(_REMOVED) or ""
    return set(held.split(",")) if held else set()


def _member_meant(item: Json, members: Mapping[str, Json], removed: Collection[str]) -> str | None:
    """Return the member that a removal list means by name, number or reference id, or None."""
    if str(item) in members or str(item) in removed:
        return str(item)
    return next((name for name, reference in members.items() if reference == item), None)


def _members(names: Iterable[str], body: Mapping[str, Json], index_var: str) -> dict[str, Json]:
    """Return the `resources` section of the group's stack."""
    return {name: member(name, body, index_var) for name in names}


def member(name: str, body: Mapping[str, Json], index_var: str) -> dict[str, Json]:
    """Return a member's definition with the index variable replaced and without empty properties."""
    properties = {key: value for key, value in (body.get("properties") or {}).items() if value is not None}
    definition: dict[str, Json] = {"type": body["type"], "properties": replace_index(properties, index_var, name)}
    if body.get("metadata"):
        definition["metadata"] = body["metadata"]
    return definition


def replace_index(value: Json, index_var: str, name: str) -> Json:
    """Replace the index variable in every text of a value; as in Heat, not in keys."""
    if isinstance(value, str):
        return value.replace(index_var, name)
    if isinstance(value, dict):
        return {key: replace_index(item, index_var, name) for key, item in value.items()}
    if isinstance(value, list):
        return [replace_index(item, index_var, name) for item in value]
    return value


def group_blueprint(stack: Stack, resource: str, members: Mapping[str, Json]) -> Blueprint:
    """Return the source of a group's nested stack."""
    template = Template({"heat_template_version": VERSION, "resources": dict(members)})
    return Blueprint(template, stack.blueprint.environment.for_nested({}, resource), stack.blueprint.files)
