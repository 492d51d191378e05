"""The servers of a stack, and where the values of their properties come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hot.conditions import UNKNOWN, spelled_out
from hot.language import is_call
from vnfm.catalog.domain.derive.scaled_groups import AUTOSCALING, STACK
from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.servers import SERVER
from vnfm.catalog.domain.hot.template import Parameter, ResourceDefinition, Template, normalised
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.package import with_environment

_AUTOSCALING = (AUTOSCALING, "OS::Heat::InstanceGroup")
_DEEPEST = 6
_MOST = 100
"""Members of a group that are managed one by one."""


@dataclass(frozen=True, slots=True)
class Value:
    """The origin of a value, as seen from the root template."""

    kind: Literal["parameter", "resource", "literal", "unknown"]
    text: str = ""
    """The parameter's or the resource's name, or the value itself."""
    path: tuple[str, ...] = ()
    """The nested stacks that contain a resource, the outermost first."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A template at its place in the stack, with the values passed to its parameters."""

    template: Template
    path: tuple[str, ...] = ()
    arguments: Mapping[str, Value] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    """Parameters that the environment sets for all templates."""
    outer: "Scope | None" = None
    """The scope of the template that this one is nested in."""
    condition: Any = None
    """Under which the template is part of the stack, see `hot.conditions`; None: always."""

    def resource(self, value: Value) -> "tuple[ResourceDefinition, Scope] | None":
        """The definition of the resource that the value refers to, with its scope."""
        owner: Scope | None = self
        while owner is not None and owner.path != value.path:
            owner = owner.outer
        if owner is None or value.kind != "resource":
            return None
        use = owner.template.by_name.get(value.text)
        return (use, owner) if use else None

    def condition_of(self, name: str) -> Any:
        """Under which there is that resource; None: always."""
        data = self.template.document.data
        written = self.template.resource(name).get("condition")
        if written is None:
            return self.condition
        named = data.get("conditions")
        own = spelled_out(written, named if isinstance(named, Mapping) else {}, self._in_condition)
        return own if self.condition is None else {"and": [self.condition, own]}

    def _in_condition(self, name: str) -> Any:
        """Replace a parameter of this template by its value, or by the root's parameter, in conditions."""
        value, declared = self.value({"get_param": name}), self.template.parameters.get(name)
        if value.kind == "literal" and declared is not None:
            return normalised(declared.type, value.text)
        if value.kind != "parameter" or (self.path and not self._same_type(name, value.text)):
            return {UNKNOWN: f"parameter {name} of {self.template.path}"}
        return {"get_param": value.text}

    def _same_type(self, name: str, of_root: str) -> bool:
        """Return whether the value of the root's parameter reaches this template's unchanged."""
        root = self
        while root.outer is not None:
            root = root.outer
        declared, given = self.template.parameters.get(name), root.template.parameters.get(of_root)
        return declared is not None and given is not None and declared.type == given.type

    def value(self, written: Any) -> Value:
        if isinstance(written, str | int | float):
            return Value("literal", str(written))
        if not is_call(written):
            return Value("unknown")
        function, argument = next(iter(written.items()))
        name = argument[0] if isinstance(argument, list) and argument else argument
        if not isinstance(name, str):
            return Value("unknown")
        if function in ("get_resource", "get_attr"):
            return Value("resource", name, self.path)
        return self._parameter(name) if function == "get_param" and argument == name else Value("unknown")

    def _parameter(self, name: str) -> Value:
        if not self.path or (name in self.free and name not in self.arguments):
            return Value("parameter", name)
        declared = self.template.parameters.get(name)
        default = declared.default if declared else None
        return self.arguments.get(name) or (Value("unknown") if default is None else self.value(default))


@dataclass(frozen=True, slots=True)
class Placement:
    server: ResourceDefinition
    scope: Scope
    group: str = ""
    """The ResourceGroup of the root that it is a member of, which the manager scales."""
    within: str = ""
    """The path of names to it in a member of that group, where members have several servers."""
    index: str = ""
    """Its name in a group that the manager does not scale, where the group's members are servers themselves."""

    @property
    def condition(self) -> Any:
        """Under which there is the server; None: always."""
        return self.scope.condition_of(self.server.name)

    @property
    def member(self) -> str:
        """The path of names to it, as in `Vdu.hot_members`."""
        return "/".join((*self.scope.path, *self.names))

    @property
    def names(self) -> tuple[str, ...]:
        """Its name in its template, with its index in a group."""
        return (self.server.name, *([self.index] if self.index else []))


@dataclass(slots=True)
class Placements:
    """Every server that can be managed, and findings about the others."""

    found: list[Placement] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    fixed: dict[str, int] = field(default_factory=dict)
    """Parameters of the root that say how many members a group has that is not scaled: they keep their value."""


