"""Checks of resource types, their properties and values against those that Heat has."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from hot.language import CURRENT, FUNCTIONS, LIBERTY, VERSIONS, is_call, release_name
from hot.patterns import MAX_LENGTH, matches, unchecked_reason
from hot.schemas import Bounds, Property, ResourceType, resource_type, type_names
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed, suggest
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, Parameter, ResourceDefinition, Template
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.vnfd import SettingType

_WORDS: Mapping[str, str] = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "map": "a mapping",
    "list": "a list",
    "string": "text",
}
_ACCEPTED: Mapping[str, tuple[SettingType, ...]] = {
    "string": ("string", "number", "boolean", "json"),
    "integer": ("number", "string", "boolean", "json"),
    "number": ("number", "string", "boolean", "json"),
    "boolean": ("boolean", "string", "json"),
    "list": ("list", "json"),
    "map": ("json",),
    "any": ("string", "number", "boolean", "list", "json"),
}
"""Kind of a property to the types of parameters whose values it can take (heat/engine/properties.py)."""

PropertyValue = tuple[Path, Property, Any]
"""Where a value is, its property, and the value."""


def types_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _unmapped(templates):
        if not _foreign(templates, kind):
            mapped = [*type_names(), *templates.implementations]
            message = (
                f"Heat has no resource type {kind}, and the environment's resource_registry maps it to no template."
                f"{suggest(kind, mapped)}"
            )
            yield template.document.fault((*use.where, "type"), message)


def types_foreign(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in _unmapped(templates):
        if _foreign(templates, kind):
            message = (
                f"{kind} is a type for templates of CloudFormation, which today's Heat lacks and old ones may have; "
                "VMs that it makes are not managed. Write the OS:: type instead."
                if kind.startswith("AWS::")
                else f"{kind} is none of Heat's own types, and no environment maps it to a template: send the "
                "environment whose resource_registry maps it. Else only a cloud with a plugin for it can deploy this."
            )
            yield template.document.fault((*use.where, "type"), message)


def _unmapped(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, str]]:
    """Resources of types that neither Heat nor a template has."""
    return (found for found in heat_resources(templates) if resource_type(found[2]) is None)


def heat_resources(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, str]]:
    """Resources of types that no template implements: Heat must have them."""
    for template, use in _definitions_in(templates):
        kind = templates.resolved_type(use.type, use.name)
        mapped = kind.endswith(TEMPLATE_SUFFIXES) or kind in templates.implementations
        if not mapped and not templates.implementations_of(use):
            yield template, use, kind


def _foreign(templates: TemplateSet, kind: str) -> bool:
    """Return whether a plugin may have the type: those of vendors, and of services of which Heat has no type."""
    if not kind.startswith("OS::"):
        return "::" in kind and not suggest(kind, templates.implementations)
    services = {tuple(name.split("::")[:2]) for name in type_names()}
    return tuple(kind.split("::")[:2]) not in services


def types_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        if kind.since > templates.target.release and kind.name not in templates.target.types:
            message = (
                f"{kind.name} came with {release_name(kind.since)}; the Heat of {templates.target.name} refuses it."
            )
            yield template.document.fault((*use.where, "type"), message)


def types_gone(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        if kind.gone:
            message = f"{kind.name} is no longer in today's Heat: it can be deployed on old clouds only."
            yield template.document.fault((*use.where, "type"), message)


def properties_form(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use in _definitions_in(templates):
        raw = template.document.data
        for step in use.where:
            raw = raw[step]
        if not isinstance(raw.get("properties", {}), Mapping):
            yield template.document.fault((*use.where, "properties"), "properties must be a mapping of name to value.")


def properties_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
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
    return _all_missing(templates, lambda prop: prop.required)


def properties_missing_in_liberty(templates: TemplateSet) -> Iterator[PackageFault]:
    if templates.target.release <= LIBERTY:
        yield from _all_missing(templates, lambda prop: prop.required_in_liberty, " Later Heats do without.")


def _all_missing(templates: TemplateSet, needed: Callable[[Property], bool], more: str = "") -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        if not use.member and "external_id" in template.resource(use.name):
            continue  # It exists already.
        where = (*use.where, "properties") if use.properties else use.where
        levels = [(where, use.properties, kind.properties, kind.name)]
        levels += [
            (path, value, prop.members, f"{kind.name}'s {_dotted(path)}")
            for path, prop, value in _values(use, kind)
            if prop.members and isinstance(value, Mapping) and not is_call(value)
        ]
        for path, given, known, what in levels:
            by_old_names = {known[name].replaced_by for name in given if name in known}
            for name, prop in known.items():
                if needed(prop) and name not in given and name not in by_old_names:
                    message = f"{what} needs the property {name!r}, which is not given.{more}"
                    yield template.document.fault(path, message)


def properties_gone(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        for path, prop, _ in _values(use, kind):
            if prop.gone and not kind.gone:
                message = f"Today's Heat no longer has property {_dotted(path)!r} of {kind.name}, and refuses it."
                yield template.document.fault(path, message)


def properties_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        for path, prop, _ in _values(use, kind):
            if prop.since > max(templates.target.release, kind.since):
                message = (
                    f"Property {_dotted(path)!r} of {kind.name} came with {release_name(prop.since)}; the Heat of "
                    f"{templates.target.name} refuses it."
                )
                yield template.document.fault(path, message)


def values_of_wrong_kind(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        for path, prop, value in _values(use, kind):
            given = _parameter(template, value)
            if given is not None and given.type not in _ACCEPTED[prop.kind]:
                message = (
                    f"{_dotted(path)} of {kind.name} takes {_WORDS[prop.kind]}, and parameter {given.name} is a "
                    f"{given.type}."
                )
                yield template.document.fault(path, message)
            elif value is not None and not _is_function(template, value) and not _fits(use, prop, value):
                message = f"{_dotted(path)} of {kind.name} takes {_WORDS[prop.kind]}, not {_short(value)}."
                yield template.document.fault(path, message)


def _parameter(template: Template, value: Any) -> Parameter | None:
    """The parameter whose whole value is passed on."""
    name = value.get("get_param") if is_call(value) else None
    return template.parameters.get(name) if isinstance(name, str) else None


def _is_function(template: Template, value: Any) -> bool:
    """Return whether the template's version has the function: for an older one the call is plain data."""
    return is_call(value) and FUNCTIONS.get(next(iter(value)), 0) <= VERSIONS.get(template.version, CURRENT)


