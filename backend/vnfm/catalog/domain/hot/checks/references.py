"""Checks of references to parameters, resources and attributes, and of their cycles."""

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from hot.language import PSEUDO_PARAMETERS
from hot.schemas import resource_type
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed, suggest
from vnfm.catalog.domain.hot.template import Call, ResourceDefinition, Template
from vnfm.catalog.domain.hot.templates import TemplateSet

_MAX_CYCLES = 10
_LONGEST_WAY = 12


def parameters_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    return _parameters_unknown(templates, in_outputs=False)


def outputs_of_nothing(templates: TemplateSet) -> Iterator[PackageFault]:
    """Heat creates the stack all the same, and such an output shows an error."""
    yield from _parameters_unknown(templates, in_outputs=True)
    yield from _resources_unknown(templates, in_outputs=True)


def _parameters_unknown(templates: TemplateSet, *, in_outputs: bool) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        for call in template.called("get_param"):
            name = call.names if _in_output(call) == in_outputs else ""
            if name and name not in template.parameters and name not in PSEUDO_PARAMETERS:
                declared = template.document.data.get("parameters")
                if isinstance(declared, Mapping) and name in declared:
                    continue
                known = [*template.parameters, *PSEUDO_PARAMETERS]
                message = (
                    f"{template.path} declares no parameter {name!r}.{suggest(name, known)} Add it under parameters."
                )
                yield template.document.fault(call.where, message)


def parameter_parts(templates: TemplateSet) -> Iterator[PackageFault]:
    """`get_param: [name, key]` of a string silently gives an empty string."""
    for template in templates.templates.values():
        for call in template.called("get_param"):
            parameter = template.parameters.get(call.names)
            if parameter and isinstance(call.argument, list) and len(call.argument) > 1:
                if parameter.type in ("json", "list"):
                    continue
                message = (
                    f"Parameter {parameter.name} is a {parameter.type} and has no parts: Heat gives an empty text. "
                    "Make it json or comma_delimited_list, or leave the path out."
                )
                yield template.document.fault(call.where, message)


def resources_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    return _resources_unknown(templates, in_outputs=False)


def _resources_unknown(templates: TemplateSet, *, in_outputs: bool) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        resources = template.document.data.get("resources")
        known = resources if isinstance(resources, Mapping) else {}
        for where, name in _references(template, in_outputs=in_outputs):
            if name not in known:
                hint = suggest(name, map(str, known))
                if not hint and name in template.parameters:
                    hint = f" {name} is a parameter: write get_param."
                message = f"{template.path} has no resource {name!r}; there are {listed(map(str, known))}.{hint}"
                yield template.document.fault(where, message)


def _in_output(call: Call) -> bool:
    """Whether Heat evaluates the call only when the output is shown; it checks get_attr before."""
    return call.where[0] == "outputs" and call.function != "get_attr"


def _references(template: Template, *, in_outputs: bool) -> Iterator[tuple[Path, str]]:
    """Every reference to a resource of the same template."""
    for call in template.called("get_resource", "get_attr"):
        if call.names and _in_output(call) == in_outputs:
            yield call.where, call.names
    for name in () if in_outputs else template.resource_types:
        yield from _depends_on(template, name)


def _depends_on(template: Template, name: str) -> Iterator[tuple[Path, str]]:
    raw = template.resource(name).get("depends_on")
    where = ("resources", name, "depends_on")
    if isinstance(raw, str):
        yield where, raw
    elif isinstance(raw, list):
        yield from (((*where, index), item) for index, item in enumerate(raw) if isinstance(item, str))


