"""A check: a function from templates to faults, with a code and a severity, listed in a table."""

import difflib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.findings import Severity
from vnfm.catalog.domain.hot.templates import TemplateSet

Find = Callable[[TemplateSet], Iterator[PackageFault]]


@dataclass(frozen=True, slots=True)
class Check:
    code: str
    severity: Severity
    description: str
    """A phrase for the documentation that says which fault it finds."""
    find: Find
    chosen_severity: Severity | None = None
    """The severity when a cloud is chosen, where it differs."""

    def severity_for(self, templates: TemplateSet) -> Severity:
        return self.chosen_severity if self.chosen_severity and templates.target.chosen else self.severity


MAX_FAULTS = 100
"""Limit of one check: a person corrects a kind of fault, not a thousand places, each compared with a thousand names."""


def suggest(name: str, known: Iterable[str]) -> str:
    """A hint, after a space, for a name that is almost right; "" for others."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f" Did you mean {matches[0]}?" if matches else ""


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Names for a message; a long list ends in dots."""
    known = sorted(names)
    return (", ".join(known[:limit]) + (", …" if len(known) > limit else "")) or "none"
