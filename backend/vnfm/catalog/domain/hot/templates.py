"""The templates of a package: all that the root leads to, and which file or type each name means."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice
from posixpath import dirname, join, normpath
from typing import Any
from unicodedata import normalize
from urllib.parse import urljoin

from hot.language import LIBERTY, VERSIONS
from hot.registry import TypeAliases
from vnfm.catalog.domain.content import MAX_YAML, Content
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.external_files import external_url, redacted_url, stored_path
from vnfm.catalog.domain.hot.template import (
    MAX_ENTRIES_TOGETHER,
    TEMPLATE_SUFFIXES,
    ResourceDefinition,
    Template,
    entries_of,
    file_references,
    read_template,
    size_faults,
)

_NO_TYPES = ("base_url", "hooks", "restricted_actions")
"""Keys of the registry other than those of resource types."""


@dataclass(frozen=True, slots=True)
class HeatTarget:
    """The Heat that the templates are for."""

    name: str = "OpenStack Liberty"
    release: int = LIBERTY
    chosen: bool = False
    """The user chose this cloud; if not, features newer than those of the oldest supported Heat are not errors."""
    functions: Mapping[str, Collection[str]] = field(default_factory=dict)
    """heat_template_version to its functions, empty where they are not known; empty: no version is known."""
    types: frozenset[str] = frozenset()
    """Resource types that its Heat lists; empty: not known."""
    extensions: frozenset[str] = frozenset()
    """Neutron's; empty: not known."""
    may_share: bool | None = None
    """Whether the user may create networks that are shared, external or of a provider; None: not known."""
    networks: tuple[str, ...] = ()
    """Names of those that Nova may put a server on that names none: the project's own and shared ones."""

    def functions_of(self, version: str) -> Collection[str] | None:
        """The functions of a heat_template_version, under any of its names; None: Heat does not have the version."""
        release = VERSIONS.get(version, version)
        return next((names for name, names in self.functions.items() if VERSIONS.get(name, name) == release), None)


OLDEST = HeatTarget()
"""The target when no cloud is chosen."""


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file name at its place in a document."""

    document: Document
    where: Path
    written: str
    base_url: str = ""
    """The address at which the registry's names start."""

    @property
    def target(self) -> str:
        """The name after `base_url`, as the OpenStack client joins them."""
        return urljoin(self.base_url.rstrip("/") + "/", self.written) if self.base_url else self.written

    @property
    def url(self) -> str:
        """The URL that is meant; "" for a path in the package."""
        return external_url(self.document.path, self.target)


@dataclass(frozen=True, slots=True)
class TemplateSet:
    root: Template
    environment: Document | None
    templates: Mapping[str, Template]
    """By path; the root and all templates that it leads to."""
    files: Mapping[str, str]
    """Files that Heat gets besides the root and the environment: name as written, to path in the package."""
    implementations: Mapping[str, tuple[str, ...]]
    """Resource type to the templates that the registry or the descriptor may map it to, names as written."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Resource type to the type that the registry maps it to."""
    target: HeatTarget = OLDEST
    unused: frozenset[str] = frozenset()
    """Templates that the registry lists and no resource uses, by path: Heat does not read them."""
    manager_parameters: frozenset[str] = frozenset()
    """Parameters of the root that the manager itself evaluates, whether the root uses them or not."""
    _registry: TypeAliases = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_registry", TypeAliases(self.aliases, self.implementations))

    def section(self, name: str) -> Mapping[str, Any]:
        """A section of the environment; empty when there is none."""
        found = self.environment.data.get(name) if self.environment else None
        return found if isinstance(found, Mapping) else {}

    def implementations_of(self, use: ResourceDefinition) -> tuple[Template, ...]:
        """The templates that the resource's type may be mapped to; empty for Heat's own types."""
        kind = self.resolved_type(use.type, use.name)
        names = self.implementations.get(f"{use.name}/{kind}") or self.implementations.get(kind) or (kind,)
        found = (self.templates.get(self.files.get(name, "")) for name in names)
        return tuple(template for template in found if template is not None)

    def resolved_type(self, kind: str, name: str = "") -> str:
        """The type after all aliases of the registry, with those for the resource `name` alone."""
        return self._registry.resolved_types(kind, name)[-1]


