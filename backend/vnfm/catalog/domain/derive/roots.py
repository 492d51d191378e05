"""Finds the root template among the files, and its environment."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.content import MAX_YAML, Content
from vnfm.catalog.domain.derive.environments import SECTIONS, SUFFIX, environments_of, paired
from vnfm.catalog.domain.documents import MAX_BYTES, Document
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.foreign_formats import recognise_package
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, file_references, read_template, size_faults
from vnfm.catalog.domain.hot.templates import find_files, is_outside, packed_path

_ROOT_SUFFIXES = (*TEMPLATE_SUFFIXES, ".hot")
"""A nested template cannot end in .hot, since clients send it by its suffix; a root is named by the user."""
_NEXT = (
    "Choose one (in the API: root), leave one, give the root an environment of the same name (x.yaml and x.env), or "
    "add a vnfd.yaml that names it."
)


@dataclass(frozen=True, slots=True)
class Root:
    template: str
    environments: tuple[str, ...] = ()
    """Merged in this order; none when there are none."""
    name: str = ""
    """The name in the files' own manifest; "" when there is none."""
    chosen: bool = False
    """The user named it: another root of the same files is another VNF."""


def find_root(content: Content, chosen: str = "") -> tuple[Root | None, list[Finding]]:
    """The root: the `chosen` one, the one that ONAP's manifest names, the one with an environment of its name, or the
    one that no file names.
    """
    findings: list[Finding] = []
    root = None if chosen else _by_manifest(content, findings)
    if root or any(finding.severity == "error" for finding in findings):
        return root, findings
    found = _read(content, findings)
    if found is None:
        return None, findings
    roots = [chosen] if chosen in found.templates else [] if chosen else found.roots()
    if findings and not (chosen in roots or (len(roots) == 1 and paired(roots[0], found.environments))):
        return None, findings
    findings.clear()  # files that nothing uses may be no YAML
    if len(roots) != 1:
        message = _unclear(found.candidates()) if not chosen else f"{chosen!r} is none of the templates. {_NEXT}"
        foreign = () if found.templates else _foreign(content)
        return None, [*foreign, Finding("error", "ROOT_UNCLEAR", message)]
    environments, said = environments_of(roots[0], found.templates, found.environments)
    return Root(roots[0], environments, chosen=bool(chosen)), [*findings, *said]


def root_candidates(content: Content) -> list[str]:
    """The templates that can be the root, those first that no other file names."""
    found = _read(content, [])
    return found.candidates() if found else []


def missing_files(content: Content) -> list[str]:
    """Files that templates name and that were not sent, by the paths under which they can be."""
    found = _read(content, [])
    named = (
        (path, written) for path, document in (found.templates.items() if found else ()) for written in _names(document)
    )
    missing = {written for path, written in named if not find_files(content, path, written)}
    return sorted({packed_path(w) or w for w in missing if packed_path(w) or not is_outside(w)})


@dataclass(frozen=True, slots=True)
class _Files:
    templates: Mapping[str, Document]
    environments: Mapping[str, Document]
    named: set[str]
    """Files that other files name."""

    def candidates(self) -> list[str]:
        return sorted(self.templates, key=lambda path: (path in self.named, path))

    def roots(self) -> list[str]:
        """The one template with an environment of its name, among those that no file names or else among all."""
        unnamed = [path for path in self.candidates() if path not in self.named]
        for among in (unnamed, [] if unnamed else self.candidates()):
            with_own = [path for path in among if paired(path, self.environments)]
            if len(with_own) == 1:
                return with_own
        return unnamed


def _read(content: Content, findings: list[Finding]) -> _Files | None:
    """Return None when there is too much to read.

    A file that is not a mapping in YAML is a finding where Heat may have to read it: the others are texts, such as
    playbooks and manifests of Kubernetes.
    """
    paths = sorted(path for path in content.files if path.endswith((*_ROOT_SUFFIXES, SUFFIX)))
    paths = [path for path in paths if path.endswith(SUFFIX) or _mentions(content, path, *_KEYS)]
    if sum(content.files[path].size for path in paths) > MAX_YAML:
        findings.append(Finding("error", "YAML_TOO_MUCH", f"All YAML files together have more than {MAX_YAML} bytes."))
        return None
    documents: dict[str, Document] = {}
    unreadable: dict[str, PackageError] = {}
    for path in paths:
        try:
            documents[path] = content.yaml(path)
        except PackageError as error:
            unreadable[path] = error
    templates = {path: doc for path, doc in documents.items() if _VERSION in doc.data}
    environments = {p: doc for p, doc in documents.items() if p not in templates and set(SECTIONS) & set(doc.data)}
    named = _named(content, documents, templates, environments)
    own = {paired(template, unreadable) for template in templates}
    for path, refused in unreadable.items():
        if path not in named and (path in own or _is_for_heat(content, path)):
            findings += [Finding.of("error", refused.code, fault) for fault in refused.faults]
    return _Files(templates, environments, named)


