"""Pushes configuration to an element: push and rollback jobs, and the last steps of a deployment."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from vnfm.configuration.domain.statements import difference
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion, unseal_text
from vnfm.configuration.services.push import require_same_language
from vnfm.configuration.services.versions import Reason, version_record
from vnfm.configuration.session.session import BUSY_TIMEOUT_SECONDS, ConfigChange, Session, open_session
from vnfm.devices.errors import CutOff, DeviceError, DeviceRejected
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.elements import element_resync
from vnfm.kit import clock
from vnfm.kit.problem import Problem, ProblemError

DEPLOYMENT = "deployment"
"""The default actor of `load` and `unload`."""
LEFT = "{name} took all lines, but its configuration still differs from {what}:\n{diff}"


@dataclass(frozen=True, slots=True)
class PushResult:
    """`version` and `after` are what the element has afterwards; None after a dry run."""

    diff: str
    """The change of the running configuration; of a dry run as foreseen."""
    version: ConfigurationVersion | None
    after: str | None = None
    takes_back: bool | None = None
    """The element would revert the change of a dry run by itself if it cut us off."""
    is_first: bool = False
    """The element had no version before this backup."""

    @property
    def changed(self) -> bool:
        return self.is_first or bool(self.diff)


def push(job: ConfigurationJob, session: Session) -> PushResult:
    change = session.parse(unseal_text(job.sealed_text))
    return apply_job_change(job, session, change, running_before(job, session))


def roll_back(job: ConfigurationJob, session: Session) -> PushResult:
    """Change the running configuration to the version. Raises ProblemError when a difference is left."""
    if job.target is None:
        raise ProblemError(Problem(409, "VERSION_GONE", "Conflict", "The version is not kept any more."))
    require_same_language(job.element, job.target)
    target, running = job.target.clear_text, running_before(job, session)
    if job.dry_run:
        result = apply_job_change(job, session, session.changes_between(running, target), running)
        if session.language.can_preview:
            return result
        diff = difference(running, target, names=("running", f"version {job.target.number}"))
        return PushResult(diff, None, takes_back=result.takes_back)
    result, left = _bring_to(target, session, running, partial(apply_job_change, job, session))
    if left:
        raise ProblemError(_difference_left(job, left))
    return result


def _bring_to(
    target: str, session: Session, running: str, make: Callable[[ConfigChange, str], PushResult]
) -> tuple[PushResult, str]:
    """Change the running configuration to the target: the last result, and what differs still, without secrets."""
    for explicit in (False, True):
        change = session.changes_between(running, target, explicit=explicit)
        if not change and explicit:
            break
        result = make(change, running)
        running = result.after or running
    if not session.changes_between(running, target, explicit=True):
        return result, ""
    return result, session.language.masked_diff(difference(target, running, names=("wanted", "running")))[:2000]


def running_before(job: ConfigurationJob, session: Session) -> str:
    """The running configuration. Before the first attempt it is recorded: the job's diff is against that."""
    text = session.running()
    if not job.dry_run and job.before is None:
        version = version_record(element=job.element, text=text, reason=Reason.BEFORE_PUSH, by=job.by, now=clock.now())
        ConfigurationJob.objects.filter(id=job.id).update(before=version)
        job.before = version
    return text


def apply_job_change(
    job: ConfigurationJob, session: Session, change: ConfigChange, before: str, scope: Sequence[str] = ()
) -> PushResult:
    """The diff is against what ran before the first attempt, which may have done some of the change, or all."""
    why = (job.reason, job.by)
    result = apply_change(job.element, session, change, before, dry_run=job.dry_run, why=why, scope=scope)
    if result.version is None or job.before is None:
        return result
    return PushResult(difference(job.before.clear_text, result.version.clear_text), result.version, result.after)


def _difference_left(job: ConfigurationJob, masked: str) -> Problem:
    assert job.target is not None
    return Problem(
        422,
        "DIFFERENCE_LEFT",
        "The configuration is not as it was",
        LEFT.format(name=job.element.name, what=f"version {job.target.number}", diff=masked),
        "Push what is missing by hand; the version before this rollback is kept.",
    )


@dataclass(frozen=True, slots=True)
class LoadedConfiguration:
    """`changed` and `diff` are of the running configuration, of a dry run as foreseen."""

    changed: bool
    diff: str
    """Secrets are masked: one that alone has changed appears as two equal lines."""
    version_id: UUID | None
    """The stored version of the configuration afterwards; None after a dry run."""


