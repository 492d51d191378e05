"""The files of a package, in any storage."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from io import BufferedReader, BytesIO
from pathlib import PurePosixPath
from unicodedata import normalize

from vnfm.catalog.domain.documents import MAX_BYTES, Document, check_size, parse_yaml
from vnfm.catalog.domain.errors import PackageFault

Stream = BufferedReader | BytesIO
MAX_YAML = 4 * 1024 * 1024
"""Limit of all YAML of one package, in bytes, since parsing takes long."""


DESKTOP_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def is_desktop_file(path: str) -> bool:
    """Return whether macOS or Windows added the file: resource forks (`__MACOSX/._a.yaml`), views, thumbnails."""
    name = PurePosixPath(path).name
    return path.startswith("__MACOSX/") or name.startswith("._") or name in DESKTOP_FILES


@dataclass(frozen=True, slots=True)
class FileInfo:
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Content:
    files: Mapping[str, FileInfo]
    """The keys are paths in the package."""
    read: Callable[[str], bytes]
    open: Callable[[str], Stream] | None = None
    """For files that are too large for `read`."""
    parsed: dict[tuple[str, str], Document] = field(repr=False, compare=False, default_factory=dict)
    """Documents by path and digest: contents of one upload share it, so that a file is parsed once."""
    _composed: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)

    @property
    def by_composed_path(self) -> Mapping[str, str]:
        """Paths by their composed form (NFC), since macOS decomposes letters with accents."""
        if not self._composed:
            self._composed.update({normalize("NFC", path): path for path in self.files})
        return self._composed

    def opened(self, path: str) -> Stream:
        return self.open(path) if self.open else BytesIO(self.read(path))

    def digest(self, path: str, algorithm: str) -> str:
        """The file's hash in hex, by hashlib's name of the algorithm; SHA-256 needs no reading."""
        if algorithm == "sha256":
            return self.files[path].sha256
        with self.opened(path) as file:
            return file_digest(file, algorithm).hexdigest()

    def head(self, path: str, size: int) -> bytes:
        """The first `size` bytes of the file, or all that it has."""
        with self.opened(path) as file:
            return file.read(size)

    def yaml(self, path: str) -> Document:
        """The file as YAML; raises PackageError (YAML_INVALID). A file that is too large is not read."""
        check_size(path, self.files[path].size)
        key = (path, self.files[path].sha256)
        if key not in self.parsed:
            self.parsed[key] = parse_yaml(path, self.read(path))
        return self.parsed[key]

    def text_fault(self, path: str) -> PackageFault | None:
        """Why the file cannot be sent to Heat, as text in JSON; None when it can."""
        size = self.files[path].size
        if size > MAX_BYTES:
            return PackageFault(path, f"The file has {size} bytes; {MAX_BYTES} are allowed for Heat.")
        try:
            self.read(path).decode()
        except UnicodeDecodeError as error:
            return PackageFault(
                path, f"Heat gets this file, so it must be UTF-8 text: {error.reason} at {error.start}."
            )
        return None


def with_files_in_memory(content: Content, files: Mapping[str, bytes]) -> Content:
    """The content with more files, which are in memory."""
    infos = {path: FileInfo(sha256(data).hexdigest(), len(data)) for path, data in files.items()}
    return Content(
        {**content.files, **infos},
        lambda path: files[path] if path in files else content.read(path),
        lambda path: BytesIO(files[path]) if path in files else content.opened(path),
        content.parsed,
    )


def without_files(content: Content, left_out: Collection[str]) -> Content:
    """The content without these files."""
    files = {path: info for path, info in content.files.items() if path not in left_out}
    return Content(files, content.read, content.open, content.parsed)
