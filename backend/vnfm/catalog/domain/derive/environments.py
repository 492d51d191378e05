"""Choose the environments with which a template is deployed, and merge several as `-e a.yaml -e b.yaml` does."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import yaml

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.documents import Document
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.check import listed
from vnfm.catalog.domain.hot.templates import FileReference, find_files, is_file

SUFFIX = ".env"
SECTIONS = ("parameters", "parameter_defaults", "resource_registry", "parameter_merge_strategies", "event_sinks")
_VALUES = ("parameters", "parameter_defaults")
_MOST_NAMED = 5
Place = tuple[str, ...]
"""Keys from the root of an environment to a value that stands or falls as a whole."""


def paired(template: str, environments: Iterable[str]) -> str:
    """The environment with the template's own name; "" when there is none."""
    wanted = {str(PurePosixPath(template).with_suffix(suffix)) for suffix in (SUFFIX, ".env.yaml")}
    return next((path for path in sorted(environments) if path in wanted), "")


def environments_of(
    template: str, templates: Mapping[str, Document], environments: Mapping[str, Document]
) -> tuple[tuple[str, ...], list[Finding]]:
    """Paths of those that the template is deployed with, in the order of their names.

    The one of its own name; else all that are for it, unless two contradict each other: then none.
    """
    if own := paired(template, environments):
        return (own,), []
    others = {paired(path, environments) for path in templates}
    free = {path: document for path, document in environments.items() if path not in others}
    fitting = sorted(path for path in free if _fits(template, free[path], templates))
    clashes = list(_contradictions([free[path] for path in fitting]))
    if clashes:
        return (), [_unclear(template, environments, "; ".join(clashes[:_MOST_NAMED]) + ". ")]
    if not fitting and environments:
        return (), [_unclear(template, environments, "")]
    if len(fitting) > 1:
        message = (
            f"{listed(fitting)} are merged to one environment in the order of their names, as the option -e of each "
            "would do: they do not contradict each other."
        )
        return tuple(fitting), [Finding("note", "ENVIRONMENT_MERGED", message, template)]
    return tuple(fitting), []


def merge(content: Content, paths: Iterable[str]) -> bytes:
    """One environment of all; its registry names files by their path from the root of the package."""
    merged: dict[str, Any] = {}
    for path in paths:
        for place, value in _values(content.yaml(path)):
            section = merged
            for key in place[:-1]:
                section = section.setdefault(key, {})
            section[place[-1]] = _from_root(content, content.yaml(path), place, value)
    head = f"# Merged from {', '.join(paths)}, in this order.\n"
    return (head + yaml.dump(merged, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=110)).encode()


def _fits(template: str, environment: Document, templates: Mapping[str, Document]) -> bool:
    """Whether it sets no parameter of a template, or of this one at least as many as of any other."""
    names = _mapping(environment, "parameters").keys()
    declared = {each: len(names & _mapping(document, "parameters").keys()) for each, document in templates.items()}
    return len(declared) == 1 or not names or 0 < declared[template] == max(declared.values())


def _contradictions(environments: Iterable[Document]) -> Iterator[str]:
    """Each value that two give differently, with both files and values."""
    known: dict[Place, tuple[str, Any]] = {}
    for document in environments:
        for place, value in _values(document):
            path, other = known.setdefault(place, (document.path, value))
            if other != value:
                key = " ".join(place[1:]) or place[0]
                yield f"{path} sets {key} to {_abbreviated(other)}, {document.path} to {_abbreviated(value)}"


def _values(document: Document) -> Iterator[tuple[Place, Any]]:
    """Yield the units that another environment overrides: a parameter, an entry of the registry, another section."""
    for section, body in document.data.items():
        if not isinstance(body, Mapping):
            if body is not None:
                yield (str(section),), body
        elif section == "resource_registry":
            yield from _entries(body, (section,))
        else:
            yield from (((str(section), str(name)), value) for name, value in body.items())


def _entries(registry: Mapping[Any, Any], place: Place) -> Iterator[tuple[Place, Any]]:
    for key, value in registry.items():
        if isinstance(value, Mapping):
            yield from _entries(value, (*place, str(key)))
        elif key != "base_url":  # _from_root
            yield (*place, str(key)), value


def _from_root(content: Content, document: Document, place: Place, value: Any) -> Any:
    """The name of a file in the registry, as it is written from the root of the package."""
    if place[0] != "resource_registry" or not isinstance(value, str) or not is_file(value):
        return value
    bases = [document.data["resource_registry"]]
    for key in place[1:-1]:
        bases.append(bases[-1][key])
    base = next((str(each["base_url"]) for each in reversed(bases) if isinstance(each.get("base_url"), str)), "")
    target = FileReference(document, place, value, base).target
    found = [path for name in (target, value) for path in find_files(content, document.path, name)]
    return found[0] if found else target


def _unclear(template: str, environments: Iterable[str], why: str) -> Finding:
    reason = why or f"None of {', '.join(sorted(environments))} is named like {template} or sets its parameters. "
    message = (
        f"{reason}The template is used without an environment. Give the right one the template's name "
        f"({paired_name(template)}), or leave the others out."
    )
    return Finding.of("warning", "ENVIRONMENT_UNCLEAR", PackageFault(template, message))


def paired_name(template: str) -> str:
    """The name by which an environment is the template's own."""
    return str(PurePosixPath(template).with_suffix(SUFFIX))


def _mapping(document: Document, section: str) -> Mapping[str, Any]:
    value = document.data.get(section)
    return value if isinstance(value, Mapping) else {}


def _abbreviated(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"  # noqa: PLR2004 (a line)
