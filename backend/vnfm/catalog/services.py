"""Package management: what SOL005 clause 9 lets callers do. Content is checked whole before any of it is kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from vnfm.catalog import packing, store
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.csar.signature import Signature
from vnfm.catalog.domain.derive.descriptor import Derived
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.hot.templates import Target
from vnfm.catalog.domain.package import Package
from vnfm.catalog.examination import Report, derive_upload, examine, report
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.selectors import package_get
from vnfm.catalog.uploads import Source, receive, take, unpacked
from vnfm.kit import outbox
from vnfm.kit.http import json_size
from vnfm.kit.problem import ProblemError, bad_request, conflict

TOPIC = "vnf_package.changed"
USER_DATA_BYTES = 64 * 1024
_STORE_LOCK = 0x76_6E_66_73
"""Advisory lock of PostgreSQL: adding rows that need an object, and removing objects that no row needs."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ingested:
    """An uploaded package that has passed every check; its files wait, synced, in the staging folder."""

    package: Package
    archive: store.Staged
    files: Mapping[str, store.Staged]
    signature: Signature
    is_csar: bool

    def stored(self) -> Iterable[store.Staged]:
        """The archive and its files, each content once."""
        return {staged.sha256: staged for staged in (self.archive, *self.files.values())}.values()


def package_create(*, user_defined_data: Mapping[str, Any]) -> VnfPackage:
    """Make an empty package, to be filled by `intake_services`."""
    _check_user_data(user_defined_data)
    with transaction.atomic():
        package = VnfPackage.objects.create(user_defined_data=dict(user_defined_data))
        outbox.publish(TOPIC, package.id, package.version)
    return package_get(package_id=package.id)


def package_modify(
    *,
    package_id: UUID,
    precondition: Callable[[int], None],
    operational_state: str | None,
    user_defined_data: Mapping[str, Any] | None,
) -> None:
    """Enable or disable the package, merge user data (null removes a key); `precondition` judges the stored version.

    A disabled package makes no new instances; those that exist go on.
    """
    with transaction.atomic():
        package = locked(package_id)
        precondition(package.version)
        if operational_state is not None:
            if package.onboarding_state != VnfPackage.OnboardingState.ONBOARDED:
                raise conflict("PACKAGE_NOT_ONBOARDED", "The package has no content yet.", "Upload its content first.")
            package.operational_state = operational_state
        if user_defined_data is not None:
            merged = {**package.user_defined_data, **user_defined_data}
            package.user_defined_data = {key: value for key, value in merged.items() if value is not None}
            _check_user_data(package.user_defined_data)
        save(package)


def package_delete(*, package_id: UUID, precondition: Callable[[int], None]) -> None:
    """Delete a package that is disabled and that no instance uses; files that no other package has go with it.

    One whose content is on its way may be deleted, too: who brings the content finds out and lets go.
    """
    with transaction.atomic():
        package = locked(package_id)
        precondition(package.version)
        if package.operational_state != VnfPackage.OperationalState.DISABLED:
            raise conflict(
                "PACKAGE_ENABLED", "The package is enabled.", "Disable it first (operationalState DISABLED)."
            )
        digests = {package.checksum_sha256, *package.files.values_list("sha256", flat=True)} - {""}
        outbox.publish(TOPIC, package.id, package.version + 1, {"deleted": True})
        try:
            package.delete()
        except ProtectedError as error:
            names = sorted(str(getattr(user, "name", user.pk)) for user in error.protected_objects)
            raise conflict(
                "PACKAGE_IN_USE",
                f"VNF instances use the package: {', '.join(names[:10])}.",
                "Delete these instances first.",
            ) from error
    _discard_unreferenced(digests)


def shipped_packages_onboard(*, catalog_dir: Path) -> list[UUID]:
    """Onboard and enable every package below `catalog_dir` whose VNFD is not there yet; returns those VNFD ids.

    Idempotent. A shipped package that was changed without a new vnfdId is left alone, and said.
    """
    done = []
    for descriptor in sorted(catalog_dir.glob("*/*/*/vnfd.yaml")):
        vnfd_id = _onboard_folder(descriptor.parent)
        if vnfd_id is not None:
            done.append(vnfd_id)
    return done


def _onboard_folder(folder: Path) -> UUID | None:
    with store.staging() as staged:
        target = staged / "package.zip"
        packing.write_zip(folder, settings.HEAT_TEMPLATES_DIR, target)
        with target.open("rb") as source:
            ingested = ingest(take(source, staged), staged)
        vnfd_id = ingested.package.vnfd.vnfd_id
        present = PackageFile.objects.filter(package__vnfd_id=vnfd_id, path=manifest.NAME).first()
        if present is not None:
            if present.sha256 != ingested.files[manifest.NAME].sha256:
                log.warning("catalog.shipped_package_differs", vnfd_id=str(vnfd_id), folder=str(folder))
            return None
        with transaction.atomic():
            package = VnfPackage.objects.create()
            record(package, ingested)
    return vnfd_id


