"""A Heat template: parameters, resources, function calls, and the files that it names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hot.constraints import Constraint, SchemaError, parse_constraint
from hot.language import is_call
from hot.parameters import TYPES, ParameterType, convert
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.vnfd import SettingType

_HOT_TYPES: Mapping[SettingType, ParameterType] = {
    "list" if name == "comma_delimited_list" else name: name for name in TYPES
}
MAX_ENTRIES = 1000
"""Limit of parameters, of resources and of outputs in one template; a stack has 1,000 resources at most
(`max_resources_per_stack` of Heat).
"""
MAX_ENTRIES_TOGETHER = 5000
"""Limit of all three in all templates of a package: a check takes a millisecond of processor for each."""
SECTIONS_COUNTED = ("parameters", "resources", "outputs")
TEMPLATE_SUFFIXES = (".yaml", ".yml", ".template")
_MEMBERS: Mapping[str, str] = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}
"""Group types, with the property that defines their members."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: SettingType
    description: str
    default: Any
    """None when the parameter is required."""
    hidden: bool
    constraints: tuple[Constraint, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A function call in a template."""

    function: str
    argument: Any
    where: Path
    """It leads to the function's name."""

    @property
    def owner(self) -> str:
        """The resource that contains it; "" when none does."""
        return str(self.where[1]) if self.where[0] == "resources" and len(self.where) > 1 else ""

    @property
    def names(self) -> str:
        """The parameter, resource or file that it refers to, if that is written out; "" otherwise."""
        first = self.argument[0] if isinstance(self.argument, list) and self.argument else self.argument
        return first if isinstance(first, str) else ""


@dataclass(frozen=True, slots=True)
class ResourceDefinition:
    """A resource, or the definition of a group's members: a type with its properties."""

    name: str
    """The resource's name; the group's for its members."""
    type: str
    properties: Mapping[str, Any]
    where: Path
    """It leads to the mapping with type and properties."""
    member: bool = False
    """The definition is that of a group's members."""
    indexes: tuple[str, ...] = ()
    """Texts that stand for the number of a group's member: `%index%`, or the group's `index_var`."""

    def has_index(self, value: Any) -> bool:
        """Whether the text holds the number of a group's member, so that it is known only at deployment."""
        return isinstance(value, str) and any(index in value for index in self.indexes)


@dataclass(frozen=True, slots=True)
class Template:
    document: Document
    version: str
    parameters: Mapping[str, Parameter]
    resource_types: Mapping[str, str]
    """Resource name to type, as written."""
    resources_defined: tuple[ResourceDefinition, ...]
    calls: tuple[Call, ...]
    by_name: Mapping[str, ResourceDefinition]
    """The resources, without members of groups."""

    @property
    def path(self) -> str:
        return self.document.path

    def resource(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.document.data["resources"][name]
        return found

    @property
    def conditional(self) -> Iterator[str]:
        """Names of the resources that exist under a condition only."""
        return (name for name in self.resource_types if "condition" in self.resource(name))

    def called(self, *functions: str) -> Iterator[Call]:
        return (call for call in self.calls if call.function in functions)


def read_template(document: Document) -> tuple[Template, list[PackageFault]]:
    """The template, and the faults of its outer form; the checks look into the resources."""
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
    resources_defined = [
        use for name in types for use in _definitions_in(name, data["resources"][name], ("resources", name))
    ]
    calls = [call for section in ("resources", "outputs") for call in _calls(data.get(section), (section,))]
    by_name = {use.name: use for use in resources_defined if not use.member}
    return Template(document, str(version), parameters, types, tuple(resources_defined), tuple(calls), by_name), faults


def entries_of(document: Document) -> int:
    """Parameters, resources and outputs of a template together."""
    sections = [document.data.get(name) for name in SECTIONS_COUNTED]
    return sum(len(section) for section in sections if isinstance(section, Mapping | list))


def size_faults(document: Document) -> list[PackageFault]:
    """Sections of a template or an environment with more entries than it may have: nothing else of it is read then."""
    sizes = {name: document.data.get(name) for name in (*SECTIONS_COUNTED, "parameter_defaults")}
    return [
        document.fault((name,), f"The file has {len(section)} {name.replace('_', ' ')}; {MAX_ENTRIES} are allowed.")
        for name, section in sizes.items()
        if isinstance(section, Mapping | list) and len(section) > MAX_ENTRIES
    ]


def used_types(template: Template) -> Iterator[tuple[Path, str]]:
    """Every resource type of the template, with its place; those of group members too."""
    return (((*use.where, "type"), use.type) for use in template.resources_defined)


def file_references(template: Template) -> Iterator[tuple[Path, str]]:
    """Files that the template names, as nested templates and by get_file, with their places."""
    for where, kind in used_types(template):
        if kind.endswith(TEMPLATE_SUFFIXES):
            yield where, kind
    for call in template.called("get_file"):
        if isinstance(call.argument, str):
            yield call.where, call.argument


def _definitions_in(
    name: str, raw: Mapping[str, Any], where: Path, indexes: tuple[str, ...] = (), *, member: bool = False
) -> Iterator[ResourceDefinition]:
    properties = raw.get("properties")
    known: Mapping[str, Any] = properties if isinstance(properties, Mapping) and not is_call(properties) else {}
    yield ResourceDefinition(name, raw["type"], known, where, member, indexes)
    step = _MEMBERS.get(raw["type"], "")
    made = known.get(step)
    if isinstance(made, Mapping) and isinstance(made.get("type"), str):
        inner = (*indexes, *_index(raw["type"], known))
        yield from _definitions_in(name, made, (*where, "properties", step), inner, member=True)


def _index(group: str, properties: Mapping[str, Any]) -> tuple[str, ...]:
    """An index that a function gives may be in any text."""
    if group != "OS::Heat::ResourceGroup":
        return ()
    written = properties.get("index_var", "%index%")
    return (written if isinstance(written, str) else "",)


def _calls(value: Any, where: Path) -> Iterator[Call]:
    if is_call(value):
        function, argument = next(iter(value.items()))
        yield Call(function, argument, (*where, function))
    children = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        if isinstance(child, Mapping | list):
            yield from _calls(child, (*where, key))


def _section(document: Document, name: str, faults: list[PackageFault]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    section = document.data.get(name) or {}
    if not isinstance(section, Mapping):
        faults.append(document.fault((name,), f"{name} must be a mapping."))
        return
    for key, value in section.items():
        if isinstance(value, Mapping) and isinstance(key, str):
            yield key, value
        else:
            faults.append(document.fault((name, key), f"{key} must be a mapping."))


def _parameter(document: Document, name: str, raw: Mapping[str, Any], faults: list[PackageFault]) -> Parameter | None:
    where = ("parameters", name)
    written = raw.get("type")
    kind = next((kind for kind, name in _HOT_TYPES.items() if name == written), None)
    if kind is None:
        faults.append(document.fault(where, f"{written!r} is not a HOT parameter type ({', '.join(TYPES)})."))
        return None
    constraints = tuple(_constraints(document, name, _HOT_TYPES[kind], raw.get("constraints") or [], faults))
    return Parameter(
        name=name,
        type=kind,
        description=str(raw.get("description", "")).strip(),
        default=normalised(kind, raw.get("default")),
        hidden=str(raw.get("hidden")).lower() == "true",
        constraints=constraints,
        label=str(raw.get("label", "")).strip(),
    )


def normalised(kind: SettingType, value: Any) -> Any:
    """The value in the parameter's type; one that does not fit stays as it is.

    It differs from Heat's for people: `True` is the text "true", and items of "a, b" have no spaces around them.
    """
    if value is None:
        return None
    if kind == "string" and isinstance(value, bool):
        return str(value).lower()
    if kind == "list" and isinstance(value, str):
        return [item.strip() for item in value.split(",")] if value else []
    try:
        return convert(_HOT_TYPES[kind], value)
    except (ValueError, TypeError):
        return value


def _constraints(
    document: Document, name: str, kind: ParameterType, raw: Any, faults: list[PackageFault]
) -> Iterator[Constraint]:
    where = ("parameters", name, "constraints")
    if not isinstance(raw, list):
        faults.append(document.fault(where, "constraints must be a list."))
        return
    for index, item in enumerate(raw):
        try:
            yield parse_constraint(name, kind, item)
        except SchemaError as error:
            faults.append(document.fault((*where, index), str(error)))
