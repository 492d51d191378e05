"""Uploads: a package as one zip, or file by file, with or without a descriptor of the user's own."""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings

from vnfm.catalog.artifacts import store
from vnfm.catalog.artifacts.archive import Limits, unpack
from vnfm.catalog.artifacts.packing import zip_entry
from vnfm.catalog.domain.content import Content, FileInfo, is_desktop_file
from vnfm.catalog.domain.csar.envelope import find_envelope
from vnfm.catalog.domain.csar.meta import bytes_of
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.manifest import NAME as MANIFEST

UploadSource = store.ByteSource | Mapping[str, store.ByteSource]
"""A zip, or files by their path."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A package in a signed zip (SOL004 5.1, option 2), with its signature and certificate."""

    package: store.StagedFile
    signature: bytes
    certificate: bytes


@dataclass(frozen=True, slots=True)
class Upload:
    archive: store.StagedFile
    files: Mapping[str, store.StagedFile]
    envelope: Envelope | None = None
    """The signed zip around the package, if there is one."""
    fetched: Mapping[str, store.StagedFile] = field(default_factory=dict)
    """Files that templates name by URLs."""
    content: Content = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", content_of(self.files))

    def __reduce__(self) -> tuple[Any, ...]:
        """Between processes."""
        return Upload, (self.archive, self.files, self.envelope, self.fetched)

    @property
    def complete(self) -> Content:
        """All files, with those that were fetched."""
        return content_of({**self.files, **self.fetched}) if self.fetched else self.content


def stage_upload(source: UploadSource, folder: Path) -> store.StagedFile:
    """Copy the upload into the staging folder as one zip, unread; raises PackageError (PACKAGE_TOO_LARGE)."""
    try:
        return _archive(source, folder)
    except store.TooLargeError as error:
        fault = PackageFault("", f"The upload has more than {settings.PACKAGE_MAX_BYTES} bytes.")
        raise PackageError("PACKAGE_TOO_LARGE", [fault], "Leave images out and upload them to Glance.", 413) from error


def unpack_upload(archive: store.StagedFile, folder: Path) -> Upload:
    """Unpack into the staging folder; raises PackageError for anything but a good zip."""
    limits = Limits(settings.PACKAGE_MAX_UNPACKED_BYTES)
    files = _without_desktop_files(unpack(archive.path, folder, limits))
    parts = find_envelope(files)
    if parts is None:
        return Upload(archive, files)
    outer = content_of(files)
    signature, certificate = (bytes_of(outer, path) if path else b"" for path in (parts.signature, parts.certificate))
    inner = _without_desktop_files(unpack(files[parts.package].path, folder, limits))
    return Upload(archive, inner, Envelope(files[parts.package], signature, certificate))


def _without_desktop_files(files: Mapping[str, store.StagedFile]) -> dict[str, store.StagedFile]:
    """Drop files of desktops, except those that a package's own manifest names: without them it would be incomplete."""
    manifest = files[MANIFEST].path.read_bytes() if MANIFEST in files else b""
    return {
        path: staged
        for path, staged in files.items()
        if not is_desktop_file(path) or json.dumps(path).encode() in manifest
    }


def content_of(files: Mapping[str, store.StagedFile]) -> Content:
    infos = {path: FileInfo(staged.sha256, staged.size) for path, staged in files.items()}
    return Content(infos, lambda path: files[path].path.read_bytes(), lambda path: files[path].path.open("rb"))


def with_files(
    content: Content, added: Mapping[str, bytes], folder: Path
) -> tuple[Content, dict[str, store.StagedFile]]:
    """The content with more files, which are staged."""
    staged = {path: store.stage(BytesIO(data), folder, len(data)) for path, data in added.items()}
    more = content_of(staged)

    def owner(path: str) -> Content:
        return more if path in staged else content

    files = {**content.files, **more.files}
    complete = Content(
        files, lambda path: owner(path).read(path), lambda path: owner(path).opened(path), content.parsed
    )
    return complete, staged


def _archive(source: UploadSource, folder: Path) -> store.StagedFile:
    if not isinstance(source, Mapping):
        return store.stage(source, folder, settings.PACKAGE_MAX_BYTES)
    packed = folder / uuid4().hex
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(source):
            entry = zip_entry(path)
            entry.compress_type = zipfile.ZIP_STORED  # a sparse image would be packed as densely as a zip bomb
            with archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source[path].read(store.CHUNK):
                    target.write(chunk)
    with packed.open("rb") as file:
        return store.stage(file, folder, settings.PACKAGE_MAX_BYTES)