def load(
    element: NetworkElement,
    text: str,
    *,
    dry_run: bool = False,
    by: str = DEPLOYMENT,
    timeout: float = BUSY_TIMEOUT_SECONDS,
    begin: Callable[[Session, str], None] = lambda _session, _before: None,
) -> LoadedConfiguration:
    """Add `text` to the element's configuration, and save it.

    Lines of its command line, or XML where the element has a NETCONF policy. `begin` is called with the running
    configuration before anything changes.

    Blocks; for workers, and not inside a transaction. Raises DeviceError: DeviceRejected has the element's words and
    the number of the rejected line. Where the element edits a candidate (SR OS, VRP, NETCONF) nothing is in force then;
    elsewhere the message says what is. Busy, a kind of Unreachable, when another session outlasts `timeout` seconds.
    """
    with open_session(element, timeout=timeout) as session:
        change = session.parse(text)
        with session.locked():
            before = session.running()
            begin(session, before)
            if not dry_run:
                version_record(element=element, text=before, reason=Reason.BEFORE_PUSH, by=by, now=clock.now())
            result = apply_change(element, session, change, before, dry_run=dry_run, why=(Reason.PUSH, by))
    return _loaded(session, result)


def unload(
    element: NetworkElement, texts: Sequence[str], *, begin: Callable[[], None], timeout: float = BUSY_TIMEOUT_SECONDS
) -> LoadedConfiguration:
    """Send those of the texts, each of which removes something, that still have something to remove.

    `begin` is called before anything changes. Otherwise as `load`.
    """
    with open_session(element, timeout=timeout) as session, session.locked():
        before = session.running()
        change = session.removal(before, texts)
        if change:
            begin()
        version_record(element=element, text=before, reason=Reason.BEFORE_PUSH, by=DEPLOYMENT, now=clock.now())
        result = apply_change(element, session, change, before, dry_run=False, why=(Reason.PUSH, DEPLOYMENT))
    return _loaded(session, result)


def restore(
    element: NetworkElement, target: str, *, by: str = DEPLOYMENT, timeout: float = BUSY_TIMEOUT_SECONDS
) -> None:
    """Bring a former configuration of the element to its fresh disk, and save it. Otherwise as `load`.

    Raises DeviceRejected, too, when a difference is left.
    """
    make = partial(apply_change, element, dry_run=False, why=(Reason.ROLLBACK, by))
    with open_session(element, timeout=timeout) as session, session.locked():
        _, left = _bring_to(target, session, session.running(), partial(make, session))
    if left:
        raise DeviceRejected(LEFT.format(name=element.name, what="the one that it had", diff=left))


def _loaded(session: Session, result: PushResult) -> LoadedConfiguration:
    version_id = result.version.id if result.version is not None else None
    return LoadedConfiguration(result.changed, session.language.masked_diff(result.diff), version_id)


def apply_change(
    element: NetworkElement,
    session: Session,
    change: ConfigChange,
    before: str,
    *,
    dry_run: bool,
    why: tuple[str, str],
    scope: Sequence[str] = (),
) -> PushResult:
    """Make the change in a running configuration that was `before`, and record the result; `why` is reason and actor.

    Only while the session is locked. After a change the parts of `scope`, or all, are polled again by SNMP.

    Raises DeviceError. What a failed push has left in force is recorded too, as far as it can be read.
    """
    reason, by = why
    try:
        loaded = session.load(before, change, dry_run=dry_run)
    except (DeviceRejected, CutOff) as error:
        left = "" if dry_run else _left_in_force(session, error)
        if left not in ("", before):
            version_record(element=element, text=left, reason=reason, by=by, now=clock.now())
            resync(element, scope)
        raise
    if loaded.after is None:
        return PushResult(loaded.diff, None, takes_back=loaded.takes_back)
    version = version_record(element=element, text=loaded.after, reason=reason, by=by, now=clock.now())
    if loaded.diff:
        resync(element, scope)
    return PushResult(loaded.diff, version, loaded.after)


def _left_in_force(session: Session, error: DeviceRejected | CutOff) -> str:
    """The configuration after a push that failed; "" where that cannot be read: the failure itself matters more."""
    if isinstance(error, CutOff):
        return error.running
    try:
        return session.running()
    except DeviceError:
        return ""


def resync(element: NetworkElement, scope: Sequence[str]) -> None:
    """Poll what was configured: names and descriptions would otherwise be polled only minutes later."""
    try:
        element_resync(element=NetworkElement.objects.get(id=element.id), scope=scope)
    except (ProblemError, NetworkElement.DoesNotExist):
        return  # not managed any more, or changed just now: the next poll will do
