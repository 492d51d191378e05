"""Findings about generated templates and environments get their places in the files that were sent."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vnfm.catalog.domain.documents import Document, pointer
from vnfm.catalog.domain.findings import Finding

Originals = Mapping[str, Sequence[Document]]
"""A generated file to what it was made from; of several the last that has a value is the one that counts."""
_RENAMED: Mapping[str, str] = {"resource_def": "resource", "count": "desired_capacity"}
"""Properties of a ResourceGroup to those of the AutoScalingGroup that it was (`scaled_groups`)."""


def relocated(findings: Iterable[Finding], originals: Originals) -> list[Finding]:
    """The findings, those of a generated file at the place of its original that they are about."""
    return [_relocated(each, originals) if each.file in originals else _renamed(each, originals) for each in findings]


def _relocated(finding: Finding, originals: Originals) -> Finding:
    steps = [step.replace("~1", "/").replace("~0", "~") for step in finding.pointer.split("/")[1:]]
    places = [(document, _place(document.data, steps)) for document in originals[finding.file]]
    document, where = max(reversed(places), key=lambda place: len(place[1]))
    line = document.line(where) if finding.line else 0
    moved = replace(finding, file=document.path, line=line, pointer=pointer(where))
    return _renamed(moved, originals)


def _renamed(finding: Finding, originals: Originals) -> Finding:
    """Name the originals in the finding's message."""
    message = finding.message
    for path, documents in originals.items():
        message = message.replace(path, documents[-1].path)
    return finding if message == finding.message else replace(finding, message=message)


def _place(data: Any, steps: Iterable[str]) -> tuple[str | int, ...]:
    """Follow the steps as far as they lead in the data."""
    where: list[str | int] = []
    for step in steps:
        key: str | int = int(step) if isinstance(data, list) and step.isdecimal() else step
        if isinstance(data, Mapping) and key not in data:
            key = _RENAMED.get(step, step)
        try:
            data = data[key]
        except (LookupError, TypeError):
            break
        where.append(key)
    return tuple(where)