def in_use(templates: TemplateSet, registries: Iterable[Mapping[str, Any]]) -> TemplateSet:
    """The set for these choices of the registry: templates that no certain resource leads to then are unused."""
    chosen: dict[str, tuple[str, ...]] = {}
    for registry in registries:
        for kind, name in registry.items():
            if isinstance(name, str):
                chosen[kind] = (*chosen.get(kind, ()), name)
    decided = replace(templates, implementations={**templates.implementations, **chosen})
    used: set[str] = set()
    pending = [templates.root]
    while pending:
        template = pending.pop()
        if template.path not in used:
            used.add(template.path)
            certain = set(template.resource_types).difference(template.conditional)
            uses = (use for use in template.resources_defined if use.name in certain)
            pending += [nested for use in uses for nested in decided.implementations_of(use)]
    return replace(decided, unused=frozenset(templates.templates.keys() - used))


def is_outside(written: str) -> bool:
    """Return whether a name leads out of the package: a URL, or an absolute path."""
    return "://" in written or written.startswith(("/", "\\", "~")) or written[:5].lower() == "file:"


def packed_path(written: str) -> str:
    """Return the path below the package's root of a file on its author's disk (`/root/init.cfg`); "" for others."""
    path = written[7:] if written[:7].lower() == "file://" else written
    is_absolute = path.startswith("/") and "\\" not in path and _is_printable(path)
    return normpath(path).lstrip("/") if is_absolute else ""


def _is_printable(name: str) -> bool:
    """Joiners (U+200C, U+200D) belong to names, other format and control characters do not."""
    return name.replace("\u200c", "").replace("\u200d", "").isprintable()


def find_files(content: Content, referrer: str, written: str) -> list[str]:
    """The files that a name can mean: the stored copy of a URL, or else relative to the root of the package or to the
    file that names it; an absolute path means one below the root of the package.
    """
    url, packed = external_url(referrer, written), packed_path(written)
    candidates = [stored_path(url)] if url else [packed] if packed else []
    if not is_outside(written) and "\\" not in written and _is_printable(written):
        candidates += [normpath(written), normpath(join(dirname(referrer), written))]
    found = [path for path in dict.fromkeys(candidates) if path in content.files]
    if found or written.isascii():
        return found
    composed = content.by_composed_path
    return [composed[path] for path in dict.fromkeys(normalize("NFC", each) for each in candidates) if path in composed]


def load_templates(
    content: Content,
    root: FileReference,
    environment: str,
    alternatives: Mapping[str, Iterable[str]],
    mentions: Iterable[FileReference] = (),
) -> tuple[TemplateSet | None, list[Finding]]:
    """Read the root, the environment and all files that they name; None when the root cannot be read.

    `alternatives`: resource type to further templates that it may be mapped to; `mentions`: further files.
    """
    return _Loader(content).load_all(root, environment, alternatives, mentions)


