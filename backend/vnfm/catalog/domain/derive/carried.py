"""Findings about parts of an upload that Heat does not read as a template, so that nothing is dropped in silence."""

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.derive.environments import SECTIONS, paired_name
from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.check import listed
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, Template
from vnfm.catalog.domain.hot.templates import TemplateSet, find_files


def carried_files(content: Content, templates: TemplateSet, used: Collection[str]) -> Iterator[Finding]:
    """Notes about files of the upload that Heat gets as text, and about those that it does not get.

    `used`: further files with a use, such as images and what a CSAR describes itself with.
    """
    root = templates.root
    texts = sorted(path for path in _texts(content, templates) if path.endswith(TEMPLATE_SUFFIXES))
    if texts:
        message = f"Heat gets {listed(texts)} as text (get_file): what is in it is not checked."
        yield Finding("note", "FILE_AS_TEXT", message, root.path)
    read = {*templates.templates, *templates.files.values(), *used, manifest.NAME}
    left = sorted(content.files.keys() - read)
    if left:
        message = (
            f"Nothing names {listed(left)}: Heat does not get {'them' if len(left) > 1 else 'it'}, and the package "
            "keeps all files as they were sent."
        )
        yield Finding("note", "FILE_UNUSED", message)
    for path in left:
        if path.endswith(".json") and _has_parameters(content, path, root):
            message = (
                "It has values for parameters of the template, and is not read: Heat takes them from an environment. "
                f"Write them below parameters: in {paired_name(root.path)}, or enter them at instantiation."
            )
            yield Finding("warning", "ENVIRONMENT_JSON", message, path)


def _texts(content: Content, templates: TemplateSet) -> Iterator[str]:
    """Yield files that get_file names, except templates."""
    for template in templates.templates.values():
        for call in template.called("get_file"):
            found = find_files(content, template.path, str(call.argument))[:1]
            yield from (path for path in found if path not in templates.templates)


def _has_parameters(content: Content, path: str, root: Template) -> bool:
    data = _json(content, path)
    sections = [data, *(data.get(section) for section in SECTIONS)] if isinstance(data, Mapping) else []
    names = {str(name) for section in sections if isinstance(section, Mapping) for name in section}
    return PurePosixPath(path).name != manifest.NAME and bool(names & root.parameters.keys())


def _json(content: Content, path: str) -> Any:
    if content.files[path].size > MAX_BYTES:
        return None
    try:
        return json.loads(content.read(path))
    except (ValueError, RecursionError):
        return None