def values_out_of_bounds(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, use, kind in known_resources(templates):
        for path, prop, value in _values(use, kind):
            if value is None or is_call(value) or use.has_index(value) or not _fits(use, prop, value):
                continue
            error = _bounds_error(prop, value)
            if error:
                yield template.document.fault(path, f"{_dotted(path)} of {kind.name}: {error}")


def _bounds_error(prop: Property, value: Any) -> str:
    size = len(value) if isinstance(value, str | list | Mapping) else len(str(value))
    if prop.range and not _within(prop.range, float(value)):
        return f"{_short(value)} is not {_between(prop.range)}."
    if prop.length and not _within(prop.length, size):
        return f"The length of {_short(value)} is not {_between(prop.length)}."
    if prop.pattern and not unchecked_reason(prop.pattern) and not matches(prop.pattern, str(value)[:MAX_LENGTH]):
        return f"{_short(value)} does not match {prop.pattern}."
    return ""


def _within(bounds: Bounds, number: float) -> bool:
    low, high = bounds
    return (low is None or number >= low) and (high is None or number <= high)


def _between(bounds: Bounds) -> str:
    low, high = bounds
    return " and ".join(f"at {word} {bound}" for word, bound in (("least", low), ("most", high)) if bound is not None)


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
    for template, use, kind in known_resources(templates):
        for path, prop, value in _values(use, kind):
            for item in (value if isinstance(value, list) else [value]) if prop.allowed else ():
                if item is not None and not isinstance(item, Mapping | list) and not use.has_index(item):
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


def _fits(use: ResourceDefinition, prop: Property, value: Any) -> bool:
    checks: Mapping[str, Callable[[Any], bool]] = {
        "string": lambda v: isinstance(v, str | int),
        "integer": lambda v: _is_number(v, int),
        "number": lambda v: _is_number(v, float),
        "boolean": lambda v: isinstance(v, bool) or (isinstance(v, str) and v.lower() in ("true", "false")),
        "list": lambda v: isinstance(v, list),
        "map": lambda v: isinstance(v, Mapping),
    }
    # In a group's members the index becomes a number.
    numbered = prop.kind in ("integer", "number") and use.has_index(value)
    return numbered or prop.kind == "any" or checks[prop.kind](value)


def _is_number(value: Any, read: Callable[[Any], Any]) -> bool:
    try:
        read(value)
    except (TypeError, ValueError, OverflowError):
        return False
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


def known_resources(templates: TemplateSet) -> Iterator[tuple[Template, ResourceDefinition, ResourceType]]:
    """Resources of Heat's own types."""
    old = templates.target.release <= LIBERTY
    for template, use in _definitions_in(templates):
        kind = None if templates.implementations_of(use) else resource_type(templates.resolved_type(use.type, use.name))
        if kind is not None:
            # Where a type is gone, Heat has a placeholder that accepts all properties.
            unread = kind.any_property or (kind.gone and not (templates.target.chosen and old))
            if unread:
                yield template, replace(use, properties={}), replace(kind, properties={})
            else:
                yield template, use, kind


CHECKS = (
    Check("TYPE_UNKNOWN", "error", "resource types that neither Heat nor the registry has", types_unknown),
    Check("TYPE_FOREIGN", "warning", "resource types of plugins", types_foreign),
    Check("TYPE_NEWER", "warning", "resource types that the cloud's Heat is too old for", types_newer, "error"),
    Check("TYPE_GONE", "warning", "resource types that today's Heat no longer has", types_gone),
    Check("PROPERTIES_FORM", "error", "properties that are not a mapping", properties_form),
    Check("PROPERTY_UNKNOWN", "error", "properties that the type does not have", properties_unknown),
    Check("PROPERTY_MISSING", "error", "properties that the type needs", properties_missing),
    Check(
        "PROPERTY_MISSING_IN_LIBERTY",
        "warning",
        "properties that only Liberty's Heat needs",
        properties_missing_in_liberty,
        "error",
    ),
    Check("PROPERTY_GONE", "warning", "properties that today's Heat no longer has", properties_gone),
    Check("PROPERTY_NEWER", "warning", "properties that the cloud's Heat is too old for", properties_newer, "error"),
    Check("VALUE_KIND", "error", "values of another kind than the property's", values_of_wrong_kind),
    Check("VALUE_OUT_OF_BOUNDS", "error", "values beyond a range, a length or a pattern", values_out_of_bounds),
    Check("VALUE_NOT_ALLOWED", "error", "values that are not among those of the property", values_not_allowed),
    Check("VALUE_NEWER", "warning", "values that the cloud's Heat is too old for", values_newer, "error"),
)
