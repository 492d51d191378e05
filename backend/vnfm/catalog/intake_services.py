"""How content comes into a package: CREATED or ERROR → UPLOADING → PROCESSING → ONBOARDED, or ERROR (SOL005 B.2).

The state is the gate: one intake at a time. The lease tells whether anybody works on it; whoever does not hold it any
more, or finds the intake gone, writes nothing (ADR-0017).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.conf import settings
from django.db import transaction

from vnfm.catalog import signatures, store
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.origin import PACKAGES, Source
from vnfm.catalog.models import PackageIntake, VnfPackage
from vnfm.catalog.services import ingest, locked, record, save
from vnfm.catalog.uploads import Source as Upload
from vnfm.catalog.uploads import take
from vnfm.kit import lease, tasks
from vnfm.kit.addresses import Policy
from vnfm.kit.lease import Held
from vnfm.kit.problem import Problem, ProblemError, conflict
from vnfm.kit.seal import seal

TAKE_IN = "catalog.take_in"
SMALL_BYTES = 32 * 1024 * 1024
"""Zips up to this size are checked in well under a second, while their sender waits for the verdict."""
_ARCHIVE = "archive"

State = VnfPackage.OnboardingState


def lease_key(package_id: UUID) -> str:
    """Of the lease that says somebody works on the package's content."""
    return f"package:{package_id}"


def policy() -> Policy:
    """What may be fetched from where, by the settings."""
    return Policy(PACKAGES, settings.PACKAGE_SOURCES_ALLOWED, settings.PACKAGE_SOURCES_HTTP)


def package_content_put(*, package_id: UUID, source: Upload, vnfd: bytes | None = None) -> None:
    """Take the zip or the files in; what is small is checked at once, the rest by a worker.

    Plain Heat templates get a derived descriptor, or `vnfd` where one was sent beside them. Raises ProblemError when
    it is refused; the package is in ERROR then, and may be given content again.
    """
    with lease.hold(lease_key(package_id)) as held:
        if held is None:
            raise _running()
        with transaction.atomic():
            intake = _begin(package_id, vnfd=vnfd)
        with refusal_kept(intake, held):
            content_receive(intake=intake, held=held, source=source)
            if intake.size <= SMALL_BYTES:
                content_onboard(intake=intake, held=held)
                return
    tasks.enqueue_on_commit(TAKE_IN, package_id)


def package_content_fetch(*, package_id: UUID, source: Source) -> None:
    """Have a worker fetch the content. Raises ProblemError for what is refused by its URL alone."""
    if source.user_name:
        policy().place_for_login(source.url)
    else:
        policy().place(source.url)
    sealed = seal({"url": source.url, "user_name": source.user_name, "password": source.password})
    with transaction.atomic():
        _begin(package_id, sealed_source=sealed)
        tasks.enqueue_on_commit(TAKE_IN, package_id)


def content_receive(*, intake: PackageIntake, held: Held, source: Upload) -> None:
    """UPLOADING → PROCESSING: the content lies here whole, as one zip. Raises PackageError."""
    folder = store.intake_renew(intake.id)
    archive = take(source, folder)
    archive.path.rename(folder / _ARCHIVE)
    store.sync(folder / _ARCHIVE)
    store.sync(folder)
    with transaction.atomic():
        package = _ours(intake, held)
        intake.sha256, intake.size = archive.sha256, archive.size
        intake.sealed_source, intake.attempts = None, 0
        intake.save()
        package.onboarding_state = State.PROCESSING
        save(package)


def content_onboard(*, intake: PackageIntake, held: Held) -> None:
    """PROCESSING → ONBOARDED: all is checked, and kept. Raises PackageError and ProblemError.

    Another process may repeat it if this one dies: what lies in the intake's folder stays until that is over.
    """
    folder = store.intake_folder(intake.id)
    archive = store.Staged(folder / _ARCHIVE, intake.sha256, intake.size)
    with store.room(folder) as room:
        ingested = ingest(archive, room, None if intake.vnfd is None else bytes(intake.vnfd))
        signatures.refuse(ingested.signature)
        with transaction.atomic():
            record(_ours(intake, held), ingested)
            PackageIntake.objects.filter(id=intake.id).delete()
    store.intake_drop(intake.id)


@contextmanager
def refusal_kept(intake: PackageIntake, held: Held) -> Iterator[None]:
    """A refusal of the content puts the package in ERROR, with the reason, and goes on as ProblemError."""
    try:
        yield
    except PackageError as error:
        problem = error.as_problem()
        _fail(intake, held, problem)
        raise ProblemError(problem) from error
    except ProblemError as error:
        _fail(intake, held, error.problem)
        raise


def _fail(intake: PackageIntake, held: Held, problem: Problem) -> None:
    with transaction.atomic():
        package = _ours(intake, held)
        PackageIntake.objects.filter(id=intake.id).delete()
        package.onboarding_state, package.onboarding_failure = State.ERROR, problem.as_json()
        save(package)
    store.intake_drop(intake.id)


def _begin(package_id: UUID, *, vnfd: bytes | None = None, sealed_source: bytes | None = None) -> PackageIntake:
    package = locked(package_id)
    if package.onboarding_state == State.ONBOARDED:
        raise conflict(
            "PACKAGE_HAS_CONTENT",
            "The package has its content already; it never changes.",
            "Create another package for it.",
        )
    if package.onboarding_state not in (State.CREATED, State.ERROR):
        raise _running()
    package.onboarding_state, package.onboarding_failure = State.UPLOADING, None
    save(package)
    return PackageIntake.objects.create(package=package, vnfd=vnfd, sealed_source=sealed_source)


def _ours(intake: PackageIntake, held: Held) -> VnfPackage:
    """The package, locked, if it is still ours to write to."""
    rows = VnfPackage.objects.select_for_update(of=("self",)).filter(id=intake.package_id, intake__id=intake.id)
    package = rows.first()
    if package is None or not held.is_current():
        raise conflict(
            "UPLOAD_OVERTAKEN",
            "The package was deleted or the upload given up before it was over.",
            "Look at the package, and upload again.",
        )
    return package


def _running() -> ProblemError:
    return conflict(
        "UPLOAD_RUNNING",
        "The package's content is on its way already.",
        "Wait for it to be ONBOARDED or in ERROR, or delete the package.",
    )
