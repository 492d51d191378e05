"""Package content from a checked zip to rows and stored files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain.csar.signature import Signature
from vnfm.catalog.domain.package import Package
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.services.packages import lock_store, save_package
from vnfm.catalog.services.uploads import unpack_upload
from vnfm.catalog.services.validation import validate
from vnfm.kit.problem import ProblemError, conflict


@dataclass(frozen=True, slots=True)
class ValidatedContent:
    """A package that has passed every check; its files are in the staging folder, synced to disk."""

    package: Package
    archive: store.StagedFile
    files: Mapping[str, store.StagedFile]
    signature: Signature
    is_csar: bool

    def objects(self) -> Iterable[store.StagedFile]:
        """The archive and its files, equal contents once."""
        return {staged.sha256: staged for staged in (self.archive, *self.files.values())}.values()


def validate_content(
    archive: store.StagedFile, folder: Path, vnfd: bytes | None = None, root: str = ""
) -> ValidatedContent:
    """Unpack and validate a zip; raises PackageError. `vnfd` is a descriptor that was sent beside it, `root` the root
    template where the user chose one.
    """
    upload = unpack_upload(archive, folder)
    validated = validate(upload, folder, vnfd, root=root)
    generated = {
        path: store.stage(BytesIO(data), folder, len(data)) for path, data in validated.package.generated.items()
    }
    uploaded = {path: staged for path, staged in upload.files.items() if path not in validated.left_out}
    files = {**uploaded, **validated.added, **generated}
    content = ValidatedContent(validated.package, upload.archive, files, validated.signature, validated.is_csar)
    for staged in content.objects():
        store.sync(staged.path)
    return content


def save_content(package: VnfPackage, content: ValidatedContent) -> None:
    """Store the files and make the package ONBOARDED, in the caller's transaction."""
    vnfd = content.package.vnfd
    package.onboarding_state = VnfPackage.OnboardingState.ONBOARDED
    package.operational_state = VnfPackage.OperationalState.ENABLED
    package.onboarding_failure = None
    package.vnfd_id = vnfd.vnfd_id
    package.provider = vnfd.provider
    package.product_name = vnfd.product_name
    package.software_version = vnfd.software_version
    package.vnfd_version = vnfd.vnfd_version
    package.checksum_sha256 = content.archive.sha256
    package.vnfd = dict(content.package.descriptor)
    package.findings = [finding.as_json() for finding in content.package.findings]
    package.signature = content.signature.as_json()
    package.zip_is_csar = content.is_csar
    try:
        with transaction.atomic():
            save_package(package)
    except IntegrityError as error:
        raise _already_onboarded(vnfd.vnfd_id) from error
    PackageFile.objects.bulk_create(
        PackageFile(package=package, path=path, sha256=staged.sha256, size=staged.size)
        for path, staged in content.files.items()
    )
    lock_store()
    for staged in content.objects():
        store.add(staged)


def _already_onboarded(vnfd_id: UUID) -> ProblemError:
    other = VnfPackage.objects.get(vnfd_id=vnfd_id)
    return conflict(
        "VNFD_ALREADY_ONBOARDED",
        f"VNFD {vnfd_id} ({other.product_name} {other.software_version}) is already there, in package {other.id}.",
        "Use that package, delete it first, or give the changed descriptor a vnfdId of its own.",
        packageId=str(other.id),
    )
