"""The servers of a stack, and where the values of their properties come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.language import is_call
from vnfm.catalog.domain.hot.servers import SERVER
from vnfm.catalog.domain.hot.template import ResourceDefinition, Template
from vnfm.catalog.domain.hot.templates import TemplateSet

_AUTOSCALING = ("OS::Heat::AutoScalingGroup", "OS::Heat::InstanceGroup")
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Value:
    """The origin of a value, as seen from the root template."""

    kind: Literal["parameter", "resource", "literal", "unknown"]
    text: str = ""
    """The parameter's or the resource's name, or the value itself."""
    path: tuple[str, ...] = ()
    """Of a resource: the nested stacks that contain it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A template at its place in the stack, with the values passed to its parameters."""

    template: Template
    path: tuple[str, ...] = ()
    given: Mapping[str, Value] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    """Parameters that the environment sets for all templates."""

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
        if not self.path or (name in self.free and name not in self.given):
            return Value("parameter", name)
        declared = self.template.parameters.get(name)
        default = declared.default if declared else None
        return self.given.get(name) or (Value("unknown") if default is None else self.value(default))


@dataclass(frozen=True, slots=True)
class Placement:
    server: ResourceDefinition
    scope: Scope
    group: str = ""
    """The ResourceGroup of the root that it is a member of."""

    @property
    def member(self) -> str:
        """The path of names to it, as in `Vdu.hot_members`."""
        return "/".join((*self.scope.path, self.server.name))


def placements(templates: TemplateSet) -> tuple[list[Placement], list[Finding]]:
    """Every server that can be managed, and findings about the others."""
    findings: list[Finding] = []
    scope = Scope(templates.root, free=frozenset(templates.section("parameter_defaults")))
    return list(_walk(templates, scope, "", findings)), findings


def _walk(templates: TemplateSet, scope: Scope, group: str, findings: list[Finding]) -> Iterator[Placement]:
    for use in scope.template.resources_defined:
        if use.member or len(scope.path) > _DEEPEST:
            continue
        if use.type == SERVER:
            yield Placement(use, scope, group)
        elif use.type in _AUTOSCALING:
            message = (
                f"{use.name} is scaled by Heat itself, without the manager. Make it an {GROUP_TYPE} with a count from "
                "a parameter."
            )
            _report(findings, scope, use, "DERIVE_AUTOSCALING", message)
        elif use.type == GROUP_TYPE:
            yield from _group(templates, scope, use, findings)
        elif nested := templates.implementations_of(use):
            yield from _walk(templates, _inner(scope, use, nested[0], use.name), group, findings)


def _group(
    templates: TemplateSet, scope: Scope, group: ResourceDefinition, findings: list[Finding]
) -> Iterator[Placement]:
    inner = next((u for u in scope.template.resources_defined if u.member and u.where[:-2] == group.where), None)
    if inner is None:
        return
    nested = templates.implementations_of(inner)
    if inner.type == SERVER:
        found = [Placement(inner, scope, group.name)]
    elif nested:
        found = list(_walk(templates, _inner(scope, inner, nested[0], group.name), group.name, findings))
    else:
        return
    if found and scope.path:
        message = f"Group {group.name} is in a nested template, where the manager cannot scale it. Move it to the root."
        _report(findings, scope, group, "DERIVE_GROUP_BELOW", message)
    elif len(found) > 1:
        names = ", ".join(placement.server.name for placement in found)
        message = (
            f"Each member of {group.name} has several servers ({names}), but a member must be one component. Make a "
            "group of each."
        )
        _report(findings, scope, group, "DERIVE_GROUP_MIXED", message)
    else:
        yield from found


def _inner(scope: Scope, use: ResourceDefinition, template: Template, name: str) -> Scope:
    given = {key: scope.value(value) for key, value in use.properties.items() if value is not None}
    return Scope(template, (*scope.path, name), given, scope.free)


def _report(findings: list[Finding], scope: Scope, use: ResourceDefinition, code: str, message: str) -> None:
    findings.append(Finding.of("error", code, scope.template.document.fault(use.where, message)))