class _Loader:
    def __init__(self, content: Content) -> None:
        self.content = content
        self.findings: list[Finding] = []
        self.templates: dict[str, Template] = {}
        self.files: dict[str, str] = {}
        self.yaml_left = MAX_YAML
        self.entries_left = MAX_ENTRIES_TOGETHER
        self.severity: Severity = "error"
        """The severity of a fault that keeps Heat from reading a file."""

    def load_all(
        self,
        root: FileReference,
        environment: str,
        alternatives: Mapping[str, Iterable[str]],
        mentions: Iterable[FileReference],
    ) -> tuple[TemplateSet | None, list[Finding]]:
        env = self._read(environment) if environment else None
        path = self._path(root)
        if path:
            self._follow(path)
        registry = dict(_registry(env)) if env else {}
        files = {kind: reference for kind, reference in registry.items() if is_file(reference.written)}
        aliases = {kind: reference.written for kind, reference in registry.items() if kind not in files}
        for mention in mentions:
            self._take(mention)
        unused = self._take_used(files, aliases, alternatives)
        if path not in self.templates:
            return None, self.findings
        self._texts({path, *self.files.values()})
        used = frozenset(self.templates)
        self._take_unused(unused)
        named = {kind: tuple(dict.fromkeys((*alternatives.get(kind, ()), m.written))) for kind, m in files.items()}
        named |= {kind: tuple(names) for kind, names in alternatives.items() if kind not in named}
        templates = TemplateSet(
            root=self.templates[path],
            environment=env,
            templates=self.templates,
            files=self.files,
            implementations=named,
            aliases=aliases,
            unused=frozenset(self.templates) - used,
        )
        return templates, self.findings

    def _take_used(
        self, files: Mapping[str, FileReference], aliases: Mapping[str, str], alternatives: Mapping[str, Iterable[str]]
    ) -> list[FileReference]:
        """Read the files that the registry maps the templates' types to; returns the others."""
        left, registry, known = dict(files), TypeAliases(aliases, files), 0
        named = [("", kind) for kind in alternatives]
        while True:
            new = islice(self.templates.values(), known, None)
            named += [(use.name, use.type) for template in new for use in template.resources_defined]
            known = len(self.templates)
            kinds = {(name, kind) for name, written in named for kind in registry.resolved_types(written, name)}
            named = []
            used = left.keys() & {key for name, kind in kinds for key in (kind, f"{name}/{kind}")}
            if not used:
                return list(left.values())
            for kind in sorted(used):
                self._take(left.pop(kind))

    def _take_unused(self, references: Iterable[FileReference]) -> None:
        """Files that Heat does not read: what is wrong with them is worth a warning."""
        self.severity = "warning"
        for reference in references:
            before = set(self.files)
            self._take(reference)
            unread = {name for name, path in self.files.items() if name not in before and self.content.text_fault(path)}
            self._texts({self.files.pop(name) for name in unread})
        self.severity = "error"

    def _report(self, code: str, fault: PackageFault) -> None:
        self.findings.append(Finding.of(self.severity, code, fault))

    def _read(self, path: str) -> Document | None:
        self.yaml_left -= self.content.files[path].size
        if self.yaml_left < 0:
            self._report(
                "YAML_TOO_MUCH", PackageFault(path, f"All templates together have more than {MAX_YAML} bytes.")
            )
            return None
        try:
            document = self.content.yaml(path)
        except PackageError as error:
            for fault in error.faults:
                self._report(error.code, fault)
            return None
        if too_large := size_faults(document):
            for fault in too_large:
                self._report("TEMPLATE_TOO_LARGE", fault)
            return None
        for fault in document.repeated_keys:
            meaning = replace(fault, message=f"{fault.message} Heat takes the value on this line.")
            self.findings.append(Finding.of("warning", "KEY_TWICE", meaning))
        return document

    def _follow(self, path: str) -> None:
        """Read a template and all files that it names."""
        document = self._read(path)
        if document is None:
            return
        self.entries_left -= entries_of(document)
        if self.entries_left < 0:
            message = f"All templates together have more than {MAX_ENTRIES_TOGETHER} parameters, resources and outputs."
            self._report("TEMPLATE_TOO_LARGE", PackageFault(path, message))
            return
        template, faults = read_template(document)
        self.templates[path] = template
        for fault in faults:
            self._report("HOT_FORM", fault)
        for where, written in file_references(template):
            self._take(FileReference(document, where, written))

    def _take(self, reference: FileReference) -> None:
        path = self._path(reference)
        if not path:
            return
        known = self.files.setdefault(reference.written, path)
        if known != path:
            message = (
                f"{redacted_url(reference.written)} means {path} here and {known} elsewhere, but Heat gets one file of "
                "that name. Write both paths from the root of the package."
            )
            self._report("FILE_AMBIGUOUS", reference.document.fault(reference.where, message))
        elif path.endswith(TEMPLATE_SUFFIXES) and path not in self.templates and _as_template(reference):
            self._follow(path)

    def _path(self, reference: FileReference) -> str:
        """The file that is meant; "" when there is none, with a finding."""
        url, files = reference.url, self.content.files
        for name in (reference.target, reference.written):
            for path in find_files(self.content, reference.document.path, name)[:1]:
                if url and path == stored_path(url):
                    message = f"{redacted_url(url)} is {path} in the package, SHA-256 {files[path].sha256}."
                    fault = reference.document.fault(reference.where, message)
                    self.findings.append(Finding.of("note", "FILE_FETCHED", fault))
                return path
        code, message = _absent(reference)
        fault = reference.document.fault(reference.where, message)
        self.findings.append(replace(Finding.of(self.severity, code, fault), url=url))
        return ""

    def _texts(self, paths: AbstractSet[str]) -> None:
        """Heat gets files as text inside JSON."""
        for path in sorted(paths - self.templates.keys()):
            fault = self.content.text_fault(path)
            if fault is not None:
                self._report("FILE_NOT_TEXT", fault)


