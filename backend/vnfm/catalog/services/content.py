"""Package content from a checked zip to rows and stored files."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain.csar.signature import Signature
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import CONSEQUENCES, Finding
from vnfm.catalog.domain.hot.external_files import stored_path
from vnfm.catalog.domain.package import Package
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.services.packages import lock_store, onboarding_event, save_package
from vnfm.catalog.services.signatures import require_fetch_allowed
from vnfm.catalog.services.uploads import Upload, unpack_upload
from vnfm.catalog.services.validation import Validated, choosable_roots, findings_of, validate
from vnfm.kit.problem import ProblemError, conflict

MAX_FETCHED = 50
"""Files that templates of one package may name by URLs."""
Fetch = Callable[[Finding], bytes]
"""Fetches the file whose URL a finding has; raises PackageError."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user chose in addition to the files."""

    vnfd: bytes | None = None
    """A descriptor that was sent."""
    root: str = ""
    """The root template; "" for the one that is found."""
    fetch: Collection[str] = ()
    """URLs that may be fetched."""


NO_CHOICES = Choices()


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
    archive: store.StagedFile, folder: Path, choices: Choices = NO_CHOICES, fetch: Fetch | None = None
) -> ValidatedContent:
    """Unpack and validate a zip, with the files that `fetch` gets; raises PackageError."""
    upload, validated = _with_fetched(unpack_upload(archive, folder), folder, choices, fetch)
    generated = {
        path: store.stage(BytesIO(data), folder, len(data)) for path, data in validated.package.generated.items()
    }
    uploaded = {path: staged for path, staged in upload.files.items() if path not in validated.left_out}
    files = {**uploaded, **upload.fetched, **validated.added, **generated}
    content = ValidatedContent(validated.package, upload.archive, files, validated.signature, validated.is_csar)
    for staged in content.objects():
        store.sync(staged.path)
    return content


def _with_fetched(upload: Upload, folder: Path, choices: Choices, fetch: Fetch | None) -> tuple[Upload, Validated]:
    """Validate; fetch what is missing and allowed, and validate again, since fetched templates can name more."""
    while True:
        try:
            return upload, validate(upload, folder, choices.vnfd, root=choices.root)
        except PackageError as error:
            findings = findings_of(error)
            error.roots = choosable_roots(upload, findings, choices.root)
            wanted = _fetchable(findings, choices, upload)
            if fetch is None or not wanted:
                raise
            require_fetch_allowed(error)
            fetched = _fetch_all(wanted, fetch, findings, error.roots)
            staged = {path: store.stage(BytesIO(data), folder, len(data)) for path, data in fetched.items()}
            upload = replace(upload, fetched={**upload.fetched, **staged})


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


def _fetchable(findings: Iterable[Finding], choices: Choices, upload: Upload) -> list[Finding]:
    """One finding of each file to fetch; none where errors would remain, since the package is refused then anyway."""
    errors = [finding for finding in findings if finding.severity == "error" and finding.code not in CONSEQUENCES]
    missing = {finding.url: finding for finding in errors}
    allowed = {url for url in choices.fetch if url and stored_path(url) not in upload.fetched}
    return [missing[url] for url in sorted(missing)] if missing.keys() <= allowed else []


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
