"""The Heat templates of a package: parameters, resources, and which files lead to which others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import Fault
from vnfm.catalog.domain.patterns import pattern_fault
from vnfm.catalog.domain.vnfd import Constraint, SettingType

LIBERTY_VERSIONS = ("2013-05-23", "2014-10-16", "2015-04-30", "2015-10-15")
"""Values of heat_template_version that Liberty's Heat accepts (facts: Heat 5.0)."""

_TYPES: Mapping[str, SettingType] = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "comma_delimited_list": "list",
    "json": "json",
}
_CONSTRAINTS = {
    "length": "length",
    "range": "range",
    "allowed_values": "allowed_values",
    "allowed_pattern": "allowed_pattern",
    "custom_constraint": "custom",
}
_TEMPLATE_SUFFIXES = (".yaml", ".template")
_MEMBER_TYPE = ("properties", "resource_def", "type")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: SettingType
    description: str
    default: Any
    """None when it must be given."""
    hidden: bool
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Template:
    document: Document
    version: str
    parameters: Mapping[str, Parameter]
    resource_types: Mapping[str, str]
    """Resource name to type, as written."""


def read_template(document: Document) -> tuple[Template, list[Fault]]:
    """The template and what is wrong with its outer form; what is wrong inside of resources is left to Heat."""
    data = document.data
    faults = []
    version = data.get("heat_template_version")
    if not isinstance(version, str):
        faults.append(document.fault((), "This is not a HOT: heat_template_version is missing or not text."))
    parameters = {}
    for name, raw in _section(document, "parameters", faults):
        parameter = _parameter(document, name, raw, faults)
        if parameter:
            parameters[name] = parameter
    types = {}
    for name, raw in _section(document, "resources", faults):
        if isinstance(raw.get("type"), str):
            types[name] = raw["type"]
        else:
            faults.append(document.fault(("resources", name), f"Resource {name} has no type."))
        if name in parameters:
            faults.append(document.fault(("resources", name), f"Heat refuses a resource named as a parameter: {name}."))
    return Template(document, str(version), parameters, types), faults


def used_types(template: Template) -> Iterator[tuple[Path, str]]:
    """Every resource type of the template, those of group members included, each with its place."""
    resources = template.document.data.get("resources") or {}
    for name, kind in template.resource_types.items():
        yield ("resources", name, "type"), kind
        member = resources[name]
        for step in _MEMBER_TYPE:
            member = member.get(step) if isinstance(member, Mapping) else None
        if isinstance(member, str):
            yield ("resources", name, *_MEMBER_TYPE), member


def file_references(template: Template) -> Iterator[tuple[Path, str]]:
    """Files of the package that the template names, as nested templates and by get_file, each with its place."""
    for where, kind in used_types(template):
        if kind.endswith(_TEMPLATE_SUFFIXES):
            yield where, kind
    yield from _get_files(template.document.data, ())


def _get_files(value: Any, where: Path) -> Iterator[tuple[Path, str]]:
    children = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        if key == "get_file" and isinstance(child, str):
            yield (*where, key), child
        else:
            yield from _get_files(child, (*where, key))


def _section(document: Document, name: str, faults: list[Fault]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    section = document.data.get(name) or {}
    if not isinstance(section, Mapping):
        faults.append(document.fault((name,), f"{name} must be a mapping."))
        return
    for key, value in section.items():
        if isinstance(value, Mapping) and isinstance(key, str):
            yield key, value
        else:
            faults.append(document.fault((name, key), f"{key} must be a mapping."))


def _parameter(document: Document, name: str, raw: Mapping[str, Any], faults: list[Fault]) -> Parameter | None:
    where = ("parameters", name)
    if raw.get("type") not in _TYPES:
        faults.append(document.fault(where, f"{raw.get('type')!r} is not a HOT parameter type ({', '.join(_TYPES)})."))
        return None
    kind = _TYPES[raw["type"]]
    constraints = tuple(_constraints(document, where, raw.get("constraints") or [], faults))
    return Parameter(
        name=name,
        type=kind,
        description=str(raw.get("description", "")).strip(),
        default=_default(kind, raw.get("default")),
        hidden=raw.get("hidden") is True,
        constraints=constraints,
    )


def _default(kind: SettingType, value: Any) -> Any:
    """The default as the API shows it: HOT lets people write 2015 for a string and "a,b" for a list."""
    if value is None:
        return None
    if kind == "string" and not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if kind == "list" and isinstance(value, str):
        return [item.strip() for item in value.split(",")] if value else []
    if kind == "boolean" and isinstance(value, str):
        return value.lower() in ("true", "t", "on", "y", "yes", "1")
    return value


def _constraints(document: Document, where: Path, raw: Any, faults: list[Fault]) -> Iterator[Constraint]:
    if not isinstance(raw, list):
        faults.append(document.fault((*where, "constraints"), "constraints must be a list."))
        return
    for index, item in enumerate(raw):
        here = (*where, "constraints", index)
        kinds = [key for key in item if key in _CONSTRAINTS] if isinstance(item, Mapping) else []
        if len(kinds) != 1:
            faults.append(document.fault(here, f"A constraint is one of {', '.join(_CONSTRAINTS)}."))
            continue
        kind = cast('Literal["length", "range", "allowed_values", "allowed_pattern", "custom"]', _CONSTRAINTS[kinds[0]])
        fault = pattern_fault(item[kind]) if kind == "allowed_pattern" and isinstance(item[kind], str) else ""
        if fault:
            faults.append(document.fault((*here, kind), fault))
        elif _spec_ok(kind, item[kinds[0]]):
            yield Constraint(kind, item[kinds[0]], str(item.get("description", "")).strip())
        else:
            faults.append(document.fault(here, f"{item[kinds[0]]!r} does not fit {kinds[0]}."))


def _spec_ok(kind: str, spec: Any) -> bool:
    if kind in ("length", "range"):
        return isinstance(spec, Mapping) and all(
            key in ("min", "max") and isinstance(bound, int | float) for key, bound in spec.items()
        )
    if kind == "allowed_values":
        return isinstance(spec, list)
    return isinstance(spec, str)