def _absent(reference: FileReference) -> tuple[str, str]:
    """Code and words for a file that the package does not have."""
    if reference.url:
        return "FILE_OUTSIDE", (
            f"{redacted_url(reference.url)} lies outside of the package. Allow it to be fetched and stored with the "
            "package (in the API: fetch; not where only signed packages are accepted), or put the file into the "
            "package and write its path."
        )
    packed = packed_path(reference.target)
    if packed:
        message = f"{reference.target} is on the disk of the template's author. Send it with the others, as {packed}."
        return "FILE_MISSING", message
    if is_outside(reference.target):
        return "FILE_OUTSIDE", (
            f"{redacted_url(reference.target)} lies outside of the package, where nothing is read. Put the file into "
            "the package and write its path."
        )
    if normpath(join(dirname(reference.document.path), reference.target)).startswith("../"):
        return "FILE_MISSING", (
            f"{reference.written!r} lies above the folder that was sent. Send the folder around both as a whole."
        )
    message = f"The package has no file {reference.written!r}. Send it with the others, under this path."
    return "FILE_MISSING", message


def _as_template(reference: FileReference) -> bool:
    """Whether the file is used as a template, not by get_file."""
    return not reference.where or reference.where[-1] != "get_file"


def is_file(target: str) -> bool:
    return "/" in target or target.endswith(TEMPLATE_SUFFIXES)


def _registry(environment: Document) -> Iterator[tuple[str, FileReference]]:
    """Resource types and what the registry maps them to, including mappings for single resources."""
    registry = environment.data.get("resource_registry")
    yield from _entries(environment, registry, ("resource_registry",), "")
    single = registry.get("resources") if isinstance(registry, Mapping) else None
    base = _base_url(registry, "")
    for name, mapped in single.items() if isinstance(single, Mapping) else ():
        inner = _entries(environment, mapped, ("resource_registry", "resources", name), base)
        yield from ((f"{name}/{kind}", reference) for kind, reference in inner)


def _entries(environment: Document, mapped: Any, where: Path, base: str) -> Iterator[tuple[str, FileReference]]:
    """Entries of one level, whose names start at its own base_url or at `base`."""
    base = _base_url(mapped, base)
    for kind, target in mapped.items() if isinstance(mapped, Mapping) else ():
        if isinstance(kind, str) and isinstance(target, str) and kind not in _NO_TYPES:
            here = base if is_file(target) else ""
            yield kind, FileReference(environment, (*where, kind), target, here)


def _base_url(mapped: Any, above: str) -> str:
    found = mapped.get("base_url") if isinstance(mapped, Mapping) else None
    return found if isinstance(found, str) else above
