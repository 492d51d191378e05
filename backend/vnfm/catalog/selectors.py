"""Reads packages, for the API and other contexts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from django.conf import settings
from django.db.models import Count, QuerySet

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.csar.meta import find_csar
from vnfm.catalog.domain.dimensioning import reader
from vnfm.catalog.domain.dimensioning.figures import Figures
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.catalog.domain.package import VNFD, read_package, read_templates
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.template_bundle import TemplateBundle
from vnfm.catalog.domain.vnfd import SoftwareImage, Vnfd
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.kit.durable.backlog import Backlog, backlog_of
from vnfm.kit.problem import Problem, ProblemError, conflict, not_found

ONBOARDED = VnfPackage.OnboardingState.ONBOARDED


@dataclass(frozen=True, slots=True)
class HotBundle:
    """Everything of a package that is sent to Heat."""

    template: str
    environment: dict[str, Any]
    files: dict[str, str]
    """The keys are names as the templates and the registry use them."""


def package_list() -> QuerySet[VnfPackage]:
    """All packages with their files; `uses` is the number of instances of each."""
    return VnfPackage.objects.annotate(uses=Count("instances")).prefetch_related("files")


def package_get(*, package_id: UUID) -> VnfPackage:
    package = package_list().filter(id=package_id).first()
    if package is None:
        raise not_found("VNF package", package_id)
    return package


def package_onboarded(*, package_id: UUID) -> VnfPackage:
    """The package, which must have its content: 409 otherwise (SOL005 9.4.4.3.2)."""
    package = package_get(package_id=package_id)
    if package.onboarding_state != ONBOARDED:
        raise conflict("PACKAGE_NOT_ONBOARDED", "The package has no content yet.", "Upload its content first.")
    return package


def packages_onboarded() -> QuerySet[VnfPackage]:
    """Packages with content, including disabled ones."""
    return VnfPackage.objects.filter(onboarding_state=ONBOARDED)


def onboarding_backlog() -> Backlog:
    """Packages whose content is being fetched or validated."""
    processing = VnfPackage.objects.filter(onboarding_state=VnfPackage.OnboardingState.PROCESSING)
    return backlog_of(processing, "created_at")


def packages_usable() -> QuerySet[VnfPackage]:
    """Packages that allow new instances."""
    enabled = VnfPackage.OperationalState.ENABLED
    return packages_onboarded().filter(operational_state=enabled).order_by("created_at")


def package_by_vnfd(*, vnfd_id: UUID) -> VnfPackage:
    """The package with its content; its large documents and its files are read on first use. Raises a 404 problem."""
    package = packages_onboarded().filter(vnfd_id=vnfd_id).defer("vnfd", "findings").first()
    if package is None:
        raise not_found("VNFD", vnfd_id)
    return package


def vnfd_get(*, vnfd_id: UUID) -> Vnfd:
    return vnfd_of(package_by_vnfd(vnfd_id=vnfd_id))


def vnfd_of(package: PackageRecord) -> Vnfd:
    """The package's descriptor, cached: onboarded content never changes."""
    return vnfd_of_package(package.id)


@lru_cache(maxsize=256)
def vnfd_of_package(package_id: UUID) -> Vnfd:
    return read_package(_content(package_id)).vnfd


def templates_of(package: PackageRecord) -> TemplateSet:
    """The package's templates, cached as its descriptor is."""
    return _templates(package.id)


@lru_cache(maxsize=32)
def _templates(package_id: UUID) -> TemplateSet:
    return read_templates(_content(package_id))


def _content(package_id: UUID) -> Content:
    rows = PackageFile.objects.filter(package_id=package_id).values_list("path", "sha256", "size")
    infos = {path: FileInfo(digest, size) for path, digest, size in rows}
    return Content(infos, lambda path: _read(infos[path].sha256, path))


def template_bundle(package: PackageRecord) -> TemplateBundle:
    """The descriptor and the templates of the package."""
    return TemplateBundle.of(VNFD, vnfd_of(package), _content(package.id))


def figures_of(package: PackageRecord) -> Figures:
    """Measured figures of the package's VNF; empty where it has none."""
    return _figures(package.id)


@lru_cache(maxsize=256)
def _figures(package_id: UUID) -> Figures:
    file = PackageFile.objects.filter(package_id=package_id, path=reader.NAME).first()
    return reader.read_figures(reader.NAME, _read(file.sha256, file.path)) if file else Figures()


@cache
def reference_figures() -> Mapping[str, Figures]:
    """Figures of products that are not VNF packages, such as physical routers, by the name of their file."""
    folder: Path = settings.CATALOG_DIR / "figures"
    return {path.stem: reader.read_figures(path.name, path.read_bytes()) for path in sorted(folder.glob("*.yaml"))}


def hot_bundle(*, package: PackageRecord) -> HotBundle:
    vnfd = vnfd_of(package)
    files = dict(PackageFile.objects.filter(package_id=package.id).values_list("path", "sha256"))
    return HotBundle(
        template=_read(files[vnfd.hot_template], vnfd.hot_template).decode(),
        environment=parse_yaml(vnfd.hot_environment, _read(files[vnfd.hot_environment], vnfd.hot_environment)).data,
        files={name: _read(files[path], path).decode() for name, path in vnfd.hot_files.items()},
    )


def software_image_open(*, package: PackageRecord, image: SoftwareImage) -> BinaryIO:
    """The image's bytes; the caller closes it."""
    return file_open(file=file_get(package=package, path=image.path))


def file_get(*, package: PackageRecord, path: str) -> PackageFile:
    file = PackageFile.objects.filter(package_id=package.id, path=path).first()
    if file is None:
        raise not_found("file in the package named", path)
    return file


def text_of(*, package: PackageRecord, path: str) -> str:
    """A text file of the package; raises ProblemError 404 where there is none."""
    return _read(file_get(package=package, path=path).sha256, path).decode()


def texts_of(*, package: PackageRecord, paths: Collection[str]) -> dict[str, str]:
    """Text files of the package by path, in the order of their paths; raises ProblemError 404 where one is absent."""
    digests = dict(PackageFile.objects.filter(package_id=package.id, path__in=paths).values_list("path", "sha256"))
    if absent := sorted(set(paths) - digests.keys()):
        raise not_found("file in the package named", absent[0])
    return {path: _read(digests[path], path).decode() for path in sorted(paths)}


def manifest_get(*, package: PackageRecord) -> PackageFile:
    """Its manifest: that of the CSAR that was uploaded, or ours; raises ProblemError 404 where there is none."""
    return file_get(package=package, path=csar_manifest(package=package) or manifest.NAME)


def csar_manifest(*, package: PackageRecord) -> str:
    """The path of the manifest of the CSAR that was uploaded; "" for other packages."""
    csar = find_csar(_content(package.id))
    return csar.manifest if csar else ""


def file_open(*, file: PackageFile) -> BinaryIO:
    return _open(file.sha256, file.path)


def archive_open(*, package: PackageRecord) -> BinaryIO:
    """The zip as it was uploaded."""
    return _open(package.checksum_sha256, "the package's zip")


def _read(digest: str, path: str) -> bytes:
    with _open(digest, path) as file:
        return file.read()


def _open(digest: str, what: str) -> BinaryIO:
    try:
        return store.open_object(digest)
    except FileNotFoundError as error:
        raise ProblemError(
            Problem(
                500,
                "ARTIFACT_LOST",
                "A stored file is missing",
                f"The artifact store no longer has {what} (SHA-256 {digest}).",
                "Restore VNFM_ARTIFACTS_DIR from its backup, or delete the package and onboard it again.",
            )
        ) from error
