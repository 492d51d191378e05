"""The templates of a package together: what is reached from the root, and which file or type each name means."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any

from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import Fault, PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.language import LIBERTY
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, Template, Use, file_references, read_template
from vnfm.catalog.domain.sources import MAX_YAML, Content

_ALIASES = 5
"""Types that stand for types that stand for types …: more is a circle."""


@dataclass(frozen=True, slots=True)
class Target:
    """The Heat that the templates are for."""

    name: str = "OpenStack Liberty"
    release: int = LIBERTY
    chosen: bool = False
    """Whether somebody chose this cloud; otherwise it is the oldest that we serve, and newer ones are no fault."""


OLDEST = Target()
"""What is looked at when nobody chose a cloud."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A file as it is named somewhere."""

    document: Document
    where: Path
    written: str


@dataclass(frozen=True, slots=True)
class TemplateSet:
    root: Template
    environment: Document | None
    templates: Mapping[str, Template]
    """By path; the root and all that it leads to."""
    files: Mapping[str, str]
    """What Heat must be given besides the root and the environment: name as written, to path in the package."""
    implementations: Mapping[str, tuple[str, ...]]
    """Resource type to the files that may stand for it, as they are named: by the registry, or by the descriptor."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Resource type to the type that the registry puts in its place."""
    target: Target = OLDEST
    steering: frozenset[str] = frozenset()
    """Parameters of the root whose values the manager itself acts by, whether the root uses them or not."""

    def section(self, name: str) -> Mapping[str, Any]:
        """A section of the environment; empty when there is none."""
        found = self.environment.data.get(name) if self.environment else None
        return found if isinstance(found, Mapping) else {}

    def behind(self, use: Use) -> tuple[Template, ...]:
        """The templates that may stand for what is used there; empty for a type of Heat's own."""
        kind = self.meant(use.type)
        names = self.implementations.get(f"{use.name}/{kind}") or self.implementations.get(kind) or (kind,)
        found = (self.templates.get(self.files.get(name, "")) for name in names)
        return tuple(template for template in found if template is not None)

    def meant(self, kind: str) -> str:
        """The type that the registry puts in the place of this one, itself when none."""
        for _ in range(_ALIASES):
            kind = self.aliases.get(kind, kind)
        return kind


def outside(written: str) -> bool:
    """Whether a name leads out of the package: an address, or a path from the root of some machine."""
    return "://" in written or written.startswith(("/", "\\", "~")) or written[:5].lower() == "file:"


def find(files: Collection[str], referrer: str, written: str) -> list[str]:
    """The files that a name can mean: from the root of the package, or else from beside the file that says it."""
    if outside(written) or "\\" in written or not written.isprintable():
        return []
    candidates = (normpath(written), normpath(join(dirname(referrer), written)))
    return [path for path in dict.fromkeys(candidates) if path in files]


def load(
    content: Content,
    root: Mention,
    environment: str,
    alternatives: Mapping[str, Iterable[str]],
    mentions: Iterable[Mention] = (),
) -> tuple[TemplateSet | None, list[Finding]]:
    """Read the root, the environment and all that they lead to; None when there is no root to be read.

    `alternatives` tells the files that may stand for a type besides the registry's; `mentions` are further files that
    something names.
    """
    return _Loader(content).load(root, environment, alternatives, mentions)


