"""Goes on with content on its way into a package: fetches it, checks it, or says why it never will be there.

Every run looks at the row again, so it does not matter who rings, how often, or who died before.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import F

from vnfm.catalog import fetch, store
from vnfm.catalog.domain.origin import Source
from vnfm.catalog.intake_services import (
    TAKE_IN,
    State,
    content_onboard,
    content_receive,
    lease_key,
    policy,
    refusal_kept,
)
from vnfm.catalog.models import PackageIntake
from vnfm.kit import lease, tasks
from vnfm.kit.lease import Held
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.seal import unseal

MOST_ATTEMPTS = 3
"""So often a package is begun with: one that kills its worker must not do so for ever."""
SLOTS = 2
"""Packages that are fetched at once, and that are checked at once: the worker's other threads are for operations."""

log = structlog.get_logger(__name__)


def take_in(package_id: UUID) -> None:
    """Take the intake as far as it goes; safe to call at any time, any number of times."""
    with lease.hold(lease_key(package_id)) as held:
        if held is None:
            return
        try:
            for state, act in _ACTS.items():
                _take_on(package_id, state, act, held)
        except ProblemError as error:
            log.info("intake.refused", package_id=str(package_id), code=error.problem.code, detail=error.problem.detail)


def sweep() -> None:
    """Ring for every intake, clear up behind those that are over. What somebody works on is protected by its lease."""
    folders = store.intake_folders()
    under_way = dict(PackageIntake.objects.values_list("id", "package_id"))
    for intake_id in folders.keys() - under_way.keys():
        store.intake_drop(intake_id)
    for package_id in under_way.values():
        tasks.enqueue_on_commit(TAKE_IN, package_id)


def _take_on(package_id: UUID, state: str, act: Callable[[PackageIntake, Held], None], held: Held) -> None:
    intake = PackageIntake.objects.filter(package_id=package_id, package__onboarding_state=state).first()
    if intake is None:
        return
    with _slot(state) as free:
        if not free:
            return
        try:
            with refusal_kept(intake, held):
                act(intake, held)
        except OSError:
            # Behind a package that was deleted meanwhile, the sweep has cleared up: nobody misses anything.
            if PackageIntake.objects.filter(id=intake.id).exists():
                raise


def _fetch(intake: PackageIntake, held: Held) -> None:
    if intake.sealed_source is None:
        raise _interrupted("The upload ended before all of it was here.", "Upload the package again.")
    _count(intake)
    source, bounds = (
        Source(**unseal(intake.sealed_source)),
        (settings.PACKAGE_FETCH_SECONDS, settings.PACKAGE_MAX_BYTES),
    )
    with fetch.opened(source, policy(), *bounds) as body:
        content_receive(intake=intake, held=held, source=body)


def _check(intake: PackageIntake, held: Held) -> None:
    _count(intake)
    content_onboard(intake=intake, held=held)
    log.info("intake.onboarded", package_id=str(intake.package_id), size=intake.size)


_ACTS: dict[str, Callable[[PackageIntake, Held], None]] = {State.UPLOADING: _fetch, State.PROCESSING: _check}


def _count(intake: PackageIntake) -> None:
    """One more attempt, unless there were enough."""
    if intake.attempts >= MOST_ATTEMPTS:
        words = (
            f"Taking the package in was begun {MOST_ATTEMPTS} times, and each time the worker stopped in the middle."
        )
        raise _interrupted(words, "The worker's log says why. Then upload the package again.")
    PackageIntake.objects.filter(id=intake.id).update(attempts=F("attempts") + 1)


def _interrupted(detail: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(500, "UPLOAD_INTERRUPTED", "The VNF package is not onboarded", detail, next_step))


@contextmanager
def _slot(state: str) -> Iterator[bool]:
    """Whether there is room for one more in this state."""
    for number in range(SLOTS):
        with lease.hold(f"intake {state} {number}") as held:
            if held is not None:
                yield True
                return
    yield False
