"""All resource types, and the choice of a type's implementation for a stack."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.errors import EntityNotFound, StackValidationFailed
from cloudsim.heat.plugins import (
    autoscaling,
    cinder,
    glance,
    group,
    heat,
    neutron,
    neutron_routing,
    nova,
    pass_through,
    software,
    telemetry,
)
from cloudsim.heat.plugins.nested import TemplatePlugin, template_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.blueprint import Blueprint
    from cloudsim.heat.engine.handle import Handle

TEMPLATE_ENDINGS = (".yaml", ".template", ".yml", ".json")
_MODULES = (
    autoscaling, cinder, glance, heat, neutron, neutron_routing, nova, pass_through, software, telemetry,
)  # fmt: skip


class _Unknown(Plugin):
    """The plugin of a stored resource whose type no longer exists, which can only be deleted."""

    type_name = ""
    schema = {}  # noqa: RUF012 - no properties

    async def delete(self, res: Handle) -> None:
        """Do nothing, as the type is unknown."""


class Registry:
    """The built-in types of Liberty's Heat, without those whose service this cloud lacks."""

    def __init__(self) -> None:
        self.unknown: Plugin = _Unknown()
        types: list[type[Plugin]] = [group.ResourceGroup]
        for module in _MODULES:
            types += module.TYPES
        self.builtin: Mapping[str, Plugin] = {kind.type_name: kind() for kind in types}

    def find(self, blueprint: Blueprint, type_name: str, resource_name: str) -> Plugin:
        """Search the environment, built-in types, then template files. Raises EntityNotFound, StackValidationFailed."""
        if not isinstance(type_name, str) or not type_name:
            raise StackValidationFailed(f'Resource "{resource_name}" has no type')
        for target in blueprint.environment.implementations(type_name, resource_name):
            if target == blueprint.source:
                continue
            if _is_template(target):
                return _from_file(blueprint, target)
            if target != type_name:
                return self.find(blueprint, target, resource_name)
        if type_name in self.builtin:
            return self.builtin[type_name]
        if _is_template(type_name):
            return _from_file(blueprint, type_name)
        raise EntityNotFound("Resource Type", type_name)


def _is_template(name: str) -> bool:
    return name.endswith(TEMPLATE_ENDINGS)


def _from_file(blueprint: Blueprint, source: str) -> Plugin:
    text = blueprint.files.get(source)
    if text is None:
        raise StackValidationFailed(f'Could not fetch remote template "{source}": Invalid URL scheme ')
    return _template_plugin(text, source, frozenset(blueprint.environment.defaults))


@lru_cache(maxsize=512)
def _template_plugin(text: str, source: str, defaulted: frozenset[str]) -> TemplatePlugin:
    return TemplatePlugin(template_of(text, source), source, defaulted)
