"""Checks of the language: versions, keys and functions of HOT."""

from collections.abc import Iterator, Mapping
from typing import Any

from hot.language import (
    CLOUDFORMATION_FUNCTIONS,
    CONDITIONS,
    FORMS,
    FUNCTIONS,
    VERSIONS,
    release_name,
)
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed, suggest
from vnfm.catalog.domain.hot.template import Call, Template
from vnfm.catalog.domain.hot.templates import HeatTarget, TemplateSet

_SECTIONS: Mapping[str, int] = {
    "heat_template_version": 0,
    "description": 0,
    "parameter_groups": 0,
    "parameters": 0,
    "resources": 0,
    "outputs": 0,
    "conditions": CONDITIONS,
}
_RESOURCE_KEYS: Mapping[str, int] = {
    "type": 0,
    "properties": 0,
    "metadata": 0,
    "depends_on": 0,
    "deletion_policy": 0,
    "update_policy": 0,
    "description": 0,
    "condition": CONDITIONS,
    "external_id": CONDITIONS,
}
_PARAMETER_KEYS: Mapping[str, int] = {
    "type": 0,
    "label": 0,
    "description": 0,
    "default": 0,
    "hidden": 0,
    "constraints": 0,
    "immutable": 0,
    "tags": 10,
}
_OUTPUT_KEYS: Mapping[str, int] = {"description": 0, "value": 0, "condition": CONDITIONS}


def version_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        if template.version not in VERSIONS and "heat_template_version" in template.document.data:
            message = (
                f"There is no heat_template_version {template.version}. Write 2015-10-15, the newest that OpenStack "
                "Liberty knows."
            )
            yield template.document.fault(("heat_template_version",), message)


def version_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    target = templates.target
    for template in templates.templates.values():
        release = VERSIONS.get(template.version, 0)
        lacks = target.functions_of(template.version) is None if target.functions else release > target.release
        if lacks and release:
            message = (
                f"heat_template_version {template.version} came with {release_name(release)}, and {target.name} is "
                f"older: its Heat refuses the template. Write {_newest(target)} and do without what is newer, or "
                "deploy it on newer clouds only."
            )
            yield template.document.fault(("heat_template_version",), message)


def _newest(target: HeatTarget) -> str:
    """The newest version that the target has, by date."""
    return max((name for name in target.functions if name[:1].isdigit()), default="2015-10-15")


def keys_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        data = template.document.data
        yield from _keys(template, (), data, _SECTIONS, "section")
        for section, table in (("parameters", _PARAMETER_KEYS), ("resources", _RESOURCE_KEYS)):
            for name, entry in _entries(template, section):
                if isinstance(entry, Mapping):
                    yield from _keys(template, (section, name), entry, table, f"key of a {section[:-1]}")


def output_keys_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    """Liberty's Heat refuses them, later ones do not read them."""
    for template in templates.templates.values():
        for name, entry in _entries(template, "outputs"):
            if isinstance(entry, Mapping):
                yield from _keys(template, ("outputs", name), entry, _OUTPUT_KEYS, "key of an output")