def _mentions(content: Content, path: str, *words: str) -> bool:
    """Whether the file, or the begin of one that is too large to be read, has one of the words."""
    head = content.head(path, MAX_BYTES)
    return any(word.encode() in head for word in words)


def _is_for_heat(content: Content, path: str) -> bool:
    """Return whether a file that YAML refuses looks like a template or an environment."""
    marks = (_VERSION, "parameters:" if path.endswith(SUFFIX) else "parameter_defaults:", "resource_registry:")
    return any(line.startswith(tuple(map(str.encode, marks))) for line in content.head(path, MAX_BYTES).splitlines())


_VERSION = "heat_template_version"
_KEYS = (_VERSION, *SECTIONS)
_MOST_RECOGNISED = 3


def _foreign(content: Content) -> Iterator[Finding]:
    """Name the formats of the files, where no file is a template."""
    found = recognise_package(content.files, content.head)
    for path, recognised in islice(found.items(), _MOST_RECOGNISED):
        fault = PackageFault(path, recognised.sentence, line=recognised.line)
        yield Finding.of("error", "FILE_FOREIGN", fault)


def _unclear(candidates: list[str]) -> str:
    if not candidates:
        return "There is no root HOT among the files: none has a heat_template_version, or another file names each."
    return f"Each of {', '.join(candidates[:10])} could be the root template. {_NEXT}"


def _named(
    content: Content, documents: Mapping[str, Document], templates: Mapping[str, Document], environments: Iterable[str]
) -> set[str]:
    """Files that other files name; not a template by the registry of the environment with its own name."""
    found: set[str] = set()
    for path, document in templates.items():
        for written in _names(document):
            found.update(other for other in find_files(content, path, written)[:1] if other != path)
    for path, document in documents.items():
        registry = document.data.get("resource_registry")
        for target in registry.values() if isinstance(registry, Mapping) else ():
            for file in find_files(content, path, target)[:1] if isinstance(target, str) else ():
                if paired(file, environments) != path:
                    found.add(file)
    return found


def _names(document: Document) -> Iterator[str]:
    """Files that a template names; none of one that is too large to be read."""
    if not size_faults(document):
        yield from (written for _, written in file_references(read_template(document)[0]))


def _by_manifest(content: Content, findings: list[Finding]) -> Root | None:
    """ONAP's MANIFEST.json: `data` lists the Heat templates, `isBase` says which is the root."""
    path = min((p for p in content.files if PurePosixPath(p).name == manifest.NAME), key=len, default="")
    data = _json(content, path) if path else None
    entries = data.get("data") if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(entries, list):
        return None
    heats = [entry for entry in entries if isinstance(entry, Mapping) and entry.get("type") == "HEAT"]
    bases = [entry for entry in heats if str(entry.get("isBase")).lower() == "true"] or heats[:1]
    if not bases:
        findings.append(Finding("error", "ROOT_UNCLEAR", f"{path} names no template of type HEAT.", path))
        return None
    base, folder = bases[0], str(PurePosixPath(path).parent)
    inner = base.get("data")
    envs = [
        e for e in (inner if isinstance(inner, list) else ()) if isinstance(e, Mapping) and e.get("type") == "HEAT_ENV"
    ]
    files = [_placed(folder, entry.get("file")) for entry in (base, *envs[:1])]
    missing = [file for file in files if file not in content.files]
    if missing:
        fault = PackageFault(path, f"The manifest names {', '.join(missing)}, which is not among the files.")
        findings.append(Finding.of("error", "FILE_MISSING", fault))
        return None
    left = [str(entry.get("file")) for entry in heats if entry is not base]
    if left:
        message = (
            f"Only {files[0]} is used. {', '.join(left)} would be stacks of their own: make a package of each, by "
            "choosing it as the root."
        )
        findings.append(Finding("warning", "MODULE_LEFT_OUT", message, path))
    return Root(files[0], tuple(files[1:]), str(data.get("name") or ""))


def _placed(folder: str, file: Any) -> str:
    return str(PurePosixPath(folder) / str(file))


def _json(content: Content, path: str) -> Any:
    if content.files[path].size > MAX_BYTES:
        return None
    try:
        return json.loads(content.read(path))
    except (ValueError, RecursionError):
        return None
