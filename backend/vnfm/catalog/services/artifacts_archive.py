"""The archive of a package's additional artifacts, which are all except images (SOL005 9.4.5a)."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from tempfile import TemporaryFile
from typing import BinaryIO

from vnfm.catalog.domain import manifest as our_manifest
from vnfm.catalog.domain.csar.manifest import ManifestEntry, non_mano_sets, read_manifest
from vnfm.catalog.domain.package import VNFD
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.selectors import csar_manifest, file_open, text_of, vnfd_of
from vnfm.catalog.services.csar_export import ZipMember, zipped


@dataclass(frozen=True, slots=True)
class ArtifactChoice:
    """The query of the request. `sets`: of non-MANO artifacts; empty for all."""

    mano: bool = True
    non_mano: bool = True
    sets: frozenset[str] = frozenset()
    signatures: bool = False


def artifacts_archive(*, package: VnfPackage, choice: ArtifactChoice) -> tuple[BinaryIO, str]:
    """A zip, and a digest that is the same for the same choice of the same package. Closed by the caller."""
    files = _chosen(package, choice)
    file = TemporaryFile()  # noqa: SIM115 - the caller closes it
    members = [ZipMember(each.path, each.size, partial(file_open, file=each), compressed=True) for each in files]
    for chunk in zipped(members):
        file.write(chunk)
    file.flush()
    file.seek(0)
    return file, sha256("".join(f"{each.path}\0{each.sha256}\n" for each in files).encode()).hexdigest()


def _chosen(package: VnfPackage, choice: ArtifactChoice) -> list[PackageFile]:
    sources, sets = _listed(package)
    non_mano = frozenset().union(*sets.values())
    wanted = frozenset().union(*(paths for name, paths in sets.items() if not choice.sets or name in choice.sets))
    images = {image.path for image in vnfd_of(package).software_images}
    left_out = {VNFD, our_manifest.NAME, *images, *(() if choice.signatures else _signatures(sources))}
    return [
        file
        for file in sorted(package.files.all(), key=lambda file: file.path)
        if file.path not in left_out
        and ((choice.non_mano and file.path in wanted) if file.path in non_mano else choice.mano)
    ]


def _listed(package: VnfPackage) -> tuple[Collection[ManifestEntry], dict[str, frozenset[str]]]:
    """Files as a CSAR's manifest lists them, and its non-MANO artifact sets; our own manifest has neither."""
    path = csar_manifest(package=package)
    text = text_of(package=package, path=path) if path else ""
    return read_manifest(path, text).sources, non_mano_sets(text)


def _signatures(sources: Collection[ManifestEntry]) -> set[str]:
    return {path for each in sources for path in (each.signature, each.certificate) if path}
