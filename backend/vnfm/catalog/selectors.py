"""What other contexts and the API read of packages."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, BinaryIO
from uuid import UUID

from django.db.models import Count, QuerySet

from vnfm.catalog import store
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.package import Content, FileInfo, read_package
from vnfm.catalog.domain.vnfd import SoftwareImage, Vnfd
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.kit.problem import Problem, ProblemError, conflict, not_found

ONBOARDED = VnfPackage.OnboardingState.ONBOARDED


@dataclass(frozen=True, slots=True)
class HotBundle:
    """All that Heat is given of a package."""

    template: str
    environment: dict[str, Any]
    files: dict[str, str]
    """By the name that the templates and the registry use."""


def package_list() -> QuerySet[VnfPackage]:
    """All packages with their files; `uses` counts the instances that were made of each."""
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


def packages_usable() -> QuerySet[VnfPackage]:
    """Packages that an instance can be made of."""
    enabled = VnfPackage.OperationalState.ENABLED
    return VnfPackage.objects.filter(onboarding_state=ONBOARDED, operational_state=enabled).order_by("created_at")


def package_by_vnfd(*, vnfd_id: UUID) -> VnfPackage:
    package = package_list().filter(vnfd_id=vnfd_id, onboarding_state=ONBOARDED).first()
    if package is None:
        raise not_found("VNFD", vnfd_id)
    return package


def vnfd_get(*, vnfd_id: UUID) -> Vnfd:
    return vnfd_of(package_by_vnfd(vnfd_id=vnfd_id))


def vnfd_of(package: VnfPackage) -> Vnfd:
    """The package's descriptor, read once per process: content never changes once it is onboarded."""
    return _vnfd(package.id)


@lru_cache(maxsize=256)
def _vnfd(package_id: UUID) -> Vnfd:
    rows = PackageFile.objects.filter(package_id=package_id).values_list("path", "sha256", "size")
    infos = {path: FileInfo(digest, size) for path, digest, size in rows}
    return read_package(Content(infos, lambda path: _read(infos[path].sha256, path))).vnfd


def hot_bundle(*, package: VnfPackage) -> HotBundle:
    vnfd = vnfd_of(package)
    files = dict(package.files.values_list("path", "sha256"))
    return HotBundle(
        template=_read(files[vnfd.hot_template], vnfd.hot_template).decode(),
        environment=parse_yaml(vnfd.hot_environment, _read(files[vnfd.hot_environment], vnfd.hot_environment)).data,
        files={path: _read(files[path], path).decode() for path in vnfd.hot_files},
    )


def software_image_open(*, package: VnfPackage, image: SoftwareImage) -> BinaryIO:
    """The image's bytes; the caller closes it."""
    return file_open(file=file_get(package=package, path=image.path))


def file_get(*, package: VnfPackage, path: str) -> PackageFile:
    file = package.files.filter(path=path).first()
    if file is None:
        raise not_found("file in the package named", path)
    return file


def file_open(*, file: PackageFile) -> BinaryIO:
    return _open(file.sha256, file.path)


def archive_open(*, package: VnfPackage) -> BinaryIO:
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
