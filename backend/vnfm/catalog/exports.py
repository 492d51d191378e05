"""A package as a SOL004 CSAR, made while it is sent: nothing of it lies in memory or on disk as a whole."""

import io
import zipfile
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from vnfm.catalog import store
from vnfm.catalog.domain.csar.export import wrapping
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.packing import zip_entry
from vnfm.catalog.selectors import archive_open, file_open, vnfd_of


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    size: int
    open: Callable[[], BinaryIO]
    packed: bool
    """Disk images are not compressed: that takes long and gains little."""


Chunks = Generator[bytes, None, None]


def csar_of(*, package: VnfPackage) -> Chunks:
    """The CSAR, a chunk at a time; the same package always gives the same bytes.

    One that came as a CSAR goes as it came, with its maker's manifest and signature, unless a descriptor was sent
    beside it.
    """
    if package.zip_is_csar:
        return _read(archive_open(package=package))
    return _zipped(list(_entries(package, sorted(package.files.all(), key=lambda file: file.path))))


def _entries(package: VnfPackage, files: list[PackageFile]) -> Iterator[_Entry]:
    vnfd = vnfd_of(package)
    made = wrapping(vnfd, {file.path: file.sha256 for file in files}, package.created_at)
    for path, data in made.items():
        yield _Entry(path, len(data), partial(io.BytesIO, data), packed=True)
    images = {image.path for image in vnfd.software_images}
    for file in files:
        if file.path not in made:
            yield _Entry(file.path, file.size, partial(file_open, file=file), packed=file.path not in images)


def _read(file: BinaryIO) -> Chunks:
    with file:
        while chunk := file.read(store.CHUNK):
            yield chunk


def _zipped(entries: list[_Entry]) -> Chunks:
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:
        for entry in entries:
            info = zip_entry(entry.path)
            info.file_size = entry.size
            info.compress_type = zipfile.ZIP_DEFLATED if entry.packed else zipfile.ZIP_STORED
            with entry.open() as source, archive.open(info, "w") as target:
                while chunk := source.read(store.CHUNK):
                    target.write(chunk)
                    yield from sink.taken()
    yield from sink.taken()


class _Sink(io.RawIOBase):
    """Where zipfile writes to, and the sender takes from."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "memoryview | bytes", /) -> int:  # type: ignore[override]
        self._chunks.append(bytes(data))
        return len(data)

    def taken(self) -> Iterator[bytes]:
        chunks, self._chunks = self._chunks, []
        joined = b"".join(chunks)
        if joined:
            yield joined