def package_validate(*, source: Source, vnfd: bytes | None, target: Target) -> Report:
    """Everything that would be said if this were onboarded; nothing is kept. Raises ProblemError for what is no zip."""
    with _refusals_told(), store.staging() as folder:
        return report(receive(source, folder), folder, vnfd, target)


def package_derive(*, source: Source, target: Target) -> tuple[Derived, dict[str, int]]:
    """The descriptor that plain Heat templates would get, and the sizes of all files; nothing is kept."""
    with _refusals_told(), store.staging() as folder:
        upload = receive(source, folder)
        derived = derive_upload(upload, target)
        sizes = {path: info.size for path, info in upload.content.files.items()}
        return derived, sizes | {path: len(data) for path, data in derived.files.items()}


@contextmanager
def _refusals_told() -> Iterator[None]:
    try:
        yield
    except PackageError as error:
        raise ProblemError(error.as_problem()) from error


def ingest(archive: store.Staged, folder: Path, vnfd: bytes | None = None) -> Ingested:
    """Check a zip and stage what becomes of it; raises PackageError. `vnfd` is a descriptor that came beside it."""
    upload = unpacked(archive, folder)
    examined = examine(upload, folder, vnfd)
    made = {path: store.stage(BytesIO(data), folder, len(data)) for path, data in examined.package.generated.items()}
    kept = {path: staged for path, staged in upload.files.items() if path not in examined.left_out}
    files = {**kept, **examined.added, **made}
    ingested = Ingested(examined.package, upload.archive, files, examined.signature, examined.is_csar)
    for staged in ingested.stored():
        store.sync(staged.path)
    return ingested


def record(package: VnfPackage, ingested: Ingested) -> None:
    """Keep the files and make the package ONBOARDED, in the caller's transaction."""
    vnfd = ingested.package.vnfd
    package.onboarding_state = VnfPackage.OnboardingState.ONBOARDED
    package.operational_state = VnfPackage.OperationalState.ENABLED
    package.onboarding_failure = None
    package.vnfd_id = vnfd.vnfd_id
    package.provider = vnfd.provider
    package.product_name = vnfd.product_name
    package.software_version = vnfd.software_version
    package.vnfd_version = vnfd.vnfd_version
    package.checksum_sha256 = ingested.archive.sha256
    package.vnfd = dict(ingested.package.descriptor)
    package.findings = [finding.as_json() for finding in ingested.package.findings]
    package.signature = ingested.signature.as_json()
    package.zip_is_csar = ingested.is_csar
    try:
        with transaction.atomic():
            save(package)
    except IntegrityError as error:
        raise _already_onboarded(vnfd.vnfd_id) from error
    PackageFile.objects.bulk_create(
        PackageFile(package=package, path=path, sha256=staged.sha256, size=staged.size)
        for path, staged in ingested.files.items()
    )
    _lock_store()
    for staged in ingested.stored():
        store.keep(staged)


def _already_onboarded(vnfd_id: UUID) -> ProblemError:
    other = VnfPackage.objects.get(vnfd_id=vnfd_id)
    return conflict(
        "VNFD_ALREADY_ONBOARDED",
        f"VNFD {vnfd_id} ({other.product_name} {other.software_version}) is already there, in package {other.id}.",
        "Use that package, delete it first, or give the changed descriptor a vnfdId of its own.",
        packageId=str(other.id),
    )


def locked(package_id: UUID) -> VnfPackage:
    """The package, for the transaction's length ours; raises ProblemError 404."""
    package_get(package_id=package_id)
    return VnfPackage.objects.select_for_update().get(id=package_id)


def save(package: VnfPackage) -> None:
    """With its next version, and the event that tells of it."""
    package.version += 1
    package.save()
    outbox.publish(TOPIC, package.id, package.version)


def _check_user_data(data: Mapping[str, Any]) -> None:
    if json_size(data) > USER_DATA_BYTES:
        raise bad_request("USER_DATA_TOO_LARGE", f"userDefinedData may have {USER_DATA_BYTES} bytes of JSON.")


def _discard_unreferenced(digests: Iterable[str]) -> None:
    with transaction.atomic():
        _lock_store()
        for digest in digests:
            used = PackageFile.objects.filter(sha256=digest).exists()
            if not used and not VnfPackage.objects.filter(checksum_sha256=digest).exists():
                store.discard(digest)


def _lock_store() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_STORE_LOCK])
