"""A package's descriptor and templates as text, without images: small enough to be stored as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.vnfd import Vnfd


@dataclass(frozen=True, slots=True)
class TemplateBundle:
    texts: Mapping[str, str]
    """The descriptor and everything that Heat is given, by path."""
    files: Mapping[str, FileInfo]
    """All files of the package."""

    @classmethod
    def of(cls, descriptor: str, vnfd: Vnfd, content: Content) -> "TemplateBundle":
        """Bundle a validated package; `descriptor` is the path of its vnfd.yaml."""
        paths = {descriptor, vnfd.hot_template, vnfd.hot_environment, *vnfd.hot_files.values()}
        return cls({path: content.read(path).decode() for path in sorted(paths)}, content.files)

    @property
    def content(self) -> Content:
        """The package can be read from it, except its images."""
        return Content(self.files, lambda path: self.texts[path].encode())

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "TemplateBundle":
        return cls(data["texts"], {path: FileInfo(**info) for path, info in data["files"].items()})
