"""Checks of resource types, their properties and values against those that Heat has."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed, suggest
from vnfm.catalog.domain.hot.language import LIBERTY, is_call, release_name
from vnfm.catalog.domain.hot.schemas import Property, ResourceType, resource_type, type_names
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, ResourceDefinition, Template
from vnfm.catalog.domain.hot.templates import TemplateSet

_WORDS: Mapping[str, str] = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "map": "a mapping",
    "list": "a list",
    "string": "text",
}
_TRUTHS = ("true", "false", "t", "f", "on", "off", "y", "n", "yes", "no", "1", "0")

PropertyValue = tuple[Path, Property, Any]
"""Where a value is, its property, and the value."""


def types_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _unmapped(templates):
        if not _foreign(kind):
            mapped = [*type_names(), *templates.implementations]
            message = (
                f"Heat has no resource type {kind}, and the environment's resource_registry maps it to no template."
                f"{suggest(kind, mapped)}"
            )
            yield template.document.fault((*use.where, "type"), message)


def types_foreign(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _unmapped(templates):
        if _foreign(kind):
            message = f"{kind} is not one of Heat's own types: only a cloud with its plugin can deploy this."
            yield template.document.fault((*use.where, "type"), message)


def _unmapped(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, str]]:
    """Resources of types that neither Heat nor a template has."""
    for template, use in _definitions_in(templates):
        kind = templates.resolved_type(use.type)
        if kind.endswith(TEMPLATE_SUFFIXES) or kind in templates.implementations or templates.implementations_of(use):
            continue
        if resource_type(kind) is None:
            yield template, use, kind


def _foreign(kind: str) -> bool:
    """Whether a plugin may have the type: CloudFormation's, and services of which Heat has no type."""
    services = {tuple(name.split("::")[:2]) for name in type_names()}
    return kind.startswith("AWS::") or (kind.startswith("OS::") and tuple(kind.split("::")[:2]) not in services)


def types_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _known(templates):
        if kind.since > templates.target.release:
            message = (
                f"{kind.name} came with {release_name(kind.since)}; the Heat of {templates.target.name} refuses it."
            )
            yield template.document.fault((*use.where, "type"), message)


