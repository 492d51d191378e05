"""Package content from a checked zip to rows and stored files."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.external_files import stored_path
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.services.check_process import run_check
from vnfm.catalog.services.package_checks import NO_CHOICES, Choices, ValidatedContent, check_archive, findings_of
from vnfm.catalog.services.packages import lock_store, onboarding_event, save_package
from vnfm.catalog.services.signatures import require_fetch_allowed
from vnfm.kit.problem import ProblemError, conflict

MAX_FETCHED = 50
"""Files that templates of one package may name by URLs."""
Fetch = Callable[[Finding], bytes]
"""Fetches the file whose URL a finding has; raises PackageError."""


def validate_content(
    archive: store.StagedFile, folder: Path, choices: Choices = NO_CHOICES, fetch: Fetch | None = None
) -> ValidatedContent:
    """Unpack and validate a zip, with the files that `fetch` gets, and sync them to disk; raises PackageError.

    After files were fetched it is validated again, since they can name more.
    """
    upload = None
    while True:
        checked = run_check(check_archive, archive, folder, choices, upload)
        if isinstance(checked, ValidatedContent):
            for file in checked.objects():
                store.sync(file.path)
            return checked
        if fetch is None or not checked.fetchable:
            raise checked.error
        require_fetch_allowed(checked.error)
        fetched = _fetch_all(checked.fetchable, fetch, findings_of(checked.error), checked.error.roots)
        staged = {path: store.stage(BytesIO(data), folder, len(data)) for path, data in fetched.items()}
        upload = replace(checked.upload, fetched={**checked.upload.fetched, **staged})


def _fetch_all(
    wanted: Iterable[Finding], fetch: Fetch, findings: Iterable[Finding], roots: Sequence[str]
) -> dict[str, bytes]:
    """The files by their paths; a failure comes with the other findings, and the roots that can be chosen."""
    fetched = {}
    for missing in wanted:
        try:
            fetched[stored_path(missing.url)] = fetch(missing)
        except PackageError as error:
            others = [finding.as_json() for finding in findings if finding.url != missing.url]
            error.findings, error.roots = (*error.findings, *others), roots
            raise
    return fetched


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
            save_package(package, onboarding_event(package))
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
