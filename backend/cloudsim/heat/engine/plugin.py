"""The interface of resource types to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from cloudsim.heat.errors import (
    Error,
    InvalidTemplateAttribute,
    PropertyUnspecifiedError,
    ResourceActionNotSupported,
    ResourcePropertyConflict,
    UpdateReplace,
)
from hot.functions import select

if TYPE_CHECKING:
    from cloudsim.heat.engine.blueprint import Blueprint
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.properties import Prop
    from cloudsim.heat.hot.template import Definition
    from hot.functions import Json


class Plugin:
    """A resource type. Instances hold no state, which is in the Handle.

    `create` must `adopt` the id as soon as it is known, and return when the resource works. `delete` succeeds if the
    resource does not exist. `check` is None if Heat has no check for the type.
    """

    type_name: ClassVar[str]
    schema: Mapping[str, Prop]
    attributes: ClassVar[Mapping[str, str]] = {}
    aliases: ClassVar[Mapping[str, str]] = {}
    checks: ClassVar[bool] = False
    nested: ClassVar[bool] = False
    description: ClassVar[str] = ""

    def __init__(self) -> None:
        """Do nothing, as types with a fixed schema have it as a class variable."""

    def translate(self, properties: Mapping[str, Json]) -> dict[str, Json]:
        """Rename old properties (`network_id` to `network`). Raises ResourcePropertyConflict for both at once."""
        for old, new in self.aliases.items():
            if properties.get(old) is not None and properties.get(new) is not None:
                raise ResourcePropertyConflict(new, old)
        return {self.aliases.get(name, name): value for name, value in properties.items()}

    def require(self, properties: Mapping[str, Json]) -> None:
        """Raise PropertyUnspecifiedError if a required property is missing under its old and its new name."""
        for old, new in self.aliases.items():
            if self.schema[new].required and properties.get(new) is None:
                raise PropertyUnspecifiedError(new, old)

    def schema_view(self) -> dict[str, Json]:
        """Return the properties of `GET /resource_types/{t}`, with old names; neither of two names is required."""
        view = {name: prop.as_dict() for name, prop in self.schema.items()}
        for old, new in self.aliases.items():
            view[new]["required"] = False
            view[old] = {key: value for key, value in view[new].items() if key != "description"}
        return view

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check rules beyond the schema; a value known only at run time is LATER. Raises StackValidationFailed."""

    def planned(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> Blueprint | None:
        """Return the source of the resource's nested stack for a preview; None without one or if it is unknown."""
        return None

    async def create(self, res: Handle) -> None:
        raise NotImplementedError

    def replaced_by(self, values: Mapping[str, Json]) -> bool:
        """Return whether an update to these values replaces the resource even without a change."""
        return False

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        """Apply `changed` properties in place (`res.props` has the new ones), or raise UpdateReplace."""
        if changed:
            raise UpdateReplace

    async def before_replace(self, res: Handle) -> None:
        """Release objects that the replacement needs."""

    async def after_restore(self, res: Handle) -> None:
        """Revert `before_replace`, as a rollback restores this resource."""

    async def delete(self, res: Handle) -> None:
        raise NotImplementedError

    async def check(self, res: Handle) -> None:
        raise NotImplementedError

    async def suspend(self, res: Handle) -> None:
        """Suspend the resource; most types do nothing."""

    async def resume(self, res: Handle) -> None:
        """Resume the resource; most types do nothing."""

    async def signal(self, res: Handle, details: Json) -> str:
        """Handle a signal and return the event's reason."""
        raise ResourceActionNotSupported("Signal")

    def reference(self, res: Handle) -> Json:
        """Return the value of get_resource."""
        return res.physical or res.name

    async def attribute(self, res: Handle, name: str) -> Json:
        """Return the current value of an attribute. Raises InvalidTemplateAttribute for an unknown name."""
        if name == "show":
            return await self.show(res)
        if name not in self.attributes:
            raise InvalidTemplateAttribute(res.name, name)
        shown = await self.show(res)
        return None if shown is None else shown.get(name)

    async def attribute_at(self, res: Handle, name: str, path: list[Json]) -> Json:
        """Return the value of `get_attr: [res, name, *path]`; None if the path does not exist."""
        value = await self.attribute(res, name)
        try:
            return select(value, path)
        except (KeyError, IndexError, TypeError, ValueError):
            return None

    async def show(self, res: Handle) -> dict[str, Json] | None:
        """Return the cloud's own document of the resource, None without one."""
        return None

    def has_attribute(self, name: str) -> bool:
        """Return whether get_attr with this name passes validation."""
        return name == "show" or name in self.attributes

    async def all_attributes(self, res: Handle) -> dict[str, Json]:
        values = {}
        for name in self.attributes:
            try:
                values[name] = await self.attribute(res, name)
            except Exception:  # noqa: BLE001 - as Heat: an attribute that fails is null in the list
                values[name] = None
        return values


class Types(Protocol):
    """All resource types of a cloud."""

    builtin: Mapping[str, Plugin]
    unknown: Plugin
    """It stands for the type of a stored resource that no longer exists."""

    def find(self, blueprint: Blueprint, type_name: str, resource_name: str) -> Plugin:
        """Return a type's implementation for a stack. Raises EntityNotFound, StackValidationFailed."""


def expect(what: str, current: object, *expected: object) -> None:
    """Check a value as Heat does. Raises Error with Heat's message."""
    if current not in expected:
        wanted = f"'{expected[0]}'" if len(expected) == 1 else str(list(expected))
        raise Error(f"'{what}': expected {wanted}, got '{current}'")
