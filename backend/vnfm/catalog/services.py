"""Package management: what SOL005 clause 9 lets callers do. Content is checked whole before any of it is kept."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from vnfm.catalog import packing, store
from vnfm.catalog.archive import Limits, unpack
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.errors import Fault, PackageError
from vnfm.catalog.domain.package import Content, FileInfo, Package, check_package
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.selectors import package_get
from vnfm.kit import lease, outbox
from vnfm.kit.http import json_size
from vnfm.kit.problem import Problem, ProblemError, bad_request, conflict

TOPIC = "vnf_package.changed"
USER_DATA_BYTES = 64 * 1024
_STORE_LOCK = 0x76_6E_66_73
"""Advisory lock of PostgreSQL: adding rows that need an object, and removing objects that no row needs."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ingested:
    """An uploaded package that has passed every check; its files wait in the staging folder."""

    package: Package
    archive: store.Staged
    files: Mapping[str, store.Staged]


def package_create(*, user_defined_data: Mapping[str, Any]) -> VnfPackage:
    """Make an empty package, to be filled by `package_content_put`."""
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
        package = _locked(package_id)
        precondition(package.version)
        if operational_state is not None:
            if package.onboarding_state != VnfPackage.OnboardingState.ONBOARDED:
                raise conflict("PACKAGE_NOT_ONBOARDED", "The package has no content yet.", "Upload its content first.")
            package.operational_state = operational_state
        if user_defined_data is not None:
            merged = {**package.user_defined_data, **user_defined_data}
            package.user_defined_data = {key: value for key, value in merged.items() if value is not None}
            _check_user_data(package.user_defined_data)
        _save(package)


def package_delete(*, package_id: UUID) -> None:
    """Delete a package that is disabled and that no instance uses; files that no other package has go with it."""
    with transaction.atomic():
        package = _locked(package_id)
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


def package_content_put(*, package_id: UUID, source: store.Readable) -> None:
    """Read the zip, check it and keep it; the package is ONBOARDED and enabled then.

    Raises ProblemError and leaves the package as it was, CREATED, with the failure noted. The lease keeps a second
    upload out, and gives way by itself when this process dies.
    """
    package = package_get(package_id=package_id)
    with lease.hold(f"package:{package_id}") as held:
        if held is None:
            raise conflict("UPLOAD_RUNNING", "Another upload to this package is running.", "Wait for it to end.")
        _require_empty(package)
        try:
            _ingest_into(package.id, source)
        except ProblemError as error:
            _note_failure(package_id, error.problem)
            raise


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
            ingested = _ingest(source, staged)
        vnfd_id = ingested.package.vnfd.vnfd_id
        present = PackageFile.objects.filter(package__vnfd_id=vnfd_id, path=manifest.NAME).first()
        if present is not None:
            if present.sha256 != ingested.files[manifest.NAME].sha256:
                log.warning("catalog.shipped_package_differs", vnfd_id=str(vnfd_id), folder=str(folder))
            return None
        with transaction.atomic():
            package = VnfPackage.objects.create()
            _record(package, ingested)
    return vnfd_id


def _ingest_into(package_id: UUID, source: store.Readable) -> None:
    with store.staging() as folder:
        try:
            ingested = _ingest(source, folder)
        except PackageError as error:
            raise ProblemError(error.as_problem()) from error
        with transaction.atomic():
            package = _locked(package_id)
            _require_empty(package)
            _record(package, ingested)


def _ingest(source: store.Readable, folder: Path) -> Ingested:
    try:
        archive = store.stage(source, folder, settings.PACKAGE_MAX_BYTES)
    except store.TooLargeError as error:
        fault = Fault("", f"The upload has more than {settings.PACKAGE_MAX_BYTES} bytes.")
        raise PackageError("PACKAGE_TOO_LARGE", [fault], "Leave images out and upload them to Glance.", 413) from error
    files = unpack(archive.path, folder, Limits(settings.PACKAGE_MAX_UNPACKED_BYTES))
    content = Content(
        {path: FileInfo(staged.sha256, staged.size) for path, staged in files.items()},
        lambda path: files[path].path.read_bytes(),
    )
    package = check_package(content, _schema("manifest"), _schema("vnfd"))
    made = {path: store.stage(BytesIO(data), folder, len(data)) for path, data in package.generated.items()}
    return Ingested(package, archive, {**files, **made})


def _record(package: VnfPackage, ingested: Ingested) -> None:
    """Keep the files and make the package ONBOARDED, in the caller's transaction."""
    vnfd = ingested.package.vnfd
    _lock_store()
    for staged in (ingested.archive, *_distinct(ingested.files.values())):
        store.keep(staged)
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
    try:
        with transaction.atomic():
            _save(package)
    except IntegrityError as error:
        raise _already_onboarded(vnfd.vnfd_id) from error
    PackageFile.objects.bulk_create(
        PackageFile(package=package, path=path, sha256=staged.sha256, size=staged.size)
        for path, staged in ingested.files.items()
    )


def _distinct(files: Iterable[store.Staged]) -> Iterable[store.Staged]:
    return {staged.sha256: staged for staged in files}.values()


def _already_onboarded(vnfd_id: UUID) -> ProblemError:
    other = VnfPackage.objects.get(vnfd_id=vnfd_id)
    return conflict(
        "VNFD_ALREADY_ONBOARDED",
        f"VNFD {vnfd_id} ({other.product_name} {other.software_version}) is already there, in package {other.id}.",
        "Use that package, delete it first, or give the changed descriptor a vnfdId of its own.",
        packageId=str(other.id),
    )


def _require_empty(package: VnfPackage) -> None:
    if package.onboarding_state != VnfPackage.OnboardingState.CREATED:
        raise conflict(
            "PACKAGE_HAS_CONTENT",
            "The package has its content already; it never changes.",
            "Create another package for it.",
        )


def _note_failure(package_id: UUID, problem: Problem) -> None:
    with transaction.atomic():
        package = VnfPackage.objects.select_for_update().filter(id=package_id, onboarding_state="CREATED").first()
        if package is not None:
            package.onboarding_failure = problem.as_json()
            _save(package)


def _locked(package_id: UUID) -> VnfPackage:
    package_get(package_id=package_id)
    return VnfPackage.objects.select_for_update().get(id=package_id)


def _save(package: VnfPackage) -> None:
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


@cache
def _schema(name: str) -> Mapping[str, Any]:
    path: Path = settings.CATALOG_DIR / "schema" / f"{name}.schema.json"
    schema: Mapping[str, Any] = json.loads(path.read_text())
    return schema
