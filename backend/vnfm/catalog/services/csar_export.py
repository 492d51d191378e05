"""Export of a package as a SOL004 CSAR, generated while it is sent: never whole in memory or on disk."""

import io
import zipfile
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from vnfm.catalog.artifacts import store
from vnfm.catalog.artifacts.packing import zip_entry
from vnfm.catalog.domain.csar.export import csar_files
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.selectors import archive_open, file_open, vnfd_of


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A file as it is packed."""

    path: str
    size: int
    open: Callable[[], BinaryIO]
    compressed: bool
    """False for disk images: compression takes long and gains little."""


Chunks = Generator[bytes, None, None]


def package_csar(*, package: VnfPackage) -> Chunks:
    """The CSAR in chunks; the same package always gives the same bytes.

    A package that was uploaded as a CSAR is exported unchanged, with its vendor's manifest and signature, unless a
    descriptor was sent with it.
    """
    if package.zip_is_csar:
        return _read(archive_open(package=package))
    return zipped(list(_entries(package, sorted(package.files.all(), key=lambda file: file.path))))


def _entries(package: VnfPackage, files: list[PackageFile]) -> Iterator[ZipMember]:
    vnfd = vnfd_of(package)
    generated = csar_files(vnfd, {file.path: file.sha256 for file in files}, package.created_at)
    for path, data in generated.items():
        yield ZipMember(path, len(data), partial(io.BytesIO, data), compressed=True)
    images = {image.path for image in vnfd.software_images}
    for file in files:
        if file.path not in generated:
            yield ZipMember(file.path, file.size, partial(file_open, file=file), compressed=file.path not in images)


def _read(file: BinaryIO) -> Chunks:
    with file:
        while chunk := file.read(store.CHUNK):
            yield chunk


def zipped(entries: list[ZipMember]) -> Chunks:
    """A zip of them, in chunks; the same files always give the same bytes."""
    buffer = _WriteBuffer()
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry in entries:
            info = zip_entry(entry.path)
            info.file_size = entry.size
            info.compress_type = zipfile.ZIP_DEFLATED if entry.compressed else zipfile.ZIP_STORED
            with entry.open() as source, archive.open(info, "w") as target:
                while chunk := source.read(store.CHUNK):
                    target.write(chunk)
                    yield from buffer.drain()
    yield from buffer.drain()


class _WriteBuffer(io.RawIOBase):
    """zipfile writes into it; `drain` empties it."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "memoryview | bytes", /) -> int:  # type: ignore[override]
        self._chunks.append(bytes(data))
        return len(data)

    def drain(self) -> Iterator[bytes]:
        chunks, self._chunks = self._chunks, []
        joined = b"".join(chunks)
        if joined:
            yield joined
