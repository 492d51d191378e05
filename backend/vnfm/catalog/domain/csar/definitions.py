"""The TOSCA definitions of a CSAR: the entry and all that it imports from inside the CSAR, and nothing from outside."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.csar.meta import TOSCA_VERSION, inside
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.templates import find
from vnfm.catalog.domain.sources import MAX_YAML, Content

MAX_FILES = 50
_ANCESTORS = 20
_STANDARD = re.compile(r"https?://.*/etsi_nfv_sol001_[a-z0-9_.]+\.ya?ml")
"""ETSI's own type definitions, which everybody imports by address: what they say is known."""


@dataclass(frozen=True, slots=True)
class Definitions:
    documents: tuple[Document, ...]
    """The entry first."""
    node_types: Mapping[str, Mapping[str, Any]]
    """Those that the CSAR itself defines."""

    def ancestry(self, kind: str) -> Iterator[str]:
        """The type and what it is derived from, nearest first."""
        for _ in range(_ANCESTORS):
            yield kind
            above = self.node_types.get(kind, {}).get("derived_from")
            if not isinstance(above, str):
                return
            kind = above


def load_definitions(content: Content, entry: str) -> tuple[Definitions | None, list[Finding]]:
    """Read the entry and its imports; None when it cannot be read."""
    loader = _Loader(content)
    loader.follow(entry, ())
    documents = tuple(loader.documents.values())
    if any(finding.severity == "error" for finding in loader.findings) or not documents:
        return None, loader.findings
    types = {name: kind for document in documents for name, kind in mapping(document.data, "node_types").items()}
    known = {str(name): kind for name, kind in types.items() if isinstance(kind, Mapping)}
    return Definitions(documents, known), loader.findings


def mapping(data: Any, *keys: str) -> Mapping[str, Any]:
    """What the keys lead to, if it is a mapping; empty otherwise."""
    for key in keys:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


class _Loader:
    def __init__(self, content: Content) -> None:
        self.content = content
        self.documents: dict[str, Document] = {}
        self.findings: list[Finding] = []
        self.yaml_left = MAX_YAML

    def follow(self, path: str, above: tuple[str, ...]) -> None:
        document = self._read(path)
        if document is None:
            return
        self.documents[path] = document
        for where, written in _imports(document):
            target = self._target(document, where, written)
            if target in (*above, path):
                way = " → ".join((*above, path, target))
                self._say("error", document, where, f"The imports lead in a circle: {way}.")
            elif target and target not in self.documents:
                self.follow(target, (*above, path))

    def _read(self, path: str) -> Document | None:
        self.yaml_left -= self.content.files[path].size
        if len(self.documents) >= MAX_FILES or self.yaml_left < 0:
            message = f"The definitions are more than {MAX_FILES} files, or more than {MAX_YAML} bytes."
            self.findings.append(Finding("error", "CSAR_IMPORT", message, path))
            return None
        try:
            document = self.content.yaml(path)
        except PackageError as error:
            self.findings += [Finding.of("error", error.code, fault) for fault in error.faults]
            return None
        if TOSCA_VERSION not in document.data:
            self._say("error", document, (), f"This is no TOSCA definition: there is no {TOSCA_VERSION}.")
            return None
        return document

    def _target(self, document: Document, where: Path, written: Any) -> str:
        """The file that an import means; "" when there is none, or none to be read, which is then said."""
        if not isinstance(written, str):
            self._say("error", document, where, "An import must name a file.")
            return ""
        if _STANDARD.fullmatch(written):
            said = "ETSI's types are known and not fetched: what is not in SOL001 as we know it is passed over."
            self._say("note", document, where, said)
            return ""
        beside = inside(document.path, written)
        found = [beside] if beside in self.content.files else find(self.content.files, "", written)
        if found:
            return found[0]
        message = (
            f"The CSAR has no file {written!r}."
            if beside
            else f"{written} lies outside of the CSAR, and nothing is read or fetched from elsewhere. Put the file "
            "into the CSAR and import it by its path."
        )
        self._say("error", document, where, message)
        return ""

    def _say(self, severity: Severity, document: Document, where: Path, message: str) -> None:
        self.findings.append(Finding.of(severity, "CSAR_IMPORT", document.fault(where, message)))


def _imports(document: Document) -> Iterator[tuple[Path, Any]]:
    """Each import as written: a path, {file: path}, or {name: either} (TOSCA Simple Profile 1.2, 3.6.8)."""
    entries = document.data.get("imports")
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        where: Path = ("imports", index)
        said = entry
        if isinstance(entry, Mapping) and "file" not in entry and len(entry) == 1:
            name, said = next(iter(entry.items()))
            where = (*where, name)
        if isinstance(said, Mapping):
            yield (*where, "file"), f"{said['repository']}://" if "repository" in said else said.get("file")
        else:
            yield where, said
