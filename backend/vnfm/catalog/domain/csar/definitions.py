"""The TOSCA definitions of a CSAR: the entry and its imports from the CSAR; nothing is fetched from outside."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.content import MAX_YAML, Content
from vnfm.catalog.domain.csar.meta import TOSCA_VERSION, package_path
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.templates import find_files
from vnfm.kit.patterns import pattern

MAX_FILES = 50
_ANCESTORS = 20
_STANDARD = pattern(r"(?:.*/)?etsi_nfv_sol001_[a-z0-9_.]+\.ya?ml")
"""ETSI's own type definitions, imported by URL or by name: their content is known, and need not be in the CSAR."""


@dataclass(frozen=True, slots=True)
class Definitions:
    documents: tuple[Document, ...]
    """The entry first."""
    node_types: Mapping[str, Mapping[str, Any]]
    """Types that the CSAR itself defines, as the next."""
    interface_types: Mapping[str, Mapping[str, Any]]

    def ancestry(self, kind: str) -> Iterator[str]:
        """The type of a node and its ancestors, nearest first."""
        return _ancestry(self.node_types, kind)

    def interface_ancestry(self, kind: str) -> Iterator[str]:
        """As `ancestry`, of an interface."""
        return _ancestry(self.interface_types, kind)


def _ancestry(types: Mapping[str, Mapping[str, Any]], kind: str) -> Iterator[str]:
    for _ in range(_ANCESTORS):
        yield kind
        above = types.get(kind, {}).get("derived_from")
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
    return Definitions(
        documents, *(_types(documents, each) for each in ("node_types", "interface_types"))
    ), loader.findings


def _types(documents: Sequence[Document], section: str) -> dict[str, Mapping[str, Any]]:
    types = [pair for document in documents for pair in mapping(document.data, section).items()]
    return {str(name): kind for name, kind in types if isinstance(kind, Mapping)}


def mapping(data: Any, *keys: str) -> Mapping[str, Any]:
    """The value at the keys, if it is a mapping; empty otherwise."""
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
                self._report("error", document, where, f"The imports form a cycle: {way}.")
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
            self._report("error", document, (), f"This is no TOSCA definition: there is no {TOSCA_VERSION}.")
            return None
        return document

    def _target(self, document: Document, where: Path, written: Any) -> str:
        """The file of an import; "" when there is none that may be read, with a finding."""
        if not isinstance(written, str):
            self._report("error", document, where, "An import must name a file.")
            return ""
        relative = package_path(document.path, written)
        found = [relative] if relative in self.content.files else find_files(self.content, "", written)
        if found:
            return found[0]
        if _STANDARD.fullmatch(written):
            message = "ETSI's types are known and not fetched: types of newer versions of SOL001 are ignored."
            self._report("note", document, where, message)
            return ""
        message = (
            f"The CSAR has no file {written!r}."
            if relative
            else f"{written} is outside of the CSAR, and nothing is read or fetched from elsewhere. Put the file "
            "into the CSAR and import it by its path."
        )
        self._report("error", document, where, message)
        return ""

    def _report(self, severity: Severity, document: Document, where: Path, message: str) -> None:
        self.findings.append(Finding.of(severity, "CSAR_IMPORT", document.fault(where, message)))


def _imports(document: Document) -> Iterator[tuple[Path, Any]]:
    """Each import as written: a path, {file: path}, or {name: either} (TOSCA Simple Profile 1.2, 3.6.8)."""
    entries = document.data.get("imports")
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        where: Path = ("imports", index)
        message = entry
        if isinstance(entry, Mapping) and "file" not in entry and len(entry) == 1:
            name, message = next(iter(entry.items()))
            where = (*where, name)
        if isinstance(message, Mapping):
            yield (*where, "file"), f"{message['repository']}://" if "repository" in message else message.get("file")
        else:
            yield where, message
