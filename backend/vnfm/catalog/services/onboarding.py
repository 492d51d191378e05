"""Onboarding of a package: CREATED or ERROR → UPLOADING → PROCESSING → ONBOARDED, or ERROR (SOL005 B.2).

One onboarding per package at a time, by the package's state. The process that works on it holds the package's lease; a
process that has lost the lease, or whose onboarding is gone, writes nothing (ADR-0017).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.conf import settings
from django.db import transaction

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.package_source import PACKAGES, PackageUri
from vnfm.catalog.models import PackageOnboarding, VnfPackage
from vnfm.catalog.services import signatures
from vnfm.catalog.services.check_places import places
from vnfm.catalog.services.content import Fetch, save_content, validate_content
from vnfm.catalog.services.package_checks import NO_CHOICES, Choices
from vnfm.catalog.services.packages import lock_package, save_package
from vnfm.catalog.services.uploads import UploadSource, stage_upload
from vnfm.kit.durable import lease, tasks
from vnfm.kit.durable.lease import ActiveLease
from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundPurpose
from vnfm.kit.problem import Problem, ProblemError, conflict
from vnfm.kit.seal import seal

ONBOARD = "catalog.onboard"
"""The Celery task that continues an onboarding."""
SMALL_BYTES = 32 * 1024 * 1024
"""Zips up to this size take well under a second to validate: the request that uploads them waits for the result."""
PLACE_SECONDS = 2.0
"""The request waits this long for others to be validated; after that a worker validates its zip."""
_ARCHIVE = "archive"

State = VnfPackage.OnboardingState


def lease_key(package_id: UUID) -> str:
    """Key of the lease of the process that onboards the package."""
    return f"package:{package_id}"


def fetch_policy(purpose: OutboundPurpose = PACKAGES) -> OutboundPolicy:
    """Return the addresses from which the settings allow packages, and files of their templates, to be fetched."""
    return OutboundPolicy(purpose, settings.PACKAGE_SOURCES_ALLOWED, settings.PACKAGE_SOURCES_HTTP)


def require_no_content(package: VnfPackage) -> None:
    """Raises a 409 problem for a package that has its content, or is about to have it."""
    if package.onboarding_state == State.ONBOARDED:
        raise conflict(
            "PACKAGE_HAS_CONTENT",
            "The package has its content already; it never changes.",
            "Create another package for it.",
        )
    if package.onboarding_state not in (State.CREATED, State.ERROR):
        raise _already_running()


def package_onboard(*, package_id: UUID, source: UploadSource, choices: Choices = NO_CHOICES) -> None:
    """Onboard the uploaded zip or files; what is small is validated at once, where not many others are, the rest by a
    worker, and what templates name by URLs is fetched by a worker.

    Plain Heat templates get a derived descriptor unless one was sent with them. Raises ProblemError when the content
    is refused; the package is then in ERROR and accepts another upload.
    """
    with lease.hold(lease_key(package_id)) as held:
        if held is None:
            raise _already_running()
        with transaction.atomic():
            onboarding = _start(package_id, choices)
        with fail_on_error(onboarding, held):
            content_receive(onboarding=onboarding, lease=held, source=source)
            is_small = onboarding.size <= SMALL_BYTES and not choices.fetch
            with places.hold(PLACE_SECONDS if is_small else 0.0) as free:
                if is_small and free:
                    content_onboard(onboarding=onboarding, lease=held)
                    return
    tasks.enqueue_on_commit(ONBOARD, package_id)


def package_onboard_from_uri(*, package_id: UUID, source: PackageUri, choices: Choices = NO_CHOICES) -> None:
    """Have a worker fetch the content and onboard it. Raises ProblemError when the URL itself is refused."""
    if source.user_name:
        fetch_policy().parse_login_url(source.url)
    else:
        fetch_policy().parse_url(source.url)
    sealed = seal({"url": source.url, "user_name": source.user_name, "password": source.password})
    with transaction.atomic():
        _start(package_id, choices, sealed_source=sealed)
        tasks.enqueue_on_commit(ONBOARD, package_id)


def content_receive(*, onboarding: PackageOnboarding, lease: ActiveLease, source: UploadSource) -> None:
    """UPLOADING → PROCESSING: the whole content is on disk, as one zip. Raises PackageError."""
    folder = store.onboarding_folder_reset(onboarding.id)
    archive = stage_upload(source, folder)
    archive.path.rename(folder / _ARCHIVE)
    store.sync(folder / _ARCHIVE)
    store.sync(folder)
    with transaction.atomic():
        package = _lock_current(onboarding, lease)
        onboarding.sha256, onboarding.size = archive.sha256, archive.size
        onboarding.sealed_source, onboarding.attempts = None, 0
        onboarding.save()
        package.onboarding_state = State.PROCESSING
        save_package(package)


def content_onboard(*, onboarding: PackageOnboarding, lease: ActiveLease, fetch: Fetch | None = None) -> None:
    """PROCESSING → ONBOARDED: the content is validated and stored. Raises PackageError and ProblemError.

    Another process may repeat it if this one dies: the onboarding's folder stays until the onboarding is over.
    """
    folder = store.onboarding_folder(onboarding.id)
    archive = store.StagedFile(folder / _ARCHIVE, onboarding.sha256, onboarding.size)
    with store.temporary_folder(folder) as temporary:
        vnfd = None if onboarding.vnfd is None else bytes(onboarding.vnfd)
        choices = Choices(vnfd, onboarding.root, onboarding.fetch)
        content = validate_content(archive, temporary, choices, fetch)
        signatures.require_allowed(content.signature)
        with transaction.atomic():
            save_content(_lock_current(onboarding, lease), content)
            PackageOnboarding.objects.filter(id=onboarding.id).delete()
    store.onboarding_folder_remove(onboarding.id)


@contextmanager
def fail_on_error(onboarding: PackageOnboarding, lease: ActiveLease) -> Iterator[None]:
    """An error about the content puts the package into ERROR, with the reason, and is raised as ProblemError."""
    try:
        yield
    except PackageError as error:
        problem = error.as_problem()
        _fail(onboarding, lease, problem)
        raise ProblemError(problem) from error
    except ProblemError as error:
        _fail(onboarding, lease, error.problem)
        raise


def _fail(onboarding: PackageOnboarding, held: ActiveLease, problem: Problem) -> None:
    with transaction.atomic():
        package = _lock_current(onboarding, held)
        PackageOnboarding.objects.filter(id=onboarding.id).delete()
        package.onboarding_state, package.onboarding_failure = State.ERROR, problem.as_json()
        save_package(package)
    store.onboarding_folder_remove(onboarding.id)


def _start(package_id: UUID, choices: Choices, *, sealed_source: bytes | None = None) -> PackageOnboarding:
    package = lock_package(package_id)
    require_no_content(package)
    package.onboarding_state, package.onboarding_failure = State.UPLOADING, None
    save_package(package)
    return PackageOnboarding.objects.create(
        package=package,
        vnfd=choices.vnfd,
        root=choices.root,
        fetch=list(choices.fetch),
        sealed_source=sealed_source,
    )


def _lock_current(onboarding: PackageOnboarding, held: ActiveLease) -> VnfPackage:
    """The package, locked, if this onboarding is still the current one and this process holds its lease."""
    rows = VnfPackage.objects.select_for_update(of=("self",))
    package = rows.filter(id=onboarding.package_id, onboarding__id=onboarding.id).first()
    if package is None or not held.is_current():
        raise conflict(
            "UPLOAD_OVERTAKEN",
            "The package was deleted, or another process took over the upload, before it was complete.",
            "Look at the package, and upload again.",
        )
    return package


def _already_running() -> ProblemError:
    return conflict(
        "UPLOAD_RUNNING",
        "The package's content is being uploaded already.",
        "Wait for it to be ONBOARDED or in ERROR, or delete the package.",
    )