class _Loader:
    def __init__(self, content: Content) -> None:
        self.content = content
        self.findings: list[Finding] = []
        self.templates: dict[str, Template] = {}
        self.files: dict[str, str] = {}
        self.yaml_left = MAX_YAML

    def load(
        self,
        root: Mention,
        environment: str,
        alternatives: Mapping[str, Iterable[str]],
        mentions: Iterable[Mention],
    ) -> tuple[TemplateSet | None, list[Finding]]:
        env = self._read(environment) if environment else None
        path = self._path(root)
        if path:
            self._follow(path)
        registry = dict(_registry(env)) if env else {}
        files = {kind: mention for kind, mention in registry.items() if is_file(mention.written)}
        for mention in (*files.values(), *mentions):
            self._take(mention)
        if path not in self.templates:
            return None, self.findings
        named = {kind: tuple(dict.fromkeys((*alternatives.get(kind, ()), m.written))) for kind, m in files.items()}
        named |= {kind: tuple(names) for kind, names in alternatives.items() if kind not in named}
        aliases = {kind: mention.written for kind, mention in registry.items() if kind not in files}
        self._texts(path)
        return TemplateSet(self.templates[path], env, self.templates, self.files, named, aliases), self.findings

    def _say(self, code: str, fault: Fault) -> None:
        self.findings.append(Finding.of("error", code, fault))

    def _read(self, path: str) -> Document | None:
        self.yaml_left -= self.content.files[path].size
        if self.yaml_left < 0:
            self._say("YAML_TOO_MUCH", Fault(path, f"All templates together have more than {MAX_YAML} bytes."))
            return None
        try:
            return self.content.yaml(path)
        except PackageError as error:
            for fault in error.faults:
                self._say(error.code, fault)
            return None

    def _follow(self, path: str) -> None:
        """Read a template and all that it names."""
        document = self._read(path)
        if document is None:
            return
        template, faults = read_template(document)
        self.templates[path] = template
        for fault in faults:
            self._say("HOT_FORM", fault)
        for where, written in file_references(template):
            self._take(Mention(document, where, written))

    def _take(self, mention: Mention) -> None:
        path = self._path(mention)
        if not path:
            return
        known = self.files.setdefault(mention.written, path)
        if known != path:
            message = (
                f"{mention.written} means {path} here and {known} elsewhere, and Heat is given one file of that name. "
                "Write both paths from the root of the package."
            )
            self._say("FILE_AMBIGUOUS", mention.document.fault(mention.where, message))
        elif path.endswith(TEMPLATE_SUFFIXES) and path not in self.templates and _as_template(mention):
            self._follow(path)

    def _path(self, mention: Mention) -> str:
        """The file that is meant; "" when there is none, which is then said."""
        found = find(self.content.files, mention.document.path, mention.written)
        if found:
            return found[0]
        if outside(mention.written):
            message = (
                f"{mention.written} lies outside of the package, and nothing is read or fetched from elsewhere. Put "
                "the file into the package and write its path."
            )
            self._say("FILE_OUTSIDE", mention.document.fault(mention.where, message))
        else:
            message = f"The package has no file {mention.written!r}."
            self._say("FILE_MISSING", mention.document.fault(mention.where, message))
        return ""

    def _texts(self, root: str) -> None:
        """Heat is given files as text inside of JSON."""
        for path in sorted({root, *self.files.values()} - self.templates.keys()):
            fault = self.content.text_fault(path)
            if fault is not None:
                self._say("FILE_NOT_TEXT", fault)


def _as_template(mention: Mention) -> bool:
    """Whether the file is meant as a template, not to be read by get_file."""
    return not mention.where or mention.where[-1] != "get_file"


def is_file(target: str) -> bool:
    return "/" in target or target.endswith(TEMPLATE_SUFFIXES)


def _registry(environment: Document) -> Iterator[tuple[str, Mention]]:
    """Resource types and what the registry maps them to, also those for single resources."""
    registry = environment.data.get("resource_registry")
    for kind, target in registry.items() if isinstance(registry, Mapping) else ():
        where = ("resource_registry", kind)
        if isinstance(target, str) and isinstance(kind, str):
            yield kind, Mention(environment, where, target)
        elif kind == "resources" and isinstance(target, Mapping):
            for name, mapped in target.items():
                for inner, file in mapped.items() if isinstance(mapped, Mapping) else ():
                    if isinstance(file, str) and inner not in ("hooks", "restricted_actions"):
                        yield f"{name}/{inner}", Mention(environment, (*where, name, inner), file)
