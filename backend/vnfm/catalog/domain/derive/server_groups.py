"""Nova's server groups that a stack makes, and how many servers join one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vnfm.catalog.domain.derive.placements import Scope, Value, inner_scope
from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.hot.servers import SERVER
from vnfm.catalog.domain.hot.template import ResourceDefinition, normalised
from vnfm.catalog.domain.hot.templates import TemplateSet

SERVER_GROUP = "OS::Nova::ServerGroup"
_DEEPEST = 6
Place = tuple[tuple[str, ...], str]
"""Path of nested stacks, and a resource's name there."""


@dataclass(frozen=True, slots=True)
class ServerGroupCount:
    groups: int
    largest: int
    """Members of the largest; 0 when no server joins one."""


def count_server_groups(
    templates: TemplateSet, registry: Mapping[str, Any], parameters: Mapping[str, Any]
) -> ServerGroupCount:
    """Count the server groups that these choices of the registry and these parameters create at least.

    Resources with a condition, and members of groups of unknown size, do not count.
    """
    chosen = {kind: (name,) for kind, name in registry.items() if isinstance(name, str)}
    walk = _Walk(replace(templates, implementations={**templates.implementations, **chosen}), parameters)
    walk.follow(Scope(templates.root, free=frozenset(templates.section("parameter_defaults"))), 1)
    return ServerGroupCount(walk.groups, max((walk.members[place] for place in walk.sources), default=0))


@dataclass(slots=True)
class _Walk:
    templates: TemplateSet
    parameters: Mapping[str, Any]
    groups: int = 0
    sources: set[Place] = field(default_factory=set)
    """Server groups, and the nested stacks that have one and pass its hints on."""
    members: Counter[Place] = field(default_factory=Counter)
    times: dict[tuple[str, ...], int] = field(default_factory=dict)
    """Path of a nested stack to how many of it there are."""

    def follow(self, scope: Scope, times: int) -> None:
        self.times[scope.path] = times
        conditional = set(scope.template.conditional)
        for use in scope.template.resources_defined:
            if use.member or use.name in conditional or len(scope.path) > _DEEPEST:
                continue
            if use.type == GROUP_TYPE:
                inner = (u for u in scope.template.resources_defined if u.member and u.where[:-2] == use.where)
                for member in inner:
                    self._resource(scope, member, times * self._size(scope, use))
            else:
                self._resource(scope, use, times)

    def _resource(self, scope: Scope, use: ResourceDefinition, times: int) -> None:
        if use.type == SERVER_GROUP:
            self.groups += times
            self.sources |= {(scope.path, use.name), (scope.path[:-1], "".join(scope.path[-1:]))}
        elif use.type == SERVER:
            hints = use.properties.get("scheduler_hints")
            named = hints.get("group", hints) if isinstance(hints, Mapping) else None
            group = scope.value(named)
            if group.kind == "resource":
                self.members[group.path, group.text] += times // max(self.times.get(group.path, 1), 1)
        elif nested := self.templates.implementations_of(use):
            self.follow(inner_scope(scope, use, nested[0], (use.name,)), times)

    def _size(self, scope: Scope, group: ResourceDefinition) -> int:
        size = normalised("number", self._written(scope.value(group.properties.get("count", 1))))
        return size if isinstance(size, int) and not isinstance(size, bool) else 0

    def _written(self, value: Value) -> Any:
        if value.kind != "parameter":
            return value.text if value.kind == "literal" else None
        declared = self.templates.root.parameters.get(value.text)
        return self.parameters.get(value.text, declared.default if declared else None)
