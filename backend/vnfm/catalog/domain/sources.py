"""The files of a package, wherever they lie."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from hashlib import file_digest, sha256
from io import BufferedReader, BytesIO

from vnfm.catalog.domain.documents import MAX_BYTES, Document, check_size, parse_yaml
from vnfm.catalog.domain.errors import Fault

Stream = BufferedReader | BytesIO
MAX_YAML = 4 * 1024 * 1024
"""Bytes of all YAML that is read of one package: more would keep a processor busy for long."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Content:
    files: Mapping[str, FileInfo]
    """By path in the package."""
    read: Callable[[str], bytes]
    open: Callable[[str], Stream] | None = None
    """For files that are too large to be read at once; without it they are read."""

    def opened(self, path: str) -> Stream:
        return self.open(path) if self.open else BytesIO(self.read(path))

    def digest(self, path: str, algorithm: str) -> str:
        """The file's hash in hex, by an algorithm of hashlib; it is read for all but SHA-256."""
        if algorithm == "sha256":
            return self.files[path].sha256
        with self.opened(path) as file:
            return file_digest(file, algorithm).hexdigest()

    def head(self, path: str, size: int) -> bytes:
        """The first `size` bytes of the file, or all that it has."""
        with self.opened(path) as file:
            return file.read(size)

    def yaml(self, path: str) -> Document:
        """The file as YAML; raises PackageError (YAML_INVALID). One that is too large is not read at all."""
        check_size(path, self.files[path].size)
        return parse_yaml(path, self.read(path))

    def text_fault(self, path: str) -> Fault | None:
        """Why the file cannot be given to Heat, which takes text in JSON; None when it can."""
        size = self.files[path].size
        if size > MAX_BYTES:
            return Fault(path, f"The file has {size} bytes; Heat can be given {MAX_BYTES}.")
        try:
            self.read(path).decode()
        except UnicodeDecodeError as error:
            return Fault(path, f"Heat is given this file, so it must be UTF-8 text: {error.reason} at {error.start}.")
        return None


def with_added(content: Content, files: Mapping[str, bytes]) -> Content:
    """The content with more files, which lie in memory."""
    infos = {path: FileInfo(sha256(data).hexdigest(), len(data)) for path, data in files.items()}
    return Content(
        {**content.files, **infos},
        lambda path: files[path] if path in files else content.read(path),
        lambda path: BytesIO(files[path]) if path in files else content.opened(path),
    )


def without(content: Content, left_out: Collection[str]) -> Content:
    """The content with these files left out."""
    files = {path: info for path, info in content.files.items() if path not in left_out}
    return Content(files, content.read, content.open)
