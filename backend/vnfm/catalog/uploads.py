"""What people send as a package: a zip, or its files one by one; with a descriptor of their own beside it or not."""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from uuid import uuid4

from django.conf import settings

from vnfm.catalog import store
from vnfm.catalog.archive import Limits, unpack
from vnfm.catalog.domain.csar.envelope import enveloped
from vnfm.catalog.domain.csar.meta import bytes_of
from vnfm.catalog.domain.errors import Fault, PackageError
from vnfm.catalog.domain.sources import Content, FileInfo
from vnfm.catalog.packing import zip_entry

Source = store.Readable | Mapping[str, store.Readable]
"""A zip, or files by their path."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """The package as it lay in a signed zip (SOL004 5.1, option 2), with what lay beside it."""

    package: store.Staged
    signature: bytes
    certificate: bytes


@dataclass(frozen=True, slots=True)
class Upload:
    archive: store.Staged
    files: Mapping[str, store.Staged]
    content: Content
    envelope: Envelope | None = None
    """Of a package that came signed, in a zip around it."""


def receive(source: Source, folder: Path) -> Upload:
    """Take the upload into the staging folder, unpacked; raises PackageError for what is no zip, or a bad one."""
    return unpacked(take(source, folder), folder)


def take(source: Source, folder: Path) -> store.Staged:
    """The upload as one zip in the staging folder, unread; raises PackageError (PACKAGE_TOO_LARGE)."""
    try:
        return _archive(source, folder)
    except store.TooLargeError as error:
        fault = Fault("", f"The upload has more than {settings.PACKAGE_MAX_BYTES} bytes.")
        raise PackageError("PACKAGE_TOO_LARGE", [fault], "Leave images out and upload them to Glance.", 413) from error


def unpacked(archive: store.Staged, folder: Path) -> Upload:
    """Its files, in the staging folder; raises PackageError for what is no zip, or a bad one."""
    limits = Limits(settings.PACKAGE_MAX_UNPACKED_BYTES)
    files = unpack(archive.path, folder, limits)
    parts = enveloped(files)
    if parts is None:
        return Upload(archive, files, content_of(files))
    outer = content_of(files)
    papers = [bytes_of(outer, path) if path else b"" for path in (parts.signature, parts.certificate)]
    inner = unpack(files[parts.package].path, folder, limits)
    return Upload(archive, inner, content_of(inner), Envelope(files[parts.package], *papers))


def content_of(files: Mapping[str, store.Staged]) -> Content:
    infos = {path: FileInfo(staged.sha256, staged.size) for path, staged in files.items()}
    return Content(infos, lambda path: files[path].path.read_bytes(), lambda path: files[path].path.open("rb"))


def with_files(content: Content, added: Mapping[str, bytes], folder: Path) -> tuple[Content, dict[str, store.Staged]]:
    """The content with more files, staged."""
    staged = {path: store.stage(BytesIO(data), folder, len(data)) for path, data in added.items()}
    more = content_of(staged)

    def holder(path: str) -> Content:
        return more if path in staged else content

    files = {**content.files, **more.files}
    return Content(files, lambda path: holder(path).read(path), lambda path: holder(path).opened(path)), staged


def _archive(source: Source, folder: Path) -> store.Staged:
    if not isinstance(source, Mapping):
        return store.stage(source, folder, settings.PACKAGE_MAX_BYTES)
    packed = folder / uuid4().hex
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(source):
            with archive.open(zip_entry(path), "w", force_zip64=True) as target:
                while chunk := source[path].read(store.CHUNK):
                    target.write(chunk)
    with packed.open("rb") as file:
        return store.stage(file, folder, settings.PACKAGE_MAX_BYTES)
