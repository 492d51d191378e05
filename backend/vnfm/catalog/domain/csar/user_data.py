"""Classes in a CSAR that another manager would run to fill its templates: said, and never run."""

from collections.abc import Iterator

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.meta import MAX_TEXT
from vnfm.catalog.domain.findings import Finding
from vnfm.kit.patterns import pattern

_CLASS = pattern(r"(?m)^class\s+(\w{1,100})\s*\([\w.\s,]*UserData")
"""Tacker's: derived from AbstractUserData, or from a class of its own that is."""


def find_user_data(content: Content) -> Iterator[Finding]:
    """A warning for each class, with what does its work here."""
    for path in sorted(content.files):
        if path.endswith(".py") and content.files[path].size <= MAX_TEXT:
            source = content.read(path).decode("latin-1")
            for found in _CLASS.finditer(source):
                message = (
                    f"{found[1]} is Python that Tacker runs to fill the template, and no code of packages is "
                    "run here. What it passes on is here already: each value that the template reads is a setting, "
                    "and sizes are SOL001's levels. What it computes beyond that, give in the request "
                    "(additionalParams), or write it into the template as a default."
                )
                line = source.count("\n", 0, found.start()) + 1
                yield Finding("warning", "CSAR_USER_DATA", message, path, line)
