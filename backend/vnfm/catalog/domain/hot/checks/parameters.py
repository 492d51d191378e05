"""Checks of values that are known before deployment: defaults, and values of the environment."""

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from hot.language import release_name
from hot.patterns import unchecked_reason
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed, suggest
from vnfm.catalog.domain.hot.template import Parameter, normalised
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.settings import value_error
from vnfm.kit.patterns import pattern

ENVIRONMENT_SECTIONS = ("parameters", "parameter_defaults", "resource_registry")
"""Sections of an environment that Liberty's Heat knows."""
_NEWER_SECTIONS: Mapping[str, int] = {
    "encrypted_param_names": 5,
    "event_sinks": 6,
    "parameter_merge_strategies": 7,
}
"""Later sections, with the release of Heat that introduced each (heat/common/environment_format.py)."""
_PLACEHOLDER = pattern(
    r"(?is)<[^<>]*>|put .* here\b.*|(change|replace)[ _-]?(me|this)\b.*|to ?do\b.*|tbd\b.*|xxx+|your[ _-][\w -]*"
    r"|(please )?(assign|choose|enter|fill in|insert|provide|put|select|specify|type) (an?|the|your|one of) .*"
    r"|[\w.-]+ or [\w.-]+"
)
_LONGEST_PLACEHOLDER = 200
_SECRET = pattern(r"(?i)(password|passwd|secret|private_?key|passphrase|api_?key)")
_MEANT_CONTROLS = "\n\t\r"