def types_gone(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _known(templates):
        if kind.gone:
            message = f"{kind.name} is no longer in today's Heat: it can be deployed on old clouds only."
            yield template.document.fault((*use.where, "type"), message)


def properties_form(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use in _definitions_in(templates):
        raw = template.document.data
        for step in use.where:
            raw = raw[step]
        properties = raw.get("properties")
        if properties is not None and not isinstance(properties, Mapping):
            yield template.document.fault((*use.where, "properties"), "properties must be a mapping of name to value.")


def properties_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _known(templates):
        where = (*use.where, "properties")
        yield from _unknown(template, where, use.properties, kind.properties, kind.name)
        for path, prop, value in _values(use, kind):
            if prop.members and isinstance(value, Mapping) and not is_call(value):
                yield from _unknown(template, path, value, prop.members, f"{kind.name}'s {_dotted(path)}")


def _unknown(
    template: Template, where: Path, given: Mapping[str, Any], known: Mapping[str, Property], what: str
) -> Iterator[PackageFault]:
    for name in given:
        if name not in known:
            message = f"{what} has no property {name!r}; it has {listed(known, 30)}.{suggest(str(name), known)}"
            yield template.document.fault((*where, name), message)


def properties_missing(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _known(templates):
        where = (*use.where, "properties") if use.properties else use.where
        yield from _missing(template, where, use.properties, kind.properties, kind.name)
        for path, prop, value in _values(use, kind):
            if prop.members and isinstance(value, Mapping) and not is_call(value):
                yield from _missing(template, path, value, prop.members, f"{kind.name}'s {_dotted(path)}")


def _missing(
    template: Template, where: Path, given: Mapping[str, Any], known: Mapping[str, Property], what: str
) -> Iterator[PackageFault]:
    by_old_names = {known[name].replaced_by for name in given if name in known}
    for name, prop in known.items():
        if prop.required and given.get(name) is None and name not in by_old_names:
            yield template.document.fault(where, f"{what} needs the property {name!r}, which is not given.")


def properties_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _known(templates):
        for path, prop, _ in _values(use, kind):
            if prop.since > max(templates.target.release, kind.since):
                message = (
                    f"Property {_dotted(path)!r} of {kind.name} came with {release_name(prop.since)}; the Heat of "
                    f"{templates.target.name} refuses it."
                )
                yield template.document.fault(path, message)


def values_of_wrong_kind(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _known(templates):
        for path, prop, value in _values(use, kind):
            if value is not None and not is_call(value) and not _fits(prop, value):
                message = f"{_dotted(path)} of {kind.name} takes {_WORDS[prop.kind]}, not {_short(value)}."
                yield template.document.fault(path, message)


def values_not_allowed(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, path, prop, kind, item in _chosen_values(templates):
        if not _among(item, prop.allowed):
            message = (
                f"{_dotted(path)} of {kind.name} is one of {', '.join(map(str, prop.allowed))}, not {_short(item)}."
            )
            yield template.document.fault(path, message)


def values_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    if templates.target.release > LIBERTY:
        return
    for template, path, prop, kind, item in _chosen_values(templates):
        if prop.allowed_in_liberty and _among(item, prop.allowed) and not _among(item, prop.allowed_in_liberty):
            message = (
                f"{_dotted(path)} of {kind.name} is one of {', '.join(map(str, prop.allowed_in_liberty))} on "
                f"{templates.target.name}, which does not know {_short(item)} yet."
            )
            yield template.document.fault(path, message)


def _chosen_values(templates: TemplateSet) -> Iterator[tuple[Template, Path, Property, ResourceType, Any]]:
    """Every single value of a property with allowed values."""
    for template, use, kind in _known(templates):
        for path, prop, value in _values(use, kind):
            for item in (value if isinstance(value, list) else [value]) if prop.allowed else ():
                if item is not None and not isinstance(item, Mapping | list):
                    yield template, path, prop, kind, item


def _among(item: Any, allowed: tuple[Any, ...]) -> bool:
    return str(item) in map(str, allowed)


def _values(use: ResourceDefinition, kind: ResourceType) -> Iterator[PropertyValue]:
    """Every written value of a property that Heat knows, including those in maps and lists."""
    for name, value in use.properties.items():
        if name in kind.properties:
            yield from _inside((*use.where, "properties", name), kind.properties[name], value)


def _inside(where: Path, prop: Property, value: Any) -> Iterator[PropertyValue]:
    yield where, prop, value
    if is_call(value):
        return
    if prop.element and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside((*where, index), prop.element, item)
    elif prop.members and isinstance(value, Mapping):
        for name, item in value.items():
            if name in prop.members:
                yield from _inside((*where, name), prop.members[name], item)


def _fits(prop: Property, value: Any) -> bool:
    checks: Mapping[str, Callable[[Any], bool]] = {
        "string": lambda v: isinstance(v, str | int | float),
        "integer": lambda v: not isinstance(v, bool | float) and _is_number(v, int),
        "number": lambda v: not isinstance(v, bool) and _is_number(v, float),
        "boolean": lambda v: isinstance(v, bool) or str(v).lower() in _TRUTHS,
        "list": lambda v: isinstance(v, list),
        "map": lambda v: isinstance(v, Mapping),
    }
    return prop.kind == "any" or checks[prop.kind](value)


def _is_number(value: Any, read: Callable[[Any], Any]) -> bool:
    try:
        read(value)
    except (TypeError, ValueError):
        # In a group's members %index% becomes a number.
        return isinstance(value, str) and "%" in value
    return True


def _dotted(path: Path) -> str:
    """A path below the properties: networks.0.port."""
    steps = list(path)
    return ".".join(map(str, steps[len(steps) - steps[::-1].index("properties") :]))


def _short(value: Any) -> str:
    if isinstance(value, Mapping | list):
        return "a mapping" if isinstance(value, Mapping) else "a list"
    return repr(value)[:60]


def _definitions_in(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition]]:
    return ((template, use) for template in templates.templates.values() for use in template.resources_defined)


def _known(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, ResourceType]]:
    """Resources of Heat's own types."""
    for template, use in _definitions_in(templates):
        kind = None if templates.implementations_of(use) else resource_type(templates.resolved_type(use.type))
        if kind is not None:
            # Of a type that is gone the properties are not known.
            yield template, replace(use, properties={}) if kind.gone else use, kind


CHECKS = (
    Check("TYPE_UNKNOWN", "error", "resource types that neither Heat nor the registry has", types_unknown),
    Check("TYPE_FOREIGN", "warning", "resource types of plugins", types_foreign),
    Check("TYPE_NEWER", "warning", "resource types that the cloud's Heat is too old for", types_newer, "error"),
    Check("TYPE_GONE", "warning", "resource types that today's Heat no longer has", types_gone),
    Check("PROPERTIES_FORM", "error", "properties that are not a mapping", properties_form),
    Check("PROPERTY_UNKNOWN", "error", "properties that the type does not have", properties_unknown),
    Check("PROPERTY_MISSING", "error", "properties that the type needs", properties_missing),
    Check("PROPERTY_NEWER", "warning", "properties that the cloud's Heat is too old for", properties_newer, "error"),
    Check("VALUE_KIND", "error", "values of another kind than the property's", values_of_wrong_kind),
    Check("VALUE_NOT_ALLOWED", "error", "values that are not among those of the property", values_not_allowed),
    Check("VALUE_NEWER", "warning", "values that the cloud's Heat is too old for", values_newer, "error"),
)