def outputs_form(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        for name, entry in _entries(template, "outputs"):
            if not isinstance(entry, Mapping) or "value" not in entry:
                message = f"Output {name} must be a mapping with a value: Heat refuses any other."
                yield template.document.fault(("outputs", name), message)


def _entries(template: Template, section: str) -> Iterator[tuple[str, Any]]:
    entries = template.document.data.get(section)
    yield from entries.items() if isinstance(entries, Mapping) else ()


def _keys(
    template: Template, where: Path, entry: Mapping[str, Any], known: Mapping[str, int], what: str
) -> Iterator[PackageFault]:
    release = VERSIONS.get(template.version, 0)
    for key in entry:
        if key not in known:
            message = f"{key!r} is no {what} in a HOT; there are {listed(known)}.{suggest(str(key), known)}"
            yield template.document.fault((*where, key), message)
        elif known[key] > release:
            message = (
                f"{key!r} needs a heat_template_version of {release_name(known[key])} or newer; this template says "
                f"{template.version}."
            )
            yield template.document.fault((*where, key), message)


def functions_gone(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, call in calls(templates):
        last, instead = CLOUDFORMATION_FUNCTIONS.get(call.function, (99, ""))
        if VERSIONS.get(template.version, 0) > last:
            message = (
                f"{call.function} is CloudFormation's, and no function of HOT {template.version}. Write {instead}."
            )
            yield template.document.fault(call.where, message)


def functions_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    """Functions of newer versions, which Heat silently passes on as plain data."""
    for template, call in calls(templates):
        needed = FUNCTIONS.get(call.function, 0)
        if needed > VERSIONS.get(template.version, needed) and FORMS[call.function][0](call.argument):
            first = next(version for version, release in VERSIONS.items() if release == needed)
            message = (
                f"{call.function} is a function from heat_template_version {first} on; this template says "
                f"{template.version}, where Heat takes it for plain data and passes it on unresolved."
            )
            yield template.document.fault(call.where, message)


def functions_misused(templates: TemplateSet) -> Iterator[PackageFault]:
    for template, call in calls(templates):
        release = VERSIONS.get(template.version, 0)
        if not 0 < FUNCTIONS.get(call.function, 0) <= release:
            continue
        fits, usage = FORMS[call.function]
        if fits(call.argument) or (call.function == "get_attr" and release >= 5 and _whole(call.argument)):  # noqa: PLR2004
            continue
        yield template.document.fault(call.where, f"{call.function} cannot work on this. It takes {usage}.")


def _whole(argument: Any) -> bool:
    """From 2015-10-15 on, `get_attr: resource` gives all attributes."""
    return isinstance(argument, str) or (isinstance(argument, list) and len(argument) == 1)


def functions_misspelt(templates: TemplateSet) -> Iterator[PackageFault]:
    """Misspelt functions, such as `get_parm`, are plain data for Heat, which it passes on to Nova."""
    names = [name for name in FUNCTIONS if "_" in name]
    for template in templates.templates.values():
        for use in template.resources_defined:
            for where, key in _single_keys(use.properties, (*use.where, "properties")):
                if key not in FUNCTIONS and (hint := suggest(key, names)):
                    message = f"{key!r} is no function of HOT, so Heat passes it on unchanged.{hint}"
                    yield template.document.fault((*where, key), message)


def _single_keys(value: Any, where: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, Mapping):
        if len(value) == 1 and isinstance(key := next(iter(value)), str) and "_" in key:
            yield where, key
        for name, child in value.items():
            yield from _single_keys(child, (*where, name))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _single_keys(child, (*where, index))


def calls(templates: TemplateSet) -> Iterator[tuple[Template, Call]]:
    return ((template, call) for template in templates.templates.values() for call in template.calls)


CHECKS = (
    Check("HOT_VERSION_UNKNOWN", "error", "a heat_template_version that does not exist", version_unknown),
    Check(
        "HOT_VERSION_NEWER", "warning", "a heat_template_version that the cloud does not have", version_newer, "error"
    ),
    Check("HOT_KEY_UNKNOWN", "error", "sections, and keys of resources and parameters", keys_unknown),
    Check("OUTPUT_KEY_UNKNOWN", "warning", "keys of outputs, which Liberty's Heat refuses", output_keys_unknown),
    Check("OUTPUT_FORM", "error", "outputs without a value", outputs_form),
    Check("FUNCTION_GONE", "error", "CloudFormation's functions", functions_gone),
    Check("FUNCTION_NEWER", "warning", "functions that the template's own version does not have", functions_newer),
    Check("FUNCTION_MISUSED", "error", "arguments that a function cannot work on", functions_misused),
    Check("FUNCTION_MISSPELT", "warning", "misspelt functions", functions_misspelt),
)