def defaults(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        for parameter in template.parameters.values():
            error = _error(parameter, parameter.default) if parameter.default is not None else ""
            if error:
                yield template.document.fault(("parameters", parameter.name, "default"), f"The default: {error}")


def environment_form(templates: TemplateSet) -> Iterator[PackageFault]:
    environment = templates.environment
    if environment is None:
        return
    for section, value in environment.data.items():
        if section in _NEWER_SECTIONS:
            continue
        if section not in ENVIRONMENT_SECTIONS:
            hint = suggest(section, ENVIRONMENT_SECTIONS)
            message = f"Heat knows no section {section!r} in an environment.{hint}"
            yield environment.fault((section,), message)
        elif value is None and section == "resource_registry":
            yield environment.fault((section,), f"{section} is empty, and Heat refuses that: leave the line out.")
        elif value is not None and not isinstance(value, Mapping):
            yield environment.fault((section,), f"{section} must be a mapping.")


def environment_newer(templates: TemplateSet) -> Iterator[PackageFault]:
    for section in templates.environment.data if templates.environment else ():
        release = _NEWER_SECTIONS.get(section, 0)
        if templates.environment and release > templates.target.release:
            message = f"{section} came with {release_name(release)}; the Heat of {templates.target.name} refuses it."
            yield templates.environment.fault((section,), message)


def environment_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for document, where, name, _ in _environment_values(templates, "parameters"):
        if name not in templates.root.parameters:
            message = (
                f"{templates.root.path} declares no parameter {name!r}, and Heat refuses values for others. It has "
                f"{listed(templates.root.parameters, 12)}.{suggest(name, templates.root.parameters)}"
            )
            yield document.fault(where, message)


def environment_defaults_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    declared = {name for template in templates.templates.values() for name in template.parameters}
    for document, where, name, _ in _environment_values(templates, "parameter_defaults"):
        if name not in declared:
            yield document.fault(where, f"No template declares a parameter {name!r}.{suggest(name, declared)}")


def environment_values(templates: TemplateSet) -> Iterator[PackageFault]:
    for section in ("parameters", "parameter_defaults"):
        for document, where, name, value in _environment_values(templates, section):
            parameter = templates.root.parameters.get(name)
            error = _error(parameter, normalised(parameter.type, value)) if parameter and value is not None else ""
            if error and not is_placeholder(value):
                yield document.fault(where, f"{name}: {error}")


def placeholders(templates: TemplateSet) -> Iterator[PackageFault]:
    for section in ("parameters", "parameter_defaults"):
        for document, where, name, value in _environment_values(templates, section):
            if is_placeholder(value):
                message = (
                    f"{value!r} is a placeholder for {name}. Write the real value, or leave the line out: then the "
                    "operator must enter one."
                )
                yield document.fault(where, message)


def patterns_unchecked(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        for parameter in template.parameters.values():
            for rule in parameter.constraints:
                reason = unchecked_reason(rule.spec) if rule.kind == "allowed_pattern" else ""
                if reason:
                    yield template.document.fault(
                        ("parameters", parameter.name, "constraints"), f"{reason} Only Heat checks its values."
                    )


def control_characters(templates: TemplateSet) -> Iterator[PackageFault]:
    """They would get into names, addresses and logs, invisibly."""
    documents = [(t.document, t.document.data.get("parameters")) for t in templates.templates.values()]
    if templates.environment:
        documents.append((templates.environment, templates.environment.data))
    for document, data in documents:
        prefix = () if document is templates.environment else ("parameters",)
        for where, text in _texts(data, prefix):
            wrong = next((c for c in text if unicodedata.category(c) == "Cc" and c not in _MEANT_CONTROLS), "")
            if wrong:
                message = f"The text holds a control character (U+{ord(wrong):04X}). Remove it."
                yield document.fault(where, message)


def groups(templates: TemplateSet) -> Iterator[PackageFault]:
    for template in templates.templates.values():
        seen: set[str] = set()
        for where, name in _grouped(template.document):
            if not isinstance(name, str) or name not in template.parameters:
                hint = suggest(str(name), template.parameters)
                yield template.document.fault(where, f"The group names {name!r}, which is no parameter.{hint}")
            elif name in seen:
                yield template.document.fault(where, f"Parameter {name} is in two groups; Heat allows one.")
            seen.add(str(name))


def _grouped(document: Document) -> Iterator[tuple[Path, Any]]:
    entries = document.data.get("parameter_groups")
    for i, group in enumerate(entries if isinstance(entries, list) else ()):
        names = group.get("parameters") if isinstance(group, Mapping) else None
        for j, name in enumerate(names if isinstance(names, list) else ()):
            yield ("parameter_groups", i, "parameters", j), name


def secrets_not_hidden(templates: TemplateSet) -> Iterator[PackageFault]:
    for parameter in templates.root.parameters.values():
        if _SECRET.search(parameter.name) and not parameter.hidden and parameter.type == "string":
            message = f"{parameter.name} looks like a secret: with hidden: true neither Heat nor this manager shows it."
            yield templates.root.document.fault(("parameters", parameter.name), message)


def is_placeholder(value: Any) -> bool:
    """Whether the text asks to be replaced, as in ONAP's "PUT THE IMAGE NAME HERE"."""
    return isinstance(value, str) and len(value) <= _LONGEST_PLACEHOLDER and bool(_PLACEHOLDER.fullmatch(value.strip()))


def _error(parameter: Parameter, value: Any) -> str:
    return value_error(parameter.type, parameter.constraints, value)


def _environment_values(templates: TemplateSet, section: str) -> Iterator[tuple[Document, Path, str, Any]]:
    if templates.environment:
        for name, value in templates.section(section).items():
            yield templates.environment, (section, name), str(name), value


def _texts(value: Any, where: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, child in value.items():
            yield from _texts(str(key), (*where, key))
            yield from _texts(child, (*where, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _texts(child, (*where, index))


CHECKS = (
    Check("DEFAULT_INVALID", "error", "defaults that the parameter's own constraints refuse", defaults),
    Check("ENVIRONMENT_FORM", "error", "sections of an environment that Heat does not know", environment_form),
    Check(
        "ENVIRONMENT_NEWER",
        "warning",
        "sections of an environment that the cloud's Heat is too old for",
        environment_newer,
        "error",
    ),
    Check("ENVIRONMENT_UNKNOWN", "error", "values for parameters that the root does not declare", environment_unknown),
    Check("ENVIRONMENT_UNUSED", "warning", "defaults for parameters of no template", environment_defaults_unknown),
    Check("ENVIRONMENT_VALUE", "error", "values that the constraints refuse", environment_values),
    Check("PLACEHOLDER", "warning", "placeholders instead of values", placeholders),
    Check("PATTERN_UNCHECKED", "warning", "patterns that only Heat can check", patterns_unchecked),
    Check("CONTROL_CHARACTER", "error", "control characters in parameters", control_characters),
    Check("GROUP_INVALID", "error", "parameter_groups that do not fit the parameters", groups),
    Check("SECRET_SHOWN", "warning", "secrets that are not hidden", secrets_not_hidden),
)
