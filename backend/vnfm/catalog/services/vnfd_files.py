"""The files of a VNFD as its package came with it (SOL005 9.4.4.3.2)."""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.csar.definitions import load_definitions
from vnfm.catalog.domain.csar.meta import META, find_csar
from vnfm.catalog.domain.package import VNFD
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import archive_open, file_get, file_open, vnfd_of


@dataclass(frozen=True, slots=True)
class VnfdFiles:
    documents: tuple[str, ...]
    """Paths of its files: of a CSAR its TOSCA definitions, the entry first, else vnfd.yaml."""
    others: tuple[str, ...]
    """Paths of what belongs to it in a zip: TOSCA.meta, or Heat templates."""
    read: Callable[[str], bytes]


def vnfd_files(*, package: VnfPackage) -> VnfdFiles:
    """Return the TOSCA definitions of an exported CSAR from its zip: stored are the files of the package in it."""
    paths = set(package.files.values_list("path", flat=True))
    if package.zip_is_csar and META not in paths:
        return _of_archive(package) or _of_files(package, paths)
    return _of_files(package, paths)


def _of_files(package: VnfPackage, paths: set[str]) -> VnfdFiles:
    rows = {row.path: row for row in package.files.all()}

    def read(path: str) -> bytes:
        with file_open(file=file_get(package=package, path=path)) as file:
            return file.read()

    content = Content({path: FileInfo(row.sha256, row.size) for path, row in rows.items()}, read)
    if documents := _tosca(content):
        return VnfdFiles(documents, tuple(paths & {META}), read)
    vnfd = vnfd_of(package)
    hot = {vnfd.hot_template, vnfd.hot_environment, *vnfd.hot_files.values()} - {VNFD, ""}
    return VnfdFiles((VNFD,), tuple(sorted(hot)), read)


def _of_archive(package: VnfPackage) -> VnfdFiles | None:
    with archive_open(package=package) as file, zipfile.ZipFile(file) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
        content = Content({path: FileInfo("", size) for path, size in sizes.items()}, archive.read)
        documents = _tosca(content)
        stored = {path: archive.read(path) for path in (*documents, META) if path in sizes}
    return VnfdFiles(documents, (META,) if META in stored else (), stored.__getitem__) if documents else None


def _tosca(content: Content) -> tuple[str, ...]:
    """Return the entry first; empty for anything but a CSAR."""
    csar = find_csar(content)
    definitions = load_definitions(content, csar.definitions)[0] if csar is not None else None
    return tuple(document.path for document in definitions.documents) if definitions is not None else ()
