"""Continues onboardings: fetches the content, validates it, or fails the package with a reason.

Idempotent: every run reads the row again, so any process may call it, at any time and any number of times.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import F

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain.package_source import PackageUri
from vnfm.catalog.models import PackageOnboarding
from vnfm.catalog.reconcilers import package_fetch
from vnfm.catalog.services.onboarding import (
    ONBOARD,
    State,
    content_onboard,
    content_receive,
    fail_on_error,
    fetch_policy,
    lease_key,
)
from vnfm.kit.disk import DiskLevel, disk_space
from vnfm.kit.disk_quota import upload_refusal
from vnfm.kit.durable import lease, tasks
from vnfm.kit.durable.lease import ActiveLease
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.seal import unseal

MAX_ATTEMPTS = 3
"""Attempts per state: content that kills its worker must not do so for ever."""
SLOTS = 2
"""Packages that are fetched, and that are validated, at the same time; the worker's other threads run operations."""

log = structlog.get_logger(__name__)


def onboard(package_id: UUID) -> None:
    """Continue the package's onboarding as far as possible."""
    with lease.hold(lease_key(package_id)) as held:
        if held is None:
            return
        try:
            for state, transition in _TRANSITIONS.items():
                _advance(package_id, state, transition, held)
        except ProblemError as error:
            # The package has the detail, which may quote the user's files.
            log.info("onboarding.failed", package_id=str(package_id), code=error.problem.code)


def sweep() -> int:
    """Remove the folders of onboardings that are over, and enqueue the others; a running one holds its lease."""
    folders = store.onboarding_folders()
    running = dict(PackageOnboarding.objects.values_list("id", "package_id"))
    for onboarding_id in folders.keys() - running.keys():
        store.onboarding_folder_remove(onboarding_id)
    return tasks.enqueue_due((ONBOARD, package_id) for package_id in running.values())


def _advance(
    package_id: UUID, state: str, transition: Callable[[PackageOnboarding, ActiveLease], None], held: ActiveLease
) -> None:
    onboarding = PackageOnboarding.objects.filter(package_id=package_id, package__onboarding_state=state).first()
    if onboarding is None:
        return
    with _slot(state) as free:
        if not free:
            return
        try:
            with fail_on_error(onboarding, held):
                if held.is_deadly:
                    raise ProblemError(lease.worker_died("Onboarding the package"))
                transition(onboarding, held)
        except OSError:
            # If the package has been deleted, the sweep has removed the folder, and the error does not matter.
            if PackageOnboarding.objects.filter(id=onboarding.id).exists():
                raise


def _fetch(onboarding: PackageOnboarding, held: ActiveLease) -> None:
    if onboarding.sealed_source is None:
        raise _interrupted("The upload ended before it was complete.", "Upload the package again.")
    _count_attempt(onboarding)
    source = PackageUri(**unseal(onboarding.sealed_source))
    bounds = (settings.PACKAGE_FETCH_SECONDS, settings.PACKAGE_MAX_BYTES)
    with package_fetch.open_source(source, fetch_policy(), *bounds) as body:
        content_receive(onboarding=onboarding, lease=held, source=_RoomChecked(body))


def _validate(onboarding: PackageOnboarding, held: ActiveLease) -> None:
    _count_attempt(onboarding)
    content_onboard(onboarding=onboarding, lease=held, fetch=package_fetch.FileFetcher().fetch)
    log.info("onboarding.completed", package_id=str(onboarding.package_id), size=onboarding.size)


_TRANSITIONS: dict[str, Callable[[PackageOnboarding, ActiveLease], None]] = {
    State.UPLOADING: _fetch,
    State.PROCESSING: _validate,
}


def _count_attempt(onboarding: PackageOnboarding) -> None:
    """Raises ProblemError after MAX_ATTEMPTS."""
    if onboarding.attempts >= MAX_ATTEMPTS:
        detail = f"Onboarding was attempted {MAX_ATTEMPTS} times, and each time the worker stopped before the end."
        raise _interrupted(detail, "The worker's log says why. Then upload the package again.")
    PackageOnboarding.objects.filter(id=onboarding.id).update(attempts=F("attempts") + 1)


class _RoomChecked:
    """Ends a fetch when the disk runs low: PostgreSQL needs the rest."""

    def __init__(self, source: store.ByteSource) -> None:
        self._source = source

    def read(self, size: int, /) -> bytes:
        if disk_space(settings.ARTIFACTS_DIR).level != DiskLevel.OK:
            detail = "The disk of the packages has too little free space to fetch this one."
            next_step = "Delete packages that no instance uses, or ask an administrator for a larger disk."
            raise ProblemError(Problem(507, "DISK_NEARLY_FULL", "Insufficient storage", detail, next_step))
        if (problem := upload_refusal(size)) is not None:
            raise ProblemError(problem)
        return self._source.read(size)


def _interrupted(detail: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(500, "UPLOAD_INTERRUPTED", "The VNF package is not onboarded", detail, next_step))


@contextmanager
def _slot(state: str) -> Iterator[bool]:
    """Yield True with a lease of one of the state's slots, False when none is free."""
    for number in range(SLOTS):
        with lease.hold(f"onboarding {state} {number}") as held:
            if held is not None:
                yield True
                return
    yield False