def depends_on_form(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        for name in template.resource_types:
            raw = template.resource(name).get("depends_on", [])
            items = raw if isinstance(raw, list) else [raw]
            if not all(isinstance(item, str) for item in items):
                message = "depends_on takes the name of a resource, or a list of names; no functions."
                yield template.document.fault(("resources", name, "depends_on"), message)


def attributes_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, call, use, attribute in _attributes_read(templates):
        kind = None if templates.implementations_of(use) else resource_type(templates.resolved_type(use.type, use.name))
        if kind is not None and not kind.any_attribute and attribute not in kind.attributes:
            yield _attribute_fault(template, call, use, attribute, kind.attributes)


def nested_outputs_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    """Heat's validation accepts any, and the resource that needs it fails."""
    for template, call, use, attribute in _attributes_read(templates):
        nested = templates.implementations_of(use)
        outputs = [template.document.data.get("outputs") for template in nested]
        known = {"show", "OS::stack_id", "outputs"}.union(*(out for out in outputs if isinstance(out, Mapping)))
        if nested and attribute not in known and not attribute.startswith("resource."):
            yield _attribute_fault(template, call, use, attribute, known)


def _attributes_read(templates: TemplateSet) -> Iterator[tuple[Template, Call, ResourceDefinition, str]]:
    for template in templates.templates.values():
        for call in template.called("get_attr"):
            path = call.argument if isinstance(call.argument, list) else ()
            use = template.by_name.get(call.names)
            if use is not None and len(path) > 1 and isinstance(path[1], str):
                yield template, call, use, path[1]


def _attribute_fault(
    template: Template, call: Call, use: ResourceDefinition, attribute: str, known: Iterable[str]
) -> PackageFault:
    message = f"{use.type} has no attribute {attribute!r}; it has {listed(known, 12)}.{suggest(attribute, known)}"
    return template.document.fault(call.where, message)


def parameters_unused(templates: TemplateSet) -> Iterator[PackageFault]:
    """Alternative templates of one type share their parameters, so that each need not use all: they are left out."""
    shared = {
        template.path
        for use in (use for template in templates.templates.values() for use in template.resources_defined)
        for nested in (templates.implementations_of(use),)
        if len(nested) > 1
        for template in nested
    }
    for template in templates.templates.values():
        used = {call.names for call in template.called("get_param", "Ref")} | _in_conditions(template)
        used |= templates.manager_parameters if template is templates.root else set()
        for name in template.parameters if template.path not in shared else ():
            if name not in used:
                message = f"Nothing uses parameter {name}: leave it out, since setting it has no effect."
                yield template.document.fault(("parameters", name), message)


def _in_conditions(template: Template) -> set[str]:
    """Parameters in the conditions of a newer HOT."""
    found: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, Mapping):
            name = value.get("get_param")
            found.add(name if isinstance(name, str) else name[0] if isinstance(name, list) and name else "")
        children: Iterable[object] = (
            value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        )
        for child in children:
            walk(child)

    walk(template.document.data.get("conditions"))
    return found


def cycles(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        needs: dict[str, dict[str, Path]] = {name: {} for name in template.resource_types}
        for call in template.called("get_resource", "get_attr"):
            if call.owner in needs and call.names in needs:
                needs[call.owner].setdefault(call.names, call.where)
        for name, needed in needs.items():
            for where, other in _depends_on(template, name):
                if other in needs:
                    needed.setdefault(other, where)
        yield from _find_cycles(template, needs)


def _find_cycles(template: Template, needs: dict[str, dict[str, Path]]) -> Iterator[PackageFault]:
    for _ in range(_MAX_CYCLES):
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            backwards: list[str] = error.args[1]
            circle = list(reversed(backwards))
            where = next(needs[a].pop(b) for a, b in pairwise(circle) if b in needs[a])
            message = (
                f"These resources wait for each other: {_way(circle)}. Heat can make none of them first; "
                "remove one of the references."
            )
            yield template.document.fault(where, message)
        else:
            return


def _way(circle: list[str]) -> str:
    """The resources of a circle; of a long one its begin."""
    first = " needs ".join(circle[:_LONGEST_WAY])
    return first if len(circle) <= _LONGEST_WAY else f"{first} … ({len(circle) - 1} resources)"


CHECKS = (
    Check("PARAMETER_UNKNOWN", "error", "get_param of a parameter that is not declared", parameters_unknown),
    Check("PARAMETER_PART", "warning", "a part of a parameter that has none", parameter_parts),
    Check("RESOURCE_UNKNOWN", "error", "get_resource, get_attr, depends_on of no resource", resources_unknown),
    Check("DEPENDS_ON_FORM", "error", "depends_on that is neither a name nor a list of names", depends_on_form),
    Check("ATTRIBUTE_UNKNOWN", "error", "get_attr of an attribute that the type does not have", attributes_unknown),
    Check(
        "NESTED_OUTPUT_UNKNOWN",
        "warning",
        "get_attr of an output that the template behind a type does not have",
        nested_outputs_unknown,
    ),
    Check("OUTPUT_OF_NOTHING", "warning", "outputs of no parameter or no resource", outputs_of_nothing),
    Check("PARAMETER_UNUSED", "warning", "parameters that nothing uses", parameters_unused),
    Check("CIRCLE", "error", "resources that wait for each other", cycles),
)