def placements(templates: TemplateSet) -> Placements:
    scope = Scope(templates.root, free=frozenset(templates.section("parameter_defaults")))
    walk = _Walk(templates)
    walk.result.found = list(walk.servers(scope, ""))
    walk.result.findings = list(dict.fromkeys(walk.result.findings))
    return walk.result


class _Walk:
    def __init__(self, templates: TemplateSet) -> None:
        self.templates, self.result = templates, Placements()
        self.parameters: Mapping[str, Parameter] = with_environment(templates).parameters

    def servers(self, scope: Scope, group: str) -> Iterator[Placement]:
        for use in scope.template.resources_defined:
            if use.member or len(scope.path) > _DEEPEST:
                continue
            if use.type == SERVER:
                yield Placement(use, scope, group)
            elif use.type in _AUTOSCALING:
                message = (
                    f"{use.name} is scaled by Heat itself, without the manager. Make it an {GROUP_TYPE} with a count "
                    "from a parameter."
                )
                self._report("error", scope, use, "DERIVE_AUTOSCALING", message)
            elif use.type == STACK:
                message = (
                    f"{use.name} is a stack of its own ({STACK}), whose servers the manager does not see. Heat creates "
                    "and deletes it with this one. Name its template as the type instead to have them managed."
                )
                self._report("warning", scope, use, "DERIVE_STACK", message)
            elif use.type == GROUP_TYPE:
                yield from self._group(scope, use, group)
            elif nested := self.templates.implementations_of(use):
                yield from self.servers(inner_scope(scope, use, nested[0], (use.name,)), group)

    def _group(self, scope: Scope, group: ResourceDefinition, outer: str) -> Iterator[Placement]:
        inner = next((u for u in scope.template.resources_defined if u.member and u.where[:-2] == group.where), None)
        if inner is None:
            return
        nested = self.templates.implementations_of(inner)
        if inner.type != SERVER and not nested:
            return
        found = [Placement(inner, scope, group.name)]
        if inner.type != SERVER:
            found = list(self.servers(inner_scope(scope, inner, nested[0], (group.name,)), group.name))
        if not found:
            return
        if outer or scope.path:
            yield from self._one_by_one(scope, group, inner, outer)
        elif len(found) > 1:
            yield from (replace(each, within="/".join((*each.scope.path[1:], *each.names))) for each in found)
        else:
            yield from found

    def _one_by_one(
        self,
        scope: Scope,
        group: ResourceDefinition,
        inner: ResourceDefinition,
        outer: str,
    ) -> Iterator[Placement]:
        """The members of a group that the manager cannot scale, each by its number. `outer`: the group around it."""
        number, code = self._count(scope, group), "DERIVE_GROUP_BELOW"
        why = "is in a nested template, where the manager cannot scale it. Move it to the root to have it scaled."
        if number is None or not 0 < number <= _MOST:
            message = f"Group {group.name} {why} Its size is known only at deployment, so its servers are not managed."
            self._report("error", scope, group, code, message)
            return
        message = f"Group {group.name} {why} It always has {number} members; all else of them is managed."
        self._report("warning", scope, group, code, message)
        for index in map(str, range(number)):
            if inner.type == SERVER:
                yield Placement(inner, scope, outer, index=index)
            else:
                template = self.templates.implementations_of(inner)[0]
                yield from self.servers(inner_scope(scope, inner, template, (group.name, index)), outer)

    def _count(self, scope: Scope, group: ResourceDefinition) -> int | None:
        """The group's size; a parameter of the root that gives it is fixed."""
        value = scope.value(group.properties.get("count", 1))
        written: Any = value.text if value.kind == "literal" else None
        if value.kind == "parameter" and value.text in self.parameters:
            written = self.parameters[value.text].default
        number = normalised("number", written)
        if not isinstance(number, int) or isinstance(number, bool):
            return None
        if value.kind == "parameter":
            self.result.fixed[value.text] = number
        return number

    def _report(self, severity: Severity, scope: Scope, use: ResourceDefinition, code: str, message: str) -> None:
        self.result.findings.append(Finding.of(severity, code, scope.template.document.fault(use.where, message)))


def inner_scope(scope: Scope, use: ResourceDefinition, template: Template, names: tuple[str, ...]) -> Scope:
    """The scope of a nested template with what the resource passes on; `names` lead to it from `scope`."""
    arguments = {key: scope.value(value) for key, value in use.properties.items() if value is not None}
    return Scope(template, (*scope.path, *names), arguments, scope.free, scope, scope.condition_of(use.name))
