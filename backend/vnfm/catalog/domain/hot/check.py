"""What a check is: a function from templates to faults, with a code and a weight, registered in a table."""

import difflib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from vnfm.catalog.domain.errors import Fault
from vnfm.catalog.domain.findings import Severity
from vnfm.catalog.domain.hot.templates import TemplateSet

Find = Callable[[TemplateSet], Iterator[Fault]]


@dataclass(frozen=True, slots=True)
class Check:
    code: str
    severity: Severity
    finds: str
    """What, as a phrase for the documentation."""
    find: Find
    chosen: Severity | None = None
    """The severity when a cloud was chosen, where that differs."""

    def severity_for(self, templates: TemplateSet) -> Severity:
        return self.chosen if self.chosen and templates.target.chosen else self.severity


def near(name: str, known: Iterable[str]) -> str:
    """Did you mean …? After a space, for a name that is almost right; "" for others."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f" Did you mean {matches[0]}?" if matches else ""


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Names for a sentence; a long list ends in dots."""
    known = sorted(names)
    return (", ".join(known[:limit]) + (", …" if len(known) > limit else "")) or "none"
